import { authApi } from "@/lib/contracts/auth.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { askPasskey } from "@/lib/server/services/auth/ask-passkey.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(authApi.secondFactorOptions, askPasskey),
);
