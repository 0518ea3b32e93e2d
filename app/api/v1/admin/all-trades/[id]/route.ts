import { tradesApi } from "@/lib/contracts/trades.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readAnyTrade } from "@/lib/server/services/trades/read-trade.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(tradesApi.readAny, readAnyTrade),
);
