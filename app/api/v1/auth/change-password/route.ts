import { authApi } from "@/lib/contracts/auth.ts";
import { deviceMarkHeader } from "@/lib/server/http/device-mark.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { sessionCookieHeader } from "@/lib/server/http/session.ts";
import { changePassword } from "@/lib/server/services/auth/change-password.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(authApi.changePassword, changePassword, {
    headers: ({ token, marked }, request) => ({
      "set-cookie": [sessionCookieHeader(token), deviceMarkHeader(marked, request)],
    }),
  }),
);
