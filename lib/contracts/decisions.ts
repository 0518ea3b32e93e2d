import * as z from "zod";
import { INTENT_STATUSES, MARKETS, REGIMES, SIDES, STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { dayIn, idIn, instantOut, moneyOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { environmentIn, environmentOut, environmentScopeOut } from "./environment.ts";

export const gateOut = z.object({
  code: z.string(),
  /** What refused, in a word: "keys missing". */
  word: z.string(),
  /** What it asks about, where it says whether it passed: "broker keys". */
  name: z.string(),
  /** What it asks, for people: one sentence. */
  text: z.string(),
  passed: z.boolean(),
  /** Warnings never stop an order. */
  isWarning: z.boolean(),
  /** Distance to the line in the gate's own unit: ≥ 0 passes; null when evidence is missing. */
  margin: z.number().finite().nullable(),
  /** The distance in words, with its unit: "$2,331.25", "3 sessions"; null where the gate says only yes or no. */
  marginText: z.string().nullable(),
  /** In words with numbers: "11 of 10 positions". */
  detail: z.string(),
  /** Of a gate that passed: 0 at its line, 1 far from it; null where it has no distance. */
  closeness: z.number().min(0).max(1).nullable(),
});

/** How many were left at each step of a decision. */
export const funnelOut = z.object({
  screened: z.number().int(),
  seated: z.number().int(),
  signals: z.number().int(),
  /** Orders to buy. */
  entries: z.number().int(),
  /** Of those, the ones of which something was filled. */
  bought: z.number().int(),
});

export const candidateOut = z.object({
  symbol: z.string(),
  name: z.string().nullable(),
  sector: z.string().nullable(),
  /** Place in the Top-50; null for a symbol that is only held. */
  rank: z.number().int().nullable(),
  /** Scores 0 … 100; null where the source was unavailable. */
  composite: z.number().finite().nullable(),
  technical: z.number().finite().nullable(),
  liquidity: z.number().finite().nullable(),
  sentiment: z.number().finite().nullable(),
  hasSignal: z.boolean(),
  noSignal: z.string().nullable(),
  confidence: z.number().finite().nullable(),
  gates: z.array(gateOut),
  /** Codes of the gates that refused, in order. */
  failing: z.array(z.string()),
  /** "needs +3.2 composite"; null when the candidate passed. */
  nearestFlip: z.string().nullable(),
  /** What is missing at each gate that refused, in what a person can watch. */
  missing: z.array(z.object({ code: z.string(), text: z.string() })),
  size: z.object({ quantity: moneyOut, notional: moneyOut, boundBy: z.string() }).nullable(),
  /** The trade that it led to; null when none. */
  tradeId: z.string().nullable(),
  /** Whether something of that trade was filled. */
  isBought: z.boolean(),
});

/** What came of one decision. */
export const decisionOutcome = {
  id: z.string(),
  /** market time */
  decidedAt: instantOut,
  ...funnelOut.shape,
  /** All orders, sales and stops among them. */
  orders: z.number().int(),
  /** Why it bought no more, in words, the most first: "26 stocks wait for a calmer market". */
  reasons: z.array(z.string()),
};

/** One decision of one account in one cycle, as a row of a list. */
export const decisionRowOut = z.object({
  ...decisionOutcome,
  cycleId: z.string(),
  account: z.object({ id: z.string(), name: z.string(), environmentLabel: environmentOut }),
  /** "10:05: 503 screened, 50 seated, 7 signals, 0 orders: 4 sector, 3 earnings" */
  line: z.string(),
});

export const decisionsApi = {
  list: endpoint({
    method: "GET",
    path: "/decisions",
    access: "user",
    limit: "api",
    summary: "What the automation decided for the user's accounts of one environment, newest first.",
    input: z.strictObject({
      ...environmentIn,
      /** Without an environment, the account's own is meant. */
      accountId: idIn.optional(),
      /** True leaves out decisions that ordered nothing. */
      hasOrders: z.enum(["true", "false"]).optional(),
      /** New York date of market time. */
      date: dayIn("Enter a date such as 2026-11-21.").optional(),
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(50),
    }),
    output: z.object({
      ...environmentScopeOut,
      decisions: z.array(decisionRowOut),
      pagination: z.object({ nextCursor: z.string().nullable(), limit: z.number().int() }),
      /** For how many days a decision that ordered nothing is kept; null: for good. */
      keptDays: z.number().int().nullable(),
    }),
  }),
  read: endpoint({
    method: "GET",
    path: "/decisions/{id}",
    access: "user",
    limit: "api",
    summary: "One decision: every candidate with its gates, margins and nearest flip, and what was ordered.",
    input: z.strictObject({ id: idIn }),
    output: decisionRowOut.extend({
      engineVersion: z.string(),
      policyVersion: z.string(),
      inputHash: z.string(),
      outputHash: z.string(),
      market: z.enum(MARKETS),
      sessionDate: z.iso.date(),
      regime: z.object({
        label: z.enum(REGIMES),
        vix: z.number().finite().nullable(),
        votes: z.number().int(),
      }),
      /** The account as the decision saw it. */
      account: decisionRowOut.shape.account.extend({
        equity: moneyOut,
        cash: moneyOut,
        buyingPower: moneyOut,
        positions: z.number().int(),
        strategy: z.enum(STRATEGY_NAMES),
        automationOff: z.string().nullable(),
        killState: z.string(),
        haltReason: z.string().nullable(),
      }),
      /** Stocks fit to be ranked: with enough history, price and trading. */
      eligible: z.number().int(),
      candidates: z.array(candidateOut),
      /** The symbols that it came nearest to buying, nearest first. */
      closest: z.array(z.string()),
      /** The stocks that it did not buy, by the first reason. */
      groups: z.array(z.object({ code: z.string().nullable(), text: z.string(), symbols: z.array(z.string()) })),
      /** Exits, trims and protective orders of the plan beside the entries. */
      ordered: z.array(
        z.object({
          leg: z.number().int(),
          purpose: z.string(),
          symbol: z.string(),
          side: z.enum(SIDES),
          quantity: moneyOut,
          decisionPrice: moneyOut,
          reason: z.string(),
          /** Of the latest attempt to send it; null before the first. */
          status: z.enum(INTENT_STATUSES).nullable(),
          /** Null until the broker's answer is recorded. */
          tradeId: z.string().nullable(),
        }),
      ),
    }),
  }),
  recompute: endpoint({
    method: "POST",
    path: "/decisions/{id}/recompute",
    access: "user",
    limit: "api",
    perPerson: "recomputations",
    summary: "Decides again on the recorded input and compares with the record, byte for byte.",
    input: z.strictObject({ id: idIn }),
    output: z.object({
      isIdentical: z.boolean(),
      /** Why it could not be made again, in words; null when it was. */
      refusal: z.string().nullable(),
      differences: z.array(z.object({ path: z.string(), recorded: z.string(), recomputed: z.string() })),
      engineVersion: z.string(),
      outputHash: z.string(),
      durationMs: z.number().int(),
    }),
  }),
};
