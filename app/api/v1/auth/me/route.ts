import { authApi } from "@/lib/contracts/auth.ts";
import { bearerToken } from "@/lib/server/http/authenticate.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { sessionCookieHeader } from "@/lib/server/http/session.ts";
import { readMe } from "@/lib/server/services/auth/read-me.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(authApi.me, readMe, {
    // The stored token is the sign-in: a browser that lost the cookie of pages gets it back with the token's proof.
    headers: (_, request) => ({ "set-cookie": sessionCookieHeader(bearerToken(request.headers)) }),
  }),
);
