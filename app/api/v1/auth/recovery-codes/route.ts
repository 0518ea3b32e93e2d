import { securityApi } from "@/lib/contracts/security.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { renewRecoveryCodes } from "@/lib/server/services/auth/recovery-codes.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(securityApi.renewRecoveryCodes, renewRecoveryCodes),
);
