import { accessTokensApi } from "./access-tokens.ts";
import { accountsApi } from "./accounts.ts";
import { adminUsersApi } from "./admin-users.ts";
import { auditApi } from "./audit.ts";
import { authApi } from "./auth.ts";
import { automationApi } from "./automation.ts";
import { backtestGridsApi } from "./backtest-grids.ts";
import { backtestsApi } from "./backtests.ts";
import { channelsApi } from "./channels.ts";
import { consoleApi } from "./console.ts";
import { cspReportApi } from "./csp-report.ts";
import { decisionsApi } from "./decisions.ts";
import { demoApi } from "./demo.ts";
import type { Endpoint } from "./endpoint.ts";
import { flagsApi } from "./flags.ts";
import { healthApi } from "./health.ts";
import { insightApi } from "./insight.ts";
import { killSwitchApi } from "./kill-switch.ts";
import { invariantsApi } from "./invariants.ts";
import { logsApi } from "./logs.ts";
import { notificationsApi } from "./notifications.ts";
import { operationsApi } from "./operations.ts";
import { performanceApi } from "./performance.ts";
import { policyApi } from "./policy.ts";
import { portfolioApi } from "./portfolio.ts";
import { positionsApi } from "./positions.ts";
import { practiceMarketApi } from "./practice-market.ts";
import { preferencesApi } from "./preferences.ts";
import { preferencesPreviewApi } from "./preferences-preview.ts";
import { queueApi } from "./queue.ts";
import { rateLimitsApi } from "./rate-limits.ts";
import { referenceApi } from "./reference.ts";
import { securityApi } from "./security.ts";
import { symbolsApi } from "./symbols.ts";
import { systemApi } from "./system.ts";
import { selectorsApi } from "./selectors.ts";
import { rotationApi } from "./rotation.ts";
import { tradesApi } from "./trades.ts";
import { usersApi } from "./users.ts";

/** Every endpoint of /api/v1. A test checks that each has its route file and that no route file lacks one. */
export const allEndpoints: Endpoint[] = [
  authApi,
  securityApi,
  accessTokensApi,
  accountsApi,
  adminUsersApi,
  portfolioApi,
  positionsApi,
  performanceApi,
  tradesApi,
  automationApi,
  decisionsApi,
  demoApi,
  backtestGridsApi,
  backtestsApi,
  preferencesApi,
  preferencesPreviewApi,
  flagsApi,
  policyApi,
  rateLimitsApi,
  queueApi,
  practiceMarketApi,
  consoleApi,
  systemApi,
  selectorsApi,
  symbolsApi,
  rotationApi,
  healthApi,
  referenceApi,
  cspReportApi,
  insightApi,
  killSwitchApi,
  auditApi,
  invariantsApi,
  logsApi,
  notificationsApi,
  channelsApi,
  operationsApi,
  usersApi,
].flatMap((group) => Object.values(group) as Endpoint[]);
