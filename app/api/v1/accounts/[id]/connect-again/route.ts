import { accountsApi } from "@/lib/contracts/accounts.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { connectAgain } from "@/lib/server/services/accounts/start-connection.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(accountsApi.connectAgain, connectAgain),
);
