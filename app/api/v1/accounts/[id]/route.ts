import { accountsApi } from "@/lib/contracts/accounts.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { removeAccount } from "@/lib/server/services/accounts/remove-account.ts";
import { setAccountStatus } from "@/lib/server/services/accounts/set-account-status.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(accountsApi.setStatus, setAccountStatus),
  defineRoute(accountsApi.remove, removeAccount),
);
