import { accountsApi } from "./accounts.ts";
import { authApi } from "./auth.ts";
import { automationApi } from "./automation.ts";
import type { Endpoint } from "./endpoint.ts";
import { healthApi } from "./health.ts";
import { portfolioApi } from "./portfolio.ts";
import { tradesApi } from "./trades.ts";

/** Every endpoint of /api/v1. A test checks that each has its route file and that no route file lacks one. */
export const allEndpoints: Endpoint[] = [
  authApi,
  accountsApi,
  portfolioApi,
  tradesApi,
  automationApi,
  healthApi,
].flatMap((group) => Object.values(group) as Endpoint[]);
