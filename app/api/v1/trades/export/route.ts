import { tradesApi } from "@/lib/contracts/trades.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { exportTrades } from "@/lib/server/services/trades/export-trades.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(tradesApi.export, exportTrades),
);
