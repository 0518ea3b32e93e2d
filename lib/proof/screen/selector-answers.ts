/** Answers of the selector calls, as the server gives them; tests change what they are about. */
import type { Answer } from "../../contracts/endpoint.ts";
import type { policyApi } from "../../contracts/policy.ts";
import type { selectorsApi } from "../../contracts/selectors.ts";
import { POLICY_2_9_0 } from "../../domain/policy.ts";

type Top50 = Answer<typeof selectorsApi.top50>;
type Watchlist = Answer<typeof selectorsApi.earningsWatchlist>;
type Qa = Answer<typeof selectorsApi.qaResults>;
type Seat = Top50["universe"][number];
type Stock = Watchlist["watchlist"][number];
type Rule = Qa["results"][number];

export const POLICY: Answer<typeof policyApi.read> = { ...POLICY_2_9_0, updated_at: "2026-11-20T15:00:00.000Z" };

const SCOPE: Pick<Top50, "market" | "markets" | "sessionDate" | "nextScreening"> = {
  market: "PRACTICE",
  markets: ["PRACTICE"],
  sessionDate: "2020-02-04",
  nextScreening: { at: "2020-02-05T14:30:00.000Z", reason: null },
};
const UPDATED = "2020-02-04T14:30:00.000Z";

const seat = (symbol: string, rank: number, change: Partial<Seat> = {}): Seat => ({
  symbol,
  rank,
  sector: "Energy",
  lastPrice: 101.5,
  compositeScore: 90 - 10 * rank,
  liquidityScore: 81.25,
  sentimentScore: 55,
  technicalScore: 70.5,
  freshOrSticky: "sticky",
  tenureSessions: 9,
  reasons: ["First reason", "Second reason"],
  ...change,
});

const rule = (
  ruleId: string,
  severity: Rule["severity"],
  passed: boolean,
  hour: number,
  change: Partial<Rule> = {},
): Rule => ({
  ruleId,
  passed,
  status: passed ? "PASS" : "FAIL",
  severity,
  message: `message of ${ruleId}`,
  expected: `expected of ${ruleId}`,
  actual: `actual of ${ruleId}`,
  margin: passed ? 2 : -1,
  timestamp: `2020-02-04T${hour}:30:00.000Z`,
  ...change,
});

const RULES = [
  rule("allocation", "critical", false, 14, { margin: -0.02 }),
  rule("conviction_gates", "critical", true, 15, { margin: 0.012 }),
  rule("fast_track_events", "medium", true, 14),
  rule("promotion_quality", "high", false, 16, { status: "UNKNOWN", margin: null }),
  rule("sector_quotas", "high", true, 14),
  rule("swap_limits", "low", true, 14),
];

export const REGIME: NonNullable<Top50["regime"]> = {
  regime_label: "risk_on",
  vix: 12.5,
  spy_close: 330,
  spy_ma_20: 325.925,
  spy_ma_50: 331.328,
  votes: 2,
  sessionDate: "2020-02-04",
};

export const TOP50: Top50 = {
  ...SCOPE,
  policyVersion: "2.9.0",
  metadata: { totalStocks: 3, stickySeats: 2, freshSeats: 1, lastUpdated: UPDATED },
  regime: REGIME,
  universe: [
    seat("AAA", 1),
    seat("BBB", 2, {
      freshOrSticky: "fresh",
      sector: "Basic Materials",
      sentimentScore: null,
      reasons: ["First reason", "Second reason", "Third reason"],
    }),
    seat("CCC", 3, { sector: "Utilities" }),
  ],
  qaResults: RULES,
};

const stock = (symbol: string, earningsDate: string, change: Partial<Stock> = {}): Stock => ({
  symbol,
  companyName: `${symbol} Incorporated`,
  sector: "Energy",
  lastPrice: 20.5,
  earningsDate,
  earningsTime: "AMC",
  riskLevel: "LOW",
  expectedMove: 0.08,
  upside: 0.08,
  upsideSource: "momentum",
  volumeRatio: 1.2,
  watchlistReason: "Moves 8.0 % on reports",
  ...change,
});

const STOCKS = [
  stock("AAA", "2020-02-12", { riskLevel: "HIGH", upside: 0.1 }),
  stock("BBB", "2020-02-04", { earningsTime: "BMO", upside: -0.05, volumeRatio: 2.4 }),
  stock("CCC", "2020-02-05", { riskLevel: "MEDIUM", volumeRatio: 1.75 }),
  stock("DDD", "2020-02-07", { upside: null, upsideSource: "none", volumeRatio: null }),
];

export const WATCHLIST: Watchlist = {
  ...SCOPE,
  today: "2020-02-04",
  isCurrent: true,
  metadata: { totalStocks: 4, lowRisk: 2, mediumRisk: 1, highRisk: 1, lastUpdated: UPDATED },
  watchlist: STOCKS,
  calendar: ["BBB", "CCC", "DDD", "AAA"].map((symbol) => {
    const stocks = STOCKS.filter((one) => one.symbol === symbol);
    return { date: stocks[0]?.earningsDate ?? "", stocks };
  }),
};

export const QA: Qa = {
  ...SCOPE,
  flags: { qaLiveGate: false, qaHistory: false },
  metadata: { totalRules: 6, passedRules: 4, failedRules: 2, criticalFailures: 1, lastUpdated: UPDATED },
  results: RULES,
  metrics: {
    selections: 60,
    rules: [
      {
        ruleId: "allocation",
        severity: "critical",
        passed: 57,
        failed: 3,
        unknown: 1,
        smallestMargin: -0.02,
        lastFailedOn: "2020-02-04",
      },
    ],
  },
};

export const historyPage = (sessionDate: string, nextCursor: string | null): Answer<typeof selectorsApi.qaHistory> => ({
  market: "PRACTICE",
  selections: [{ sessionDate, policyVersion: "2.9.0", results: RULES }],
  pagination: { nextCursor, limit: 10 },
});
