/** Answers of the console's calls, as the server gives them; tests change what they are about. */
import type { consoleApi } from "../../contracts/console.ts";
import type { Answer } from "../../contracts/endpoint.ts";
import type { practiceMarketApi } from "../../contracts/practice-market.ts";

export type Metrics = Answer<typeof consoleApi.metrics>;
type Provider = Answer<typeof consoleApi.providerPerformance>["providers"][number];

const CHECKED = "2026-11-20T15:30:00.000Z";

export const METRICS: Metrics = {
  environment: "PRACTICE",
  environments: ["PRACTICE"],
  systemStatus: "RUNNING",
  systemStatusReason: null,
  totalUsers: 12,
  usersWithAlpacaKeys: 3,
  portfolioValue: 102_000,
  portfolioSummary: {
    totalValue: 102_000,
    pnlTotal: 2_000,
    cash: 40_000,
    buyingPower: 40_000,
    accountsInSums: 1,
    accountsUnread: 0,
    asOf: CHECKED,
  },
  accountHealth: { active: 1, paused: 0, halted: 0, stopped: 0 },
  userHealth: [],
  pagination: { nextCursor: null, limit: 20 },
  queueStatus: { active: true, pendingJobs: 0, processingJobs: 0, completedJobs: 9, failedJobs: 0, totalJobs: 9 },
  auditLogsCount: 40,
  apiMetrics: { timestamp: CHECKED, total: 1, valid: 1, invalid: 0 },
  providers: [
    { provider: "Practice market", configured: true, working: true, message: "It answers.", lastCheck: CHECKED },
  ],
  regimeSignals: null,
};

export const SUCCESS: Answer<typeof consoleApi.tradingSuccessRate> = {
  environment: "PRACTICE",
  environments: ["PRACTICE"],
  successRate: 0.5,
  profitableTrades: 1,
  totalTrades: 2,
};

export const READINESS: Answer<typeof consoleApi.readiness> = { needs: [], lastScreening: null };

export const NO_PRACTICE_MARKET: Answer<typeof practiceMarketApi.read> = {
  market: null,
  absence: null,
  isSetUp: false,
};

export const activity = (nth: number): Answer<typeof consoleApi.recentActivity>["activities"][number] => ({
  id: `event-${nth}`,
  icon: "shield",
  description: `Event ${nth}`,
  timestamp: CHECKED,
});

export const providerWith = (provider: Provider["provider"], successRate: number | null): Provider => ({
  provider,
  configured: true,
  successRate,
  averageResponseTime: 120,
  totalRequests: 10,
  errorCount: 0,
  lastCheck: CHECKED,
  faults: [],
  agreement: null,
  lastDisagreement: null,
});
