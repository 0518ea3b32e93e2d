import { authApi } from "@/lib/contracts/auth.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { sessionCookieHeader } from "@/lib/server/http/session.ts";
import { logOut } from "@/lib/server/services/auth/log-out.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(authApi.logout, logOut, { headers: () => ({ "set-cookie": sessionCookieHeader(null) }) }),
);
