import { securityApi } from "@/lib/contracts/security.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { removePasskey, renamePasskey } from "@/lib/server/services/auth/manage-passkey.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(securityApi.renamePasskey, renamePasskey),
  defineRoute(securityApi.removePasskey, removePasskey),
);
