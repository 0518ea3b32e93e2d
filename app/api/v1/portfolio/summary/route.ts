import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { summarizePortfolio } from "@/lib/server/services/portfolio/summarize-portfolio.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(portfolioApi.summary, summarizePortfolio),
);
