import * as z from "zod";
import { EARNINGS_TIMES, MARKETS, QA_STATUSES, REGIMES, RISKS, SEAT_KINDS, SEVERITIES } from "@/lib/domain/enums.ts";
import { instantOut, moneyOut, ratioOut } from "./codecs.ts";
import { disagreementOut } from "./console.ts";
import { endpoint } from "./endpoint.ts";

const market = z.enum(MARKETS, "Choose PRACTICE or US.");
const score = z.number().finite();

/** Absent: US where it is configured and has been screened, else PRACTICE. */
const marketIn = { market: market.optional() };

const marketScopeOut = {
  /** The market that the answer is of. */
  market,
  /** All that are configured or have been screened. */
  markets: z.array(market),
  /** The session (New York date) that the answer is of; null before the first screening. */
  sessionDate: z.iso.date().nullable(),
  /** When the market is looked at next, in market time; null with the reason why it is not known. */
  nextScreening: z.object({ at: instantOut.nullable(), reason: z.string().nullable() }),
};

const regimeOut = z.object({
  regime_label: z.enum(REGIMES),
  vix: ratioOut,
  /** Last close before the session; prices of the index are readings, not money. */
  spy_close: ratioOut,
  spy_ma_20: ratioOut,
  spy_ma_50: ratioOut,
  /** Of the three votes (both averages, VIX), their sum. */
  votes: z.number().int(),
  sessionDate: z.iso.date(),
});

const qaResultOut = z.object({
  ruleId: z.string(),
  /** Only what was judged and holds: what could not be judged counts as failed. */
  passed: z.boolean(),
  status: z.enum(QA_STATUSES),
  severity: z.enum(SEVERITIES),
  message: z.string(),
  expected: z.string(),
  actual: z.string(),
  /** Distance to the nearest line in the rule's own unit: ≥ 0 passes; null when the evidence is missing or there was nothing to judge. */
  margin: ratioOut,
  /** market time */
  timestamp: instantOut,
});

const universeItemOut = z.object({
  symbol: z.string(),
  rank: z.number().int(),
  sector: z.string(),
  lastPrice: moneyOut,
  /** Scores 0 … 100. */
  compositeScore: score,
  liquidityScore: score,
  /** Null where no news source answered. */
  sentimentScore: score.nullable(),
  technicalScore: score,
  freshOrSticky: z.enum(SEAT_KINDS),
  tenureSessions: z.number().int(),
  reasons: z.array(z.string()),
});

const calendarStockOut = z.object({
  symbol: z.string(),
  riskLevel: z.enum(RISKS),
  lastPrice: moneyOut,
  earningsTime: z.enum(EARNINGS_TIMES),
  /** Fraction; null where neither a target price nor momentum gives one. */
  upside: ratioOut,
  /** Last volume over its mean; null when missing. */
  volumeRatio: ratioOut,
});

const watchItemOut = calendarStockOut.extend({
  companyName: z.string(),
  sector: z.string(),
  earningsDate: z.iso.date(),
  /** Mean size of past reactions, a fraction. */
  expectedMove: score,
  upsideSource: z.string(),
  watchlistReason: z.string(),
});

export const symbolIn = z.string().regex(/^[A-Z][A-Z0-9.-]{0,9}$/, "Enter a symbol such as AAPL.");

/** How a symbol stood at one selection. */
export const symbolScoreOut = z.object({
  sessionDate: z.iso.date(),
  policyVersion: z.string(),
  /** Null where it had no seat. */
  seat: universeItemOut.omit({ symbol: true, sector: true }).extend({ coverage: score }).nullable(),
  /** Known of seated symbols and of those that ranked near a seat. */
  compositeScore: score.nullable(),
});

export const seatEventOut = z.object({
  sessionDate: z.iso.date(),
  kind: z.enum(["seated", "sticky", "left", "swap_refused"]),
  /** In words: "Seated at rank 12 in the place of XOM". */
  text: z.string(),
});

export const newsItemOut = z.object({
  id: z.string(),
  headline: z.string(),
  source: z.string(),
  /** market time */
  publishedAt: instantOut,
  /** −1 … 1; null when it was not scored. */
  score: ratioOut,
  scoreSource: z.string().nullable(),
});

/** How the price answered a past report, close to close. */
export const reactionOut = z.object({
  date: z.iso.date(),
  time: z.enum(EARNINGS_TIMES),
  reaction: z.number().finite(),
});

const ADMIN = { access: "admin", limit: "admin" } as const;

export const selectorsApi = {
  top50: endpoint({
    ...ADMIN,
    method: "GET",
    path: "/selectors/top50",
    summary: "The Top-50 of the last screened session of a market, with its regime and QA results.",
    input: z.strictObject(marketIn),
    output: z.object({
      ...marketScopeOut,
      /** The policy that the seats were given under. */
      policyVersion: z.string().nullable(),
      metadata: z.object({
        totalStocks: z.number().int(),
        stickySeats: z.number().int(),
        freshSeats: z.number().int(),
        /** The opening of the session, in market time: scores rest on bars closed before it. */
        lastUpdated: instantOut.nullable(),
      }),
      regime: regimeOut.nullable(),
      universe: z.array(universeItemOut),
      qaResults: z.array(qaResultOut),
    }),
  }),
  earningsWatchlist: endpoint({
    ...ADMIN,
    method: "GET",
    path: "/selectors/earnings-watchlist",
    summary: "The stocks that report soon and move most on it: the list of the last screened session.",
    input: z.strictObject(marketIn),
    output: z.object({
      ...marketScopeOut,
      /** The New York date on the market's own clock; days until a report are counted from it. */
      today: z.iso.date().nullable(),
      /** False where the earnings calendar was unavailable at the last screening: the list is of an earlier session. */
      isCurrent: z.boolean(),
      metadata: z.object({
        totalStocks: z.number().int(),
        lowRisk: z.number().int(),
        mediumRisk: z.number().int(),
        highRisk: z.number().int(),
        lastUpdated: instantOut.nullable(),
      }),
      watchlist: z.array(watchItemOut),
      calendar: z.array(z.object({ date: z.iso.date(), stocks: z.array(calendarStockOut) })),
    }),
  }),
  qaResults: endpoint({
    ...ADMIN,
    method: "GET",
    path: "/selectors/qa-results",
    summary: "The six QA rules on the last selection of a market, and how they did on the selections before.",
    input: z.strictObject(marketIn),
    output: z.object({
      ...marketScopeOut,
      /** The flags that these pages read: whether failures stop cycles, and whether past results are shown. */
      flags: z.object({ qaLiveGate: z.boolean(), qaHistory: z.boolean() }),
      metadata: z.object({
        totalRules: z.number().int(),
        passedRules: z.number().int(),
        failedRules: z.number().int(),
        /** Failed rules of critical severity. */
        criticalFailures: z.number().int(),
        lastUpdated: instantOut.nullable(),
      }),
      results: z.array(qaResultOut),
      /** Over the last selections, of each rule. */
      metrics: z.object({
        selections: z.number().int(),
        rules: z.array(
          z.object({
            ruleId: z.string(),
            severity: z.enum(SEVERITIES),
            passed: z.number().int(),
            failed: z.number().int(),
            /** Of the failed ones, those whose evidence was missing. */
            unknown: z.number().int(),
            smallestMargin: ratioOut,
            lastFailedOn: z.iso.date().nullable(),
          }),
        ),
      }),
    }),
  }),
  qaHistory: endpoint({
    ...ADMIN,
    method: "GET",
    path: "/selectors/qa-results/history",
    summary: "Past QA results selection by selection, newest first.",
    input: z.strictObject({
      ...marketIn,
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(30).default(10),
    }),
    output: z.object({
      market,
      selections: z.array(
        z.object({ sessionDate: z.iso.date(), policyVersion: z.string(), results: z.array(qaResultOut) }),
      ),
      pagination: z.object({ nextCursor: z.string().nullable(), limit: z.number().int() }),
    }),
  }),
  symbol: endpoint({
    ...ADMIN,
    method: "GET",
    path: "/admin/symbols/{symbol}",
    summary: "One symbol: its scores over the last selections, its seats, news, earnings and quarantine.",
    input: z.strictObject({ symbol: symbolIn, ...marketIn }),
    output: z.object({
      ...marketScopeOut,
      symbol: z.string(),
      companyName: z.string().nullable(),
      sector: z.string().nullable(),
      /** Its row of the last selection; null when it has no seat. */
      seat: universeItemOut.omit({ symbol: true, sector: true }).extend({ coverage: score }).nullable(),
      /** Why it is set aside: its sources disagree now, or its data could not be trusted at the last selection; null otherwise. */
      quarantine: z.string().nullable(),
      /** What its sources disagreed about, newest first. */
      disagreements: z.array(disagreementOut),
      /** Oldest first. */
      scores: z.array(symbolScoreOut),
      /** Newest first. */
      events: z.array(seatEventOut),
      news: z.array(newsItemOut),
      earnings: z.object({
        today: z.iso.date().nullable(),
        /** The newest row of the watchlist; null when it never stood there. */
        watch: watchItemOut.extend({ sessionDate: z.iso.date(), rank: z.number().int() }).nullable(),
        /** Newest first. */
        reactions: z.array(reactionOut),
      }),
    }),
  }),
};
