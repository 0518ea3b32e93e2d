import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { drawEquity } from "@/lib/server/services/portfolio/draw-equity.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(portfolioApi.equity, drawEquity),
);
