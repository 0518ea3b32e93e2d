import { accountsApi } from "@/lib/contracts/accounts.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { finishConnection } from "@/lib/server/services/accounts/finish-connection.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(accountsApi.finishConnection, finishConnection),
);
