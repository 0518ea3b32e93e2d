import { tradesApi } from "@/lib/contracts/trades.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { listAllTrades } from "@/lib/server/services/trades/list-trades.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(tradesApi.listAll, listAllTrades),
);
