import { usersApi } from "@/lib/contracts/users.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { sessionCookieHeader } from "@/lib/server/http/session.ts";
import { eraseUser } from "@/lib/server/services/erasure/erase-user.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(usersApi.erase, eraseUser, {
    headers: () => ({ "set-cookie": sessionCookieHeader(null) }),
  }),
);
