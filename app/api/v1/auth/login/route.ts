import { authApi } from "@/lib/contracts/auth.ts";
import { deviceMarkHeader } from "@/lib/server/http/device-mark.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { sessionCookieHeader } from "@/lib/server/http/session.ts";
import { failInUniformTime } from "@/lib/server/http/uniform-time.ts";
import { logIn } from "@/lib/server/services/auth/log-in.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(authApi.login, failInUniformTime(logIn), {
    // No cookie and no mark of the device before the second factor.
    headers: ({ token, marked }, request) =>
      marked === undefined ? {} : { "set-cookie": [sessionCookieHeader(token), deviceMarkHeader(marked, request)] },
  }),
);
