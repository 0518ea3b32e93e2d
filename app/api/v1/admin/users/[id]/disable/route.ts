import { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { disableUser } from "@/lib/server/services/users/disable-user.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(adminUsersApi.disable, disableUser),
);
