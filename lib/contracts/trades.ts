import * as z from "zod";
import {
  ACCOUNT_ENVIRONMENTS,
  ORDER_ORIGINS,
  ORDER_ROLES,
  REGIMES,
  SIDES,
  STRATEGY_NAMES,
  TRADE_STATUSES,
  TRIP_OUTCOMES,
} from "@/lib/domain/enums.ts";
import { idIn, instantOut, isDayOfOurs, moneyOut } from "./codecs.ts";
import { funnelOut, gateOut } from "./decisions.ts";
import { downloadOut } from "./download.ts";
import { endpoint } from "./endpoint.ts";
import { environmentIn, environmentOut, environmentScopeOut } from "./environment.ts";

const tradeOut = z.object({
  id: z.string(),
  symbol: z.string(),
  side: z.enum(SIDES),
  status: z.enum(TRADE_STATUSES),
  quantity: moneyOut.nullable(),
  filledQuantity: moneyOut,
  averagePrice: moneyOut.nullable(),
  totalValue: moneyOut,
  /** Why the order was sent, for people: "Momentum entry", "Protective stop"; null for orders that are not ours. */
  reason: z.string().nullable(),
  /** market time */
  createdAt: instantOut,
  account: z.object({
    id: z.string(),
    name: z.string(),
    environment: z.enum(ACCOUNT_ENVIRONMENTS),
    environmentLabel: environmentOut,
    user: z.object({ firstName: z.string(), lastName: z.string(), email: z.string() }),
  }),
});

const relatedOut = z.object({
  id: z.string(),
  role: z.enum(ORDER_ROLES),
  type: z.string(),
  side: z.enum(SIDES),
  status: tradeOut.shape.status,
  /** The broker's own word for it. */
  brokerStatus: z.string(),
  quantity: moneyOut.nullable(),
  filledQuantity: moneyOut,
  averagePrice: moneyOut.nullable(),
  limitPrice: moneyOut.nullable(),
  stopPrice: moneyOut.nullable(),
});

/** A protective order beside the entry that it belongs to. */
const legOut = relatedOut.extend({
  /** A stop above every one before it. */
  isRaised: z.boolean(),
  /** market time */
  submittedAt: instantOut,
});

/** A round trip, flat to flat, as far as it is done. */
export const tripOut = {
  openedAt: instantOut,
  closedAt: instantOut.nullable(),
  quantityBought: moneyOut,
  quantitySold: moneyOut,
  entryValue: moneyOut,
  exitValue: moneyOut,
  fees: moneyOut,
  /** Realised so far, after the fees of its fills; regulatory fees are booked by day and are not in it. */
  pnl: moneyOut,
  outcome: z.enum(TRIP_OUTCOMES).nullable(),
  entryReason: z.string().nullable(),
  exitReason: z.string().nullable(),
};

const tradeRowOut = tradeOut.extend({
  /** After fees: of the round trip that this trade closed; null of every other trade. */
  tripPnl: moneyOut.nullable(),
  /** The protective orders of a purchase, oldest first, the newest of them at most; empty of every other trade. */
  protection: z.array(legOut),
});

const blankIsAbsent = (value: unknown) => (value === "" ? undefined : value);

const day = z.preprocess(
  blankIsAbsent,
  z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], "Enter a date such as 2026-11-21.")
    .refine(isDayOfOurs, "Enter a date such as 2026-11-21.")
    .optional(),
);

/** What the list is narrowed by and the order it stands in; the file of the export takes the same. */
const tradeFilter = z.strictObject({
  ...environmentIn,
  symbol: z.preprocess(
    blankIsAbsent,
    z.string().trim().toUpperCase().max(10, "A symbol has 10 characters at most.").optional(),
  ),
  side: z.preprocess(blankIsAbsent, z.enum(SIDES).optional()),
  status: z.preprocess(blankIsAbsent, z.enum(TRADE_STATUSES).optional()),
  /** A date (New York) or an instant. */
  startDate: day,
  endDate: day,
  sort: z.enum(["date", "symbol", "quantity", "price", "total"]).default("date"),
  direction: z.enum(["asc", "desc"]).default("desc"),
});

const tradeQuery = tradeFilter.extend({
  /** As the page before gave it, with the same filters and in the same order. */
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

const tradePage = z.object({
  ...environmentScopeOut,
  trades: z.array(tradeRowOut),
  /** Over all trades that match the filters, not only this page. */
  summary: z.object({
    totalTrades: z.number().int(),
    filledTrades: z.number().int(),
    winningTrades: z.number().int(),
    losingTrades: z.number().int(),
    totalVolume: moneyOut,
    averageTradeSize: moneyOut,
  }),
  pagination: z.object({ nextCursor: z.string().nullable(), limit: z.number().int(), total: z.number().int() }),
});

const score = z.number().finite().nullable();

/** One side of the story of a trade, in market time; null where no market time is known. */
const stepOut = z.object({
  kind: z.enum(["decided", "gated", "submitted", "accepted", "filled", "ended", "closed"]),
  title: z.string(),
  detail: z.string().nullable(),
  at: instantOut.nullable(),
  /** What went wrong stands out. */
  isBad: z.boolean(),
});

const tradeDetail = tradeOut.extend({
  /** False for an administrator who looks at another user's trade: their decision is closed to them. */
  isOwn: z.boolean(),
  order: z.object({
    /** EXTERNAL: placed at the broker by another client, so nothing here decided it. */
    origin: z.enum(ORDER_ORIGINS),
    role: relatedOut.shape.role,
    orderClass: z.string(),
    type: z.string(),
    timeInForce: z.string(),
    notional: moneyOut.nullable(),
    limitPrice: moneyOut.nullable(),
    stopPrice: moneyOut.nullable(),
    brokerOrderId: z.string(),
    clientOrderId: z.string(),
    brokerStatus: z.string(),
    submittedAt: instantOut,
    filledAt: instantOut.nullable(),
    endedAt: instantOut.nullable(),
    /** USD, over all fills. */
    fees: moneyOut,
  }),
  /** Why it was sent; null for an order that is not ours. */
  intent: z
    .object({
      purpose: z.string(),
      strategy: z.enum(STRATEGY_NAMES).nullable(),
      quantity: moneyOut,
      decisionPrice: moneyOut,
      takeProfitPrice: moneyOut.nullable(),
      stopLossPrice: moneyOut.nullable(),
      decidedAt: instantOut,
      policyVersion: z.string().nullable(),
    })
    .nullable(),
  /** The decision of the account it came from; null for a rotation's leg and for orders that are not ours. */
  decision: z
    .object({
      id: z.string(),
      line: z.string(),
      funnel: funnelOut,
      decidedAt: instantOut,
      engineVersion: z.string(),
      policyVersion: z.string(),
      regime: z.enum(REGIMES),
      /** The symbol as the decision saw it; null when it had no seat. */
      scores: z
        .object({
          rank: z.number().int(),
          composite: score,
          technical: score,
          liquidity: score,
          sentiment: score,
          momentum: score,
        })
        .nullable(),
      confidence: score,
    })
    .nullable(),
  /** The rotation plan it is a leg of. */
  rotationPlanId: z.string().nullable(),
  /** The gates as they stood when it was decided (T1) and again just before it was sent (T2). */
  verdicts: z.array(
    z.object({
      phase: z.enum(["T1", "T2"]),
      passed: z.boolean(),
      policyVersion: z.string(),
      at: instantOut,
      gates: z.array(gateOut),
    }),
  ),
  timeline: z.array(stepOut),
  fills: z.array(
    z.object({ id: z.string(), at: instantOut, quantity: moneyOut, price: moneyOut, value: moneyOut, fees: moneyOut }),
  ),
  /** Against the decision price; positive is worse for the account. Null with the reason. */
  slippage: z.object({ bps: z.number().finite(), usd: moneyOut }).nullable(),
  slippageReason: z.string().nullable(),
  /** The round trip, flat to flat, that it belongs to. */
  trip: z
    .object({
      ...tripOut,
      trades: z.array(relatedOut.extend({ tradedAt: instantOut })),
    })
    .nullable(),
  /** First lots first: of a sale, the lots that it closed; of a purchase, what became of its lots. */
  lots: z.array(
    z.object({
      id: z.string(),
      openedAt: instantOut,
      closedAt: instantOut,
      quantity: moneyOut,
      cost: moneyOut,
      proceeds: moneyOut,
      fees: moneyOut,
      realizedPnl: moneyOut,
      /** The trade at the other end. */
      tradeId: z.string().nullable(),
    }),
  ),
  /** What the fills of this trade have realised in closed lots, after the fees of its fills; regulatory fees are booked by day and are not in it. */
  realizedPnl: moneyOut,
  /** The entry that a protective order belongs to. */
  parent: relatedOut.nullable(),
  /** The protective orders of an entry, oldest first; of a protective order the other half of its pair. */
  legs: z.array(legOut),
});

export const tradesApi = {
  list: endpoint({
    method: "GET",
    path: "/trades",
    access: "user",
    limit: "api",
    summary: "The user's own trades of one environment, newest first unless sorted otherwise.",
    input: tradeQuery,
    output: tradePage,
  }),
  listAll: endpoint({
    method: "GET",
    path: "/admin/all-trades",
    access: "admin",
    limit: "admin",
    summary: "All users' trades of one environment, newest first unless sorted otherwise.",
    input: tradeQuery,
    output: tradePage,
  }),
  export: endpoint({
    method: "GET",
    path: "/trades/export",
    stepUp: true,
    access: "user",
    limit: "export",
    summary:
      "The user's own trades of one environment as they are filtered and sorted, all of them, as CSV. One export at a time.",
    input: tradeFilter,
    output: downloadOut,
    downloadType: "text/csv; charset=utf-8",
  }),
  exportAll: endpoint({
    method: "GET",
    path: "/admin/all-trades/export",
    stepUp: true,
    access: "admin",
    limit: "export",
    summary: "All users' trades of one environment as they are filtered and sorted, as CSV. One export at a time.",
    input: tradeFilter,
    output: downloadOut,
    downloadType: "text/csv; charset=utf-8",
  }),
  read: endpoint({
    method: "GET",
    path: "/trades/{id}",
    access: "user",
    limit: "api",
    summary: "One of the user's trades: why it was made, its gates, fills, slippage, lots and round trip.",
    input: z.strictObject({ id: idIn }),
    output: tradeDetail,
  }),
  readAny: endpoint({
    method: "GET",
    path: "/admin/all-trades/{id}",
    access: "admin",
    limit: "admin",
    summary: "Any user's trade.",
    input: z.strictObject({ id: idIn }),
    output: tradeDetail,
  }),
};
