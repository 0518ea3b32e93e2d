import * as z from "zod";
import { EARNINGS_TIMES, MARKETS, SIDES, TRADE_STATUSES } from "@/lib/domain/enums.ts";
import { idIn, instantOut, moneyOut, ratioOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { environmentIn, environmentOut, environmentScopeOut } from "./environment.ts";
import { sentenceOut } from "./insight.ts";
import { positionOut } from "./portfolio.ts";
import { newsItemOut, reactionOut, seatEventOut, symbolIn, symbolScoreOut } from "./selectors.ts";
import { tripOut } from "./trades.ts";

const accountOut = z.object({ id: z.string(), name: z.string() });

const priceOut = {
  /** The newest known one; null where none is. */
  price: moneyOut.nullable(),
  /** market time; of a close the end of its session */
  priceAt: instantOut.nullable(),
  /** The session that it belongs to. */
  priceSession: z.iso.date().nullable(),
  /** Against the close of the session before the price's, splits taken out; null where that close is not known. */
  dayChange: z.object({ amount: moneyOut, percent: z.number().finite(), since: z.iso.date() }).nullable(),
};

const whatOut = {
  market: z.enum(MARKETS),
  symbol: z.string(),
  /** Null where no screening has named it. */
  name: z.string().nullable(),
  sector: z.string().nullable(),
  ...priceOut,
};

/** An order that was meant to trade, or that was filled. */
const symbolTradeOut = z.object({
  id: z.string(),
  accountId: z.string(),
  side: z.enum(SIDES),
  status: z.enum(TRADE_STATUSES),
  quantity: moneyOut.nullable(),
  filledQuantity: moneyOut,
  averagePrice: moneyOut.nullable(),
  totalValue: moneyOut,
  reason: z.string().nullable(),
  /** market time */
  at: instantOut,
});

const symbolTripOut = z.object({
  id: z.string(),
  accountId: z.string(),
  ...tripOut,
});

/** A stop or a target that rested at the broker, from when to when. */
const levelOut = z.object({
  /** Of its order. */
  id: z.string(),
  accountId: z.string(),
  kind: z.enum(["STOP", "TARGET"]),
  quantity: moneyOut.nullable(),
  price: moneyOut,
  /** market time */
  from: instantOut,
  /** Null while it rests. */
  to: instantOut.nullable(),
  /** A stop above every one before it in the same holding. */
  isRaised: z.boolean(),
  isFilled: z.boolean(),
});

/** What the caller did in it, newest first; of an account that was removed, too. */
const tradingOut = {
  trades: z.array(symbolTradeOut),
  trips: z.array(symbolTripOut),
  levels: z.array(levelOut),
};

/** Daily bars in columns, oldest first: prices in the basis of the last one, USD. */
const barsOut = z.object({
  sessions: z.array(z.iso.date()),
  open: z.array(z.number().finite()),
  high: z.array(z.number().finite()),
  low: z.array(z.number().finite()),
  close: z.array(z.number().finite()),
  volume: z.array(z.number().finite()),
  /** Null before there are enough bars. */
  sma50: z.array(ratioOut),
  sma200: z.array(ratioOut),
});

export const symbolsApi = {
  read: endpoint({
    method: "GET",
    path: "/symbols/{symbol}",
    access: "user",
    limit: "api",
    summary: "One symbol: price, score, news and earnings, what the user did in it, and why it is or is not held now.",
    input: z.strictObject({ symbol: symbolIn, ...environmentIn }),
    output: z.object({
      ...environmentScopeOut,
      ...whatOut,
      /** Why it is set aside; null when it is not. */
      quarantine: z.string().nullable(),
      /** Of each active account of the environment, oldest first; one sentence without accounts. */
      standings: z.array(
        z.object({
          account: accountOut.nullable(),
          isHeld: z.boolean(),
          /** Why it is or is not bought now, from the account's latest decision. */
          sentence: sentenceOut,
          decisionId: z.string().nullable(),
          /** Of 100, as that decision had it, and what it takes; null where it was not scored. */
          score: z.object({ value: z.number(), needed: z.number() }).nullable(),
        }),
      ),
      positions: z.array(positionOut),
      accounts: z.array(accountOut),
      ...tradingOut,
      /** Its row of the last selection; null when it has no seat. */
      seat: symbolScoreOut.shape.seat,
      /** The session of the last selection. */
      sessionDate: z.iso.date().nullable(),
      /** Oldest first. */
      scores: z.array(symbolScoreOut),
      /** Newest first. */
      events: z.array(seatEventOut),
      news: z.array(newsItemOut),
      earnings: z.object({
        /** A day, or the days between which it is expected by the reports of the year before; null where none is known. */
        next: z.object({ from: z.iso.date(), to: z.iso.date(), time: z.enum(EARNINGS_TIMES).nullable() }).nullable(),
        /** Mean size of past reactions, a fraction. */
        expectedMove: ratioOut,
        /** Newest first. */
        reactions: z.array(reactionOut),
      }),
    }),
  }),
  bars: endpoint({
    method: "GET",
    path: "/symbols/{symbol}/bars",
    access: "user",
    limit: "api",
    summary: "Daily bars of a symbol, two years at most, with its averages over 50 and 200 sessions.",
    input: z.strictObject({ symbol: symbolIn, ...environmentIn }),
    output: z.object({
      market: z.enum(MARKETS),
      symbol: z.string(),
      bars: barsOut,
      /** Within the bars: prices before such a session were divided by the ratio, new shares per old. */
      splits: z.array(z.object({ session: z.iso.date(), ratio: z.number().positive() })),
    }),
  }),
  position: endpoint({
    method: "GET",
    path: "/positions/{accountId}/{symbol}",
    access: "user",
    limit: "api",
    summary: "One open position: its price between stop and target, what is at risk, and what ends it.",
    input: z.strictObject({ accountId: idIn, symbol: symbolIn }),
    output: z.object({
      ...whatOut,
      environment: environmentOut,
      account: accountOut,
      position: positionOut,
      /** "Momentum"; null where Tradewind did not buy it. */
      strategyLabel: z.string().nullable(),
      /** Sessions since the one in which it was opened. */
      sessionsHeld: z.number().int().nonnegative(),
      /** Shares that a stop at the broker covers. */
      protectedQuantity: moneyOut,
      /** What its covered shares would lose from the price down to the stop; null without one of the two. */
      atRisk: moneyOut.nullable(),
      /** What the whole holding would have made or lost, sold at its stop, before fees; null where not all of it is covered. */
      pnlAtStop: moneyOut.nullable(),
      /** What sells it, the nearest first. */
      ends: z.array(
        z.object({
          kind: z.enum(["STOP", "TARGET", "CLOSE", "TIME", "REVIEW", "NOTE"]),
          text: z.string(),
          /** USD; null where no price ends it. */
          price: moneyOut.nullable(),
          date: z.iso.date().nullable(),
        }),
      ),
      ...tradingOut,
    }),
  }),
};
