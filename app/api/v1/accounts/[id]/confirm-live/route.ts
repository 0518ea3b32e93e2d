import { accountsApi } from "@/lib/contracts/accounts.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { confirmLive } from "@/lib/server/services/accounts/confirm-live.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(accountsApi.confirmLive, confirmLive),
);
