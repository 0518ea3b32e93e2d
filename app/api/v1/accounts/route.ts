import { accountsApi } from "@/lib/contracts/accounts.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { addAccount } from "@/lib/server/services/accounts/add-account.ts";
import { listAccounts } from "@/lib/server/services/accounts/list-accounts.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(accountsApi.list, listAccounts),
  defineRoute(accountsApi.add, addAccount),
);
