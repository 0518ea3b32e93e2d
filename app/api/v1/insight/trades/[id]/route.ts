import { insightApi } from "@/lib/contracts/insight.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { explainTrade } from "@/lib/server/services/insight/explain-trade.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(insightApi.trade, explainTrade),
);
