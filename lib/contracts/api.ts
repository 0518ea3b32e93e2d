import { accountsApi } from "./accounts.ts";
import { authApi } from "./auth.ts";
import { automationApi } from "./automation.ts";
import { backtestsApi } from "./backtests.ts";
import { cspReportApi } from "./csp-report.ts";
import { decisionsApi } from "./decisions.ts";
import type { Endpoint } from "./endpoint.ts";
import { flagsApi } from "./flags.ts";
import { healthApi } from "./health.ts";
import { insightApi } from "./insight.ts";
import { logsApi } from "./logs.ts";
import { notificationsApi } from "./notifications.ts";
import { performanceApi } from "./performance.ts";
import { portfolioApi } from "./portfolio.ts";
import { preferencesApi } from "./preferences.ts";
import { rateLimitsApi } from "./rate-limits.ts";
import { tradesApi } from "./trades.ts";
import { usersApi } from "./users.ts";

/** Every endpoint of /api/v1. A test checks that each has its route file and that no route file lacks one. */
export const allEndpoints: Endpoint[] = [
  authApi,
  accountsApi,
  portfolioApi,
  performanceApi,
  tradesApi,
  automationApi,
  decisionsApi,
  backtestsApi,
  preferencesApi,
  flagsApi,
  rateLimitsApi,
  healthApi,
  cspReportApi,
  insightApi,
  logsApi,
  notificationsApi,
  usersApi,
].flatMap((group) => Object.values(group) as Endpoint[]);
