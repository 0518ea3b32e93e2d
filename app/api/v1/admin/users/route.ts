import { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { listUsers } from "@/lib/server/services/users/list-users.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(adminUsersApi.list, listUsers),
);
