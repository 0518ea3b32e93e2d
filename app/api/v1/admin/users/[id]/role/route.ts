import { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { setRole } from "@/lib/server/services/users/set-role.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(adminUsersApi.setRole, setRole),
);
