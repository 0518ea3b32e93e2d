import { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readUser } from "@/lib/server/services/users/read-user.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(adminUsersApi.read, readUser),
);
