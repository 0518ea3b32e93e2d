import { securityApi } from "@/lib/contracts/security.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { removeTotp, startTotp } from "@/lib/server/services/auth/set-up-totp.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(securityApi.startTotp, startTotp),
  defineRoute(securityApi.removeTotp, removeTotp),
);
