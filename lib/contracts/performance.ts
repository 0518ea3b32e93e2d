import * as z from "zod";
import { REGIMES, SIDES, STRATEGY_NAMES, TRIP_OUTCOMES } from "@/lib/domain/enums.ts";
import { dayIn, instantOut, moneyOut, ratioOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { environmentIn, environmentScopeOut } from "./environment.ts";

const sessionIn = dayIn("Enter a date such as 2026-11-21.").optional();

const period = {
  ...environmentIn,
  /** First and last New York date of market time, both included. */
  from: sessionIn,
  to: sessionIn,
};

const tripOut = z.object({
  id: z.string(),
  symbol: z.string(),
  strategy: z.string().nullable(),
  regime: z.string().nullable(),
  /** market time */
  openedAt: instantOut,
  closedAt: instantOut,
  quantity: moneyOut,
  entryValue: moneyOut,
  exitValue: moneyOut,
  fees: moneyOut,
  /** After fees. */
  pnl: moneyOut,
  /** Of the entry value. */
  pnlFraction: ratioOut,
  outcome: z.enum(TRIP_OUTCOMES),
  /** In words: "Profit target"; null for trips that orders from outside closed. */
  exitReason: z.string().nullable(),
  account: z.object({ id: z.string(), name: z.string() }),
  /** The trades that opened and closed it; null where a fill carries another symbol since. */
  entryTradeId: z.string().nullable(),
  exitTradeId: z.string().nullable(),
});

/** `spy`: its total return over the same sessions; null where it is not known. */
const monthOut = z.object({ month: z.number().int(), value: ratioOut, spy: ratioOut });

const groupOut = z.object({
  /** As the list of round trips takes it; "none" where nothing is recorded. */
  key: z.string(),
  name: z.string(),
  trips: z.number().int(),
  wins: z.number().int(),
  losses: z.number().int(),
  winRate: ratioOut,
  profitFactor: ratioOut,
  pnl: moneyOut,
});

const tradedOut = z.object({ orders: z.number().int(), value: moneyOut });
const weekTripOut = z.object({ symbol: z.string(), pnl: moneyOut, reason: z.string().nullable() }).nullable();

const weekOut = {
  monday: z.iso.date(),
  friday: z.iso.date(),
  /** Mondays of the weeks beside it that can hold anything. */
  previous: z.iso.date().nullable(),
  next: z.iso.date().nullable(),
  /** True until its last session has closed. */
  isRunning: z.boolean(),
  /** Market time of the oldest reading in the sums; null before there is one. */
  asOf: instantOut.nullable(),
  headline: z.array(z.object({ text: z.string(), isAmount: z.boolean() })),
  /** As in the mail of the week; null where nothing was read of the accounts until its end. */
  figures: z
    .object({
      equityStart: moneyOut.nullable(),
      equityEnd: moneyOut,
      netDeposits: moneyOut,
      pnl: moneyOut,
      realizedPnl: moneyOut,
      /** Time-weighted return, and SPY's with dividends over the same sessions: fractions. */
      value: ratioOut,
      spy: ratioOut,
      bought: tradedOut,
      sold: tradedOut,
      fees: moneyOut,
      wins: z.number().int(),
      losses: z.number().int(),
      scratches: z.number().int(),
      best: weekTripOut,
      worst: weekTripOut,
      exits: z.array(z.object({ reason: z.string(), count: z.number().int(), pnl: moneyOut })),
      /** `at` is wall time. */
      halts: z.array(z.object({ at: instantOut, account: z.string(), reason: z.string() })),
      /** What of the result lies between the closes of its sessions and the readings at its ends. */
      besideSessions: moneyOut,
    })
    .nullable(),
  sessions: z.array(
    z.object({
      session: z.iso.date(),
      /** Null where it has no result: before the accounts, or still to come. */
      pnl: moneyOut.nullable(),
      value: ratioOut,
      regime: z.enum(REGIMES).nullable(),
    }),
  ),
  /** Latest exit first, at most 200; `moreTrips` were left out. */
  trips: z.array(tripOut),
  moreTrips: z.number().int(),
  /** What was held when the week ended, or is held now. */
  held: z.array(
    z.object({
      symbol: z.string(),
      account: z.object({ id: z.string(), name: z.string() }),
      /** market time */
      openedAt: instantOut,
      /** Null where a split changed the shares since. */
      quantity: moneyOut.nullable(),
      /** Mean price paid, USD a share. */
      paid: moneyOut.nullable(),
      /** Of the lowest stop that rested then, USD a share. */
      stop: moneyOut.nullable(),
      /** What its stops would have realised against what was paid. */
      atStop: moneyOut.nullable(),
      /** False once it was sold. */
      isOpen: z.boolean(),
    }),
  ),
  /** Sum of `atStop`; `unknown` positions are not in it. */
  risk: z.object({ atStops: moneyOut, unknown: z.number().int() }),
  /** Null where decisions of the week that ordered nothing are no longer kept. */
  refusals: z
    .object({
      decisions: z.number().int(),
      groups: z.array(z.object({ code: z.string(), text: z.string(), decisions: z.number().int() })),
    })
    .nullable(),
};

export const performanceApi = {
  read: endpoint({
    method: "GET",
    path: "/performance",
    access: "user",
    limit: "api",
    summary:
      "The figures of the metric registry for one environment, with the statement that reconciles them to equity.",
    input: z.strictObject(period),
    output: z.object({
      ...environmentScopeOut,
      /** How many were read at their brokers: the figures are of these. */
      accounts: z.number().int(),
      /** Market time of the oldest reading in the sums; null before there is one. */
      asOf: instantOut.nullable(),
      /** New York day of the latest reading: a month back is one from there. */
      newestDay: z.iso.date().nullable(),
      /** First and last closed session of the period, and how many; null without one. */
      firstSession: z.iso.date().nullable(),
      lastSession: z.iso.date().nullable(),
      sessions: z.number().int(),
      equity: moneyOut.nullable(),
      /**
       * What the accounts had made before they were added, where the period begins with them: a part of the statement and of the
       * dashboard's Total, and of no figure here.
       */
      earnedBefore: moneyOut,
      /** By id of the metric registry; a value that is not defined is null and says why. */
      figures: z.array(z.object({ id: z.string(), value: ratioOut, reason: z.string().nullable() })),
      /** The account and SPY over the same sessions to the same end; null where no end is known of both. */
      comparison: z
        .object({
          /** Time-weighted return of the account, and total return of SPY: fractions. */
          value: z.number().finite(),
          spy: z.number().finite(),
          /** Both begin with the close before the first session and end with the last one. */
          firstSession: z.iso.date(),
          /** The account itself begins with its first reading or deposit, not with that close. */
          hasOwnStart: z.boolean(),
          lastSession: z.iso.date(),
          /** Market time of the end inside the last session; null at its close. */
          at: instantOut.nullable(),
        })
        .nullable(),
      trips: z.object({
        total: z.number().int(),
        wins: z.number().int(),
        losses: z.number().int(),
        scratches: z.number().int(),
      }),
      /** The maximum drawdown's dates: null without one; `peak` null when it began at the start. */
      fall: z
        .object({ peak: z.iso.date().nullable(), trough: z.iso.date(), recovered: z.iso.date().nullable() })
        .nullable(),
      /** Each session's result, the oldest first; together they are the P&L of the period. */
      days: z.array(
        z.object({
          session: z.iso.date(),
          /** At its end; of the running session, now. */
          equity: moneyOut,
          /** Deposits less withdrawals; of the first session of all, what the accounts began with. */
          flow: moneyOut,
          pnl: moneyOut,
          value: ratioOut,
        }),
      ),
      years: z.array(monthOut.omit({ month: true }).extend({ year: z.number().int(), months: z.array(monthOut) })),
      byExit: z.array(groupOut),
      byStrategy: z.array(groupOut),
      byRegime: z.array(groupOut),
      /** Largest P&L first; of many symbols the ends. `symbols` is how many there are. */
      bySymbol: z.array(groupOut),
      symbols: z.number().int(),
      bySector: z.array(groupOut),
      /** Round trips by P&L over entry value: each from `from` on and below `to`, in fractions; null without an end. */
      distribution: z.array(
        z.object({ from: z.number().nullable(), to: z.number().nullable(), trips: z.number().int() }),
      ),
      /** Open positions now by sector, largest first, whatever the period; `share` of equity. */
      exposure: z.array(z.object({ sector: z.string(), value: moneyOut, share: ratioOut })),
      best: z.array(tripOut),
      worst: z.array(tripOut),
      /** Since the beginning, whatever the period: the amounts add up to equity, to the cent. */
      statement: z
        .object({
          deposits: moneyOut,
          realized: moneyOut,
          unrealized: moneyOut,
          dividends: moneyOut,
          fees: moneyOut,
          /** What was booked since the broker's last reading; zero otherwise. */
          unread: moneyOut,
          equity: moneyOut,
          /** Crypto or options were traded: their result, by sales as by value, is a part of `unrealized`. */
          hasOtherAssets: z.boolean(),
        })
        .nullable(),
    }),
  }),
  trips: endpoint({
    method: "GET",
    path: "/performance/trips",
    access: "user",
    limit: "api",
    summary: "Closed round trips of one environment, latest exit first.",
    input: z.strictObject({
      ...period,
      outcome: z.enum(TRIP_OUTCOMES).optional(),
      strategy: z.enum([...STRATEGY_NAMES, "none"]).optional(),
      regime: z.enum([...REGIMES, "none"]).optional(),
      exit: z.string().max(60).optional(),
      symbol: z.string().max(12).optional(),
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    output: z.object({
      ...environmentScopeOut,
      trips: z.array(tripOut),
      pagination: z.object({ nextCursor: z.string().nullable(), limit: z.number().int() }),
    }),
  }),
  weeks: endpoint({
    method: "GET",
    path: "/performance/weeks",
    access: "user",
    limit: "api",
    summary: "Weeks of one environment in which a session ended or runs, newest first, each with its result.",
    input: z.strictObject({
      ...environmentIn,
      /** Only weeks before the one that this date lies in. */
      before: sessionIn,
      limit: z.coerce.number().int().min(1).max(60).default(12),
    }),
    output: z.object({
      ...environmentScopeOut,
      weeks: z.array(
        z.object({
          monday: z.iso.date(),
          /** Sessions that ended or run. */
          sessions: z.number().int(),
          pnl: moneyOut,
          /** Time-weighted return, fraction. */
          value: ratioOut,
          isRunning: z.boolean(),
        }),
      ),
      hasMore: z.boolean(),
    }),
  }),
  week: endpoint({
    method: "GET",
    path: "/performance/weeks/{week}",
    access: "user",
    limit: "api",
    summary: "A week of one environment: its result beside SPY, sessions, round trips, holdings and refusals.",
    input: z.strictObject({
      ...environmentIn,
      /** Its Monday, or any other date of it. */
      week: dayIn("Enter a date of the week such as 2026-11-16."),
    }),
    output: z.object({ ...environmentScopeOut, ...weekOut }),
  }),
  markers: endpoint({
    method: "GET",
    path: "/performance/markers",
    access: "user",
    limit: "api",
    summary: "Filled orders of one environment as marks on its equity line, oldest first; at most the latest 1,000.",
    input: z.strictObject(period),
    output: z.object({
      ...environmentScopeOut,
      markers: z.array(
        z.object({
          /** market time */
          at: instantOut,
          side: z.enum(SIDES),
          symbol: z.string(),
          tradeId: z.string(),
          price: moneyOut,
        }),
      ),
    }),
  }),
};
