import * as z from "zod";
import { MARKETS, REGIMES, RUN_STATUSES, STRATEGY_NAMES, TRIP_OUTCOMES } from "@/lib/domain/enums.ts";
import { countText } from "@/lib/domain/format.ts";
import { LIVE_ONLY } from "@/lib/domain/preferences.ts";
import { dayIn, idIn, instantOut, moneyIn, moneyOut, ratioOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { preferencesApi, tradingIn } from "./preferences.ts";

/** Bounds of a run: the form shows them, the server holds them. */
export const BACKTEST_BOUNDS = {
  /** USD */
  cash: { min: 1_000, max: 10_000_000, step: 1 },
  name: { max: 80 },
  /** Calendar days from the first to the last session. */
  days: { max: 1_100 },
  /** Runs of one person that are kept, and that wait. */
  kept: 20,
  waiting: 2,
} as const;

const market = z.enum(MARKETS);
const strategy = z.enum(STRATEGY_NAMES);
const regime = z.enum(REGIMES);
const status = z.enum(RUN_STATUSES);
const dateIn = (label: string) => dayIn(`${label} is a date such as 2020-03-02.`);

/** Of the trading preferences, those that a backtest decides with: it looks once a session, and trades no account. */
const settingsIn = tradingIn.omit(LIVE_ONLY);
const settingsOut = preferencesApi.saveTrading.output.omit(LIVE_ONLY);

const cashBounds = `Cash must be between $${countText(BACKTEST_BOUNDS.cash.min)} and $${countText(BACKTEST_BOUNDS.cash.max)}.`;

/** One run, as a row of a list. Figures of a backtest belong to no account: they are labelled BACKTEST. */
export const backtestRowOut = z.object({
  id: z.string(),
  name: z.string(),
  market,
  strategy,
  from: z.iso.date(),
  to: z.iso.date(),
  cash: moneyOut,
  status,
  /** Sessions played, those of the repeats at wider spreads among them until it is done; `total` is null until the history is read, of which `readPercent` says how much is. */
  progress: z.object({
    done: z.number().int(),
    total: z.number().int().nullable(),
    readPercent: z.number().int().nullable(),
  }),
  /** True where a worker had begun and sent no heartbeat since: it starts again. */
  isStalled: z.boolean(),
  /** wall time */
  createdAt: instantOut,
  startedAt: instantOut.nullable(),
  finishedAt: instantOut.nullable(),
  /** Why it failed, in words. */
  error: z.string().nullable(),
  /** Null until it is done. */
  outcome: z
    .object({
      finalEquity: moneyOut,
      totalReturn: ratioOut,
      maxDrawdown: ratioOut,
      sharpe: ratioOut,
      trips: z.number().int(),
    })
    .nullable(),
});

export const figureOut = z.object({
  id: z.string(),
  name: z.string(),
  unit: z.enum(["fraction", "share", "ratio", "USD", "count", "sessions", "probability"]),
  value: ratioOut,
  /** Why it is not defined; null where it is. */
  reason: z.string().nullable(),
  definition: z.string(),
  source: z.string(),
  version: z.number().int(),
});

/** What the best of a person's tries is worth. */
export const overfitOut = z.object({
  market,
  strategy,
  tries: z.number().int(),
  bestId: z.string().nullable(),
  sharpe: ratioOut,
  /** Deflated Sharpe ratio, a probability. */
  deflated: ratioOut,
  /** The same as it is shown: with so many places that it stands at no line which it is below. */
  deflatedText: z.string().nullable(),
  /** Mean exposure of the best one. */
  exposure: ratioOut,
  text: z.string(),
});

const attribution = z.array(
  z.object({
    group: z.string(),
    trades: z.number().int(),
    pnl: moneyOut,
    fees: moneyOut,
    winRate: ratioOut,
    meanFraction: z.number().finite(),
  }),
);

const tripOut = z.object({
  symbol: z.string(),
  name: z.string(),
  sector: z.string().nullable(),
  opened: z.iso.date(),
  closed: z.iso.date(),
  sessionsHeld: z.number().int(),
  quantity: moneyOut,
  entryPrice: moneyOut,
  exitPrice: moneyOut,
  fees: moneyOut,
  pnl: moneyOut,
  pnlFraction: z.number().finite(),
  outcome: z.enum(TRIP_OUTCOMES),
  exit: z.string(),
  entryRegime: regime,
});

/** What a holding came to, or why that is not known. */
const holdingOut = z.object({
  name: z.string(),
  totalReturn: ratioOut,
  /** Growth a year; null with fewer than 252 sessions. */
  annual: ratioOut,
  maxDrawdown: ratioOut,
  reason: z.string().nullable(),
});

/** Whether a run beat the market that it traded in, and what of it luck could have made. Sentences are whole. */
const answerOut = z.object({
  verdict: z.string(),
  luck: z.string(),
  /** What the other tries do to the sentence on luck; null where there are none. */
  tries: z.string().nullable(),
  /** The strategy, SPY, SPY at the same exposure, the equal-weight universe. */
  holdings: z.array(holdingOut),
  exposure: ratioOut,
  /** On SPY's daily returns, alpha a year; null below 60 sessions. */
  regression: z
    .object({ alpha: z.number().finite(), beta: z.number().finite(), alphaT: ratioOut, sessions: z.number().int() })
    .nullable(),
  /** Difference a year to SPY at the same exposure, with its 90 % band; null where `bandText` says why. */
  band: z.object({ estimate: z.number().finite(), low: z.number().finite(), high: z.number().finite() }).nullable(),
  bandText: z.string(),
  /** How the band is made: a stationary bootstrap of daily differences. */
  method: z.object({ blockSessions: z.number().int(), resamples: z.number().int() }),
  /** The first two thirds of the sessions and the last third. */
  parts: z.array(
    z.object({
      from: z.iso.date(),
      to: z.iso.date(),
      strategy: z.number().finite(),
      index: ratioOut,
      matched: ratioOut,
      luck: z.string(),
    }),
  ),
  /** The run at multiples of the spread; null in runs from before it was repeated. */
  spreads: z
    .array(
      z.object({
        multiple: z.number(),
        spreadBps: z.number(),
        finalEquity: moneyOut,
        totalReturn: z.number().finite(),
        maxDrawdown: z.number().finite(),
        trips: z.number().int(),
      }),
    )
    .nullable(),
  capacity: z.string().nullable(),
  /** What the stored run does not hold, in words. */
  missing: z.array(z.string()),
});

export const backtestOut = backtestRowOut.extend({
  settings: settingsOut,
  policyVersion: z.string(),
  /** Null until it is done. */
  result: z
    .object({
      engineVersion: z.string(),
      symbolCount: z.number().int(),
      answer: answerOut,
      figures: z.array(figureOut),
      overfit: overfitOut,
      days: z.array(
        z.object({
          session: z.iso.date(),
          /** The session's close, market time. */
          at: instantOut,
          equity: moneyOut,
          exposure: z.number().finite(),
          /** SPY held with the same cash since the close before the first session, dividends reinvested; null before it traded. */
          index: ratioOut,
          /** All stocks of the market in equal parts, likewise; null in runs from before it was kept. */
          universe: ratioOut,
        }),
      ),
      /** `index` is SPY's return of the same month. */
      months: z.array(
        z.object({
          year: z.number().int(),
          month: z.number().int(),
          value: z.number().finite(),
          index: ratioOut,
        }),
      ),
      trips: z.array(tripOut),
      openPositions: z.array(
        z.object({
          symbol: z.string(),
          opened: z.iso.date(),
          quantity: moneyOut,
          averagePrice: moneyOut,
          lastPrice: moneyOut,
          unrealised: moneyOut,
        }),
      ),
      byExit: attribution,
      bySector: attribution,
      byRegimeAtEntry: attribution,
      regimeDays: z.array(
        z.object({ regime, sessions: z.number().int(), pnl: moneyOut, meanExposure: z.number().finite() }),
      ),
      costs: z.object({ spread: moneyOut, impact: moneyOut, fees: moneyOut, total: moneyOut, totalBps: ratioOut }),
      /** Candidates by the first gate that refused them, over all sessions. */
      refusals: z.array(z.object({ gate: z.string(), word: z.string(), text: z.string(), count: z.number().int() })),
      halted: z.object({ session: z.iso.date(), reason: z.string() }).nullable(),
      assumptions: z.array(z.string()),
    })
    .nullable(),
});

export const backtestsApi = {
  options: endpoint({
    method: "GET",
    path: "/backtests/options",
    access: "user",
    limit: "api",
    summary: "What a backtest can be run on, and the user's own settings to begin with.",
    input: z.strictObject({}),
    output: z.object({
      markets: z.array(
        z.object({
          market,
          /** First session at which stocks have enough history, and the last one whose bars are final; null where it cannot be read now. */
          sessions: z.object({ first: z.iso.date(), last: z.iso.date() }).nullable(),
          /** Why nothing can be run on it now; null where it can. */
          reason: z.string().nullable(),
        }),
      ),
      strategies: z.array(strategy),
      defaults: z.object({ market, cash: moneyOut, settings: settingsOut }),
      kept: z.number().int(),
      waiting: z.number().int(),
    }),
  }),
  list: endpoint({
    method: "GET",
    path: "/backtests",
    access: "user",
    limit: "api",
    summary: "The user's backtests, newest first, and what the best of them is worth.",
    input: z.strictObject({
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(50),
    }),
    output: z.object({
      backtests: z.array(backtestRowOut),
      /** By market and strategy, the one with most tries first. */
      overfit: z.array(overfitOut),
      pagination: z.object({ nextCursor: z.string().nullable(), limit: z.number().int() }),
    }),
  }),
  create: endpoint({
    method: "POST",
    path: "/backtests",
    access: "user",
    limit: "api",
    summary: "Queue a backtest. It runs in the worker, one of a person at a time.",
    input: z.strictObject({
      name: z
        .string()
        .trim()
        .max(BACKTEST_BOUNDS.name.max, `A name may have ${BACKTEST_BOUNDS.name.max} characters at most.`)
        .optional(),
      market,
      from: dateIn("From"),
      to: dateIn("To"),
      /** USD at the start */
      cash: z
        .number({ error: "Cash must be a number." })
        .min(BACKTEST_BOUNDS.cash.min, cashBounds)
        .max(BACKTEST_BOUNDS.cash.max, cashBounds)
        .pipe(moneyIn("Cash")),
      settings: settingsIn,
    }),
    output: backtestRowOut,
  }),
  read: endpoint({
    method: "GET",
    path: "/backtests/{id}",
    access: "user",
    limit: "api",
    summary: "One backtest with all its results.",
    input: z.strictObject({ id: idIn }),
    output: backtestOut,
  }),
  cancel: endpoint({
    method: "POST",
    path: "/backtests/{id}/cancel",
    access: "user",
    limit: "api",
    summary: "Cancel a backtest that is waiting or running.",
    input: z.strictObject({ id: idIn }),
    output: backtestRowOut,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/backtests/{id}",
    access: "user",
    limit: "api",
    summary:
      "Delete a backtest. One that finished still counts as a try in the overfit meter, and so do its runs with varied settings.",
    input: z.strictObject({ id: idIn }),
    output: z.object({ id: z.string() }),
  }),
};
