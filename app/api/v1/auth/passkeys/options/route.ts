import { securityApi } from "@/lib/contracts/security.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { offerNewPasskey } from "@/lib/server/services/auth/add-passkey.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(securityApi.newPasskeyOptions, offerNewPasskey),
);
