import { authApi } from "@/lib/contracts/auth.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { sessionCookieHeader } from "@/lib/server/http/session.ts";
import { logIn } from "@/lib/server/services/auth/log-in.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(authApi.login, logIn, {
    attemptsPer: ({ email }) => email,
    headers: ({ token }) => ({ "set-cookie": sessionCookieHeader(token) }),
  }),
);
