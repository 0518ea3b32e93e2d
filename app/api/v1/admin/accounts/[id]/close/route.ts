import { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { closeAccount } from "@/lib/server/services/accounts/close-account.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(adminUsersApi.closeAccount, closeAccount),
);
