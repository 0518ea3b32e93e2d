import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readPositionLines } from "@/lib/server/services/symbols/position-lines.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(portfolioApi.positionLines, readPositionLines),
);
