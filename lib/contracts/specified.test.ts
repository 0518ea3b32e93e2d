import { describe, expect, it } from "vitest";
import * as z from "zod";
import { accountsApi } from "./accounts.ts";
import { authApi } from "./auth.ts";
import { automationApi } from "./automation.ts";
import { consoleApi } from "./console.ts";
import type { Endpoint } from "./endpoint.ts";
import { logsApi } from "./logs.ts";
import { policyApi } from "./policy.ts";
import { portfolioApi } from "./portfolio.ts";
import { preferencesApi } from "./preferences.ts";
import { selectorsApi } from "./selectors.ts";
import { tradesApi } from "./trades.ts";

/** The names of a schema's fields, those of a list's rows as of one row: "positions.symbol". */
function fieldsOf(schema: z.core.$ZodType, at = ""): string[] {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return fieldsOf(schema.unwrap(), at);
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element, at);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) => [
    `${at}${name}`,
    ...fieldsOf(field as z.ZodType, `${at}${name}.`),
  ]);
}

const POSITION = "symbol quantity averagePrice marketValue unrealizedPnL unrealizedPnLPercent";
const TRADES =
  "trades.id trades.symbol trades.side trades.status trades.filledQuantity trades.averagePrice trades.totalValue trades.createdAt trades.account.environment trades.account.user.firstName trades.account.user.lastName trades.account.user.email summary.totalTrades summary.winningTrades summary.losingTrades summary.totalVolume summary.averageTradeSize pagination";
const TRADING =
  "defaultOrderSize riskTolerance paperTradingOnly maxPositions maxPositionValue profitTarget stopLoss checkInterval strategy riskLevel";
const FLAGS = "emailNotifications orderNotifications tradeNotifications weeklySummary systemAlerts";
const AUDIT =
  "auditLogs.id auditLogs.timestamp auditLogs.eventType auditLogs.ipAddress auditLogs.eventData auditLogs.user.firstName auditLogs.user.lastName auditLogs.user.email auditLogs.user.role summary pagination";
const SUMMARY =
  "totalValue totalPnL totalPnLPercent pnlDay pnlWeek pnlMonth pnlTotal cash buyingPower dayTradeCount positions";

const METRICS =
  "systemStatus totalUsers usersWithAlpacaKeys portfolioValue portfolioSummary.pnlTotal portfolioSummary.totalValue userHealth.id userHealth.firstName userHealth.lastName userHealth.email userHealth.role userHealth.accounts.trades queueStatus auditLogsCount apiMetrics.timestamp apiMetrics.valid apiMetrics.total apiMetrics.invalid providers.provider providers.configured providers.working providers.message regimeSignals.regime_label";
const PERFORMANCE =
  "providers.provider providers.successRate providers.averageResponseTime providers.totalRequests providers.errorCount providers.lastCheck";
const TOP50 =
  "metadata.totalStocks metadata.stickySeats metadata.freshSeats metadata.lastUpdated regime.regime_label regime.vix regime.spy_ma_20 regime.spy_ma_50 universe.symbol universe.sector universe.lastPrice universe.compositeScore universe.liquidityScore universe.sentimentScore universe.technicalScore universe.freshOrSticky universe.reasons qaResults.ruleId";
const WATCHLIST =
  "metadata.totalStocks metadata.lowRisk metadata.mediumRisk metadata.highRisk metadata.lastUpdated watchlist.symbol watchlist.companyName watchlist.sector watchlist.lastPrice watchlist.earningsDate watchlist.earningsTime watchlist.riskLevel watchlist.upside watchlist.volumeRatio watchlist.watchlistReason calendar.date calendar.stocks.symbol calendar.stocks.riskLevel calendar.stocks.lastPrice calendar.stocks.earningsTime calendar.stocks.upside calendar.stocks.volumeRatio";
const QA =
  "metadata.totalRules metadata.passedRules metadata.failedRules metadata.criticalFailures metadata.lastUpdated results.ruleId results.passed results.severity results.message results.expected results.actual results.timestamp";

/** The calls of the second specification's user half: who may make them, what they take and what they give. */
const CALLS: [string, Endpoint, string, string][] = [
  ["GET /portfolio/summary user", portfolioApi.summary, "", SUMMARY],
  ["GET /portfolio/positions user", portfolioApi.positions, "", POSITION],
  ["GET /accounts user", accountsApi.list, "", "id name accountType environment status alpacaKey createdAt"],
  ["POST /accounts user", accountsApi.add, "name accountType environment alpacaKey alpacaSecret", "id"],
  ["DELETE /accounts/{id} user", accountsApi.remove, "id", ""],
  ["GET /trades user", tradesApi.list, "symbol side status startDate endDate", TRADES],
  ["GET /admin/all-trades admin", tradesApi.listAll, "symbol side status startDate endDate", TRADES],
  [
    "GET /automation/heartbeat user",
    automationApi.heartbeat,
    "",
    "orderStatusUpdate.status marketScreening.status marketScreening.lastRunAt marketScreening.nextRunAt isInitialized",
  ],
  ["GET /logs/tail user", logsApi.tail, "limit", "logs.timestamp logs.level logs.message"],
  ["GET /logs/daily-review user", logsApi.dailyReview, "", "reviewed executed"],
  ["GET /logs/audit user", logsApi.audit, "limit", AUDIT],
  ["GET /admin/all-audit-logs admin", logsApi.auditAll, "limit", AUDIT],
  [
    "GET /admin/policy admin",
    policyApi.read,
    "",
    "version updated_at selector_top50 portfolio_limits orders_execution signals_confidence cadence pretrade_filters exits providers_consensus",
  ],
  ["GET /logs/export user", logsApi.export, "", ""],
  ["GET /preferences/trading user", preferencesApi.readTrading, "", TRADING],
  ["PUT /preferences/trading user", preferencesApi.saveTrading, TRADING, TRADING],
  ["GET /preferences/notifications user", preferencesApi.readNotifications, "", FLAGS],
  ["PUT /preferences/notifications user", preferencesApi.saveNotifications, FLAGS, FLAGS],
  ["GET /admin/metrics admin", consoleApi.metrics, "", METRICS],
  ["GET /admin/provider-performance admin", consoleApi.providerPerformance, "range", PERFORMANCE],
  [
    "GET /admin/trading-success-rate admin",
    consoleApi.tradingSuccessRate,
    "",
    "successRate profitableTrades totalTrades",
  ],
  [
    "GET /admin/recent-activity admin",
    consoleApi.recentActivity,
    "",
    "activities.id activities.icon activities.description activities.timestamp",
  ],
  [
    "POST /admin/providers/test-global-apis admin",
    consoleApi.testGlobalApis,
    "",
    "providers.provider providers.configured providers.working providers.message",
  ],
  ["PUT /auth/change-password user", authApi.changePassword, "email currentPassword newPassword", ""],
  ["GET /selectors/top50 admin", selectorsApi.top50, "", TOP50],
  ["GET /selectors/earnings-watchlist admin", selectorsApi.earningsWatchlist, "", WATCHLIST],
  ["GET /selectors/qa-results admin", selectorsApi.qaResults, "", QA],
];

const fields = (text: string) => text.split(" ").filter(Boolean);

describe("the specified calls", () => {
  it.each(CALLS)("%s", (line, endpoint, input, output) => {
    expect(`${endpoint.method} ${endpoint.path} ${endpoint.access}`).toBe(line);
    expect(fieldsOf(endpoint.input), "takes").toEqual(expect.arrayContaining(fields(input)));
    expect(fieldsOf(endpoint.output), "gives").toEqual(expect.arrayContaining(fields(output)));
  });

  it("the portfolio's positions are those of the positions call", () => {
    const { positions } = portfolioApi.summary.output.shape;
    expect(fieldsOf(positions)).toEqual(expect.arrayContaining(fields(POSITION)));
  });

  it("the reports are a file, and the only file of them", () => {
    expect(CALLS.filter(([, { downloadType }]) => downloadType !== undefined).map(([line]) => line)).toEqual([
      "GET /logs/export user",
    ]);
  });

  it("lists have the specified lengths unless others are asked for, and 200 rows at most", () => {
    for (const [{ input }, length] of [
      [logsApi.tail, 200],
      [logsApi.audit, 50],
      [logsApi.auditAll, 50],
      [tradesApi.list, 50],
    ] as const) {
      expect(input.parse({})).toMatchObject({ limit: length });
      for (const limit of [1, 200]) expect(input.safeParse({ limit: String(limit) }).success).toBe(true);
      for (const limit of ["0", "201", "", "many", "1.5"])
        expect(input.safeParse({ limit }).success, limit).toBe(false);
    }
  });

  it("trades are narrowed by side, status and day, and by nothing that is left blank", () => {
    const taken = (query: object) => tradesApi.list.input.safeParse(query).success;
    for (const side of ["", "BUY", "SELL"]) expect(taken({ side })).toBe(true);
    for (const status of ["", "FILLED", "PENDING", "CANCELLED", "REJECTED"]) expect(taken({ status })).toBe(true);
    for (const day of ["", "2020-02-29", "2020-02-03T15:00:00.000Z"])
      expect(taken({ startDate: day, endDate: day })).toBe(true);
    for (const query of [{ side: "buy" }, { status: "CANCELED" }, { startDate: "2020-02-30" }, { endDate: "3/2/2020" }])
      expect(taken(query)).toBe(false);
  });
});
