import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { listPositions } from "@/lib/server/services/portfolio/list-positions.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(portfolioApi.positions, listPositions),
);
