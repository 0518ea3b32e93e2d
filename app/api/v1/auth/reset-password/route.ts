import { authApi } from "@/lib/contracts/auth.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { sessionCookieHeader } from "@/lib/server/http/session.ts";
import { resetPassword } from "@/lib/server/services/auth/reset-password.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(authApi.resetPassword, resetPassword, { headers: () => ({ "set-cookie": sessionCookieHeader(null) }) }),
);
