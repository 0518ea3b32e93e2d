import * as z from "zod";
import { STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { instantOut, moneyOut, ratioOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { environmentIn, environmentOut, environmentScopeOut } from "./environment.ts";

export const positionOut = z.object({
  symbol: z.string(),
  quantity: moneyOut,
  averagePrice: moneyOut,
  currentPrice: moneyOut.nullable(),
  marketValue: moneyOut.nullable(),
  unrealizedPnL: moneyOut.nullable(),
  /** percent */
  unrealizedPnLPercent: ratioOut,
  stopPrice: moneyOut.nullable(),
  targetPrice: moneyOut.nullable(),
  /** percent from the price to the stop and to the target; null where one of the two is unknown */
  stopDistancePercent: ratioOut,
  targetDistancePercent: ratioOut,
  strategy: z.enum(STRATEGY_NAMES).nullable(),
  /** market time */
  openedAt: instantOut,
  accountId: z.string(),
  environmentLabel: environmentOut,
});

export const portfolioApi = {
  summary: endpoint({
    method: "GET",
    path: "/portfolio/summary",
    access: "user",
    limit: "api",
    summary: "Portfolio figures over the user's active accounts of one environment.",
    input: z.strictObject(environmentIn),
    output: z.object({
      ...environmentScopeOut,
      totalValue: moneyOut,
      totalPnL: moneyOut,
      /** percent of net deposits; null without deposits */
      totalPnLPercent: ratioOut,
      pnlDay: moneyOut,
      pnlWeek: moneyOut,
      pnlMonth: moneyOut,
      pnlTotal: moneyOut,
      /** The part of `pnlTotal` since the accounts were added: `totalValue` less this continues the equity line's `netDeposits`. */
      pnlSinceAdded: moneyOut,
      cash: moneyOut,
      buyingPower: moneyOut,
      dayTradeCount: z.number().int(),
      positions: z.array(positionOut),
      /**
       * The active accounts of the environment. One that was never read at its broker is not in the sums, one that was not read on the
       * newest day of the others is not in `pnlDay`, and one that was not read in the week or month before it neither in theirs.
       */
      accounts: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          isInSums: z.boolean(),
          isInDay: z.boolean(),
          isInWeek: z.boolean(),
          isInMonth: z.boolean(),
        }),
      ),
      /** Market time of the oldest reading in the sums; null without accounts. */
      asOf: instantOut.nullable(),
    }),
  }),
  positions: endpoint({
    method: "GET",
    path: "/portfolio/positions",
    access: "user",
    limit: "api",
    summary: "Open positions of one environment, which each of them names, largest first.",
    input: z.strictObject(environmentIn),
    output: z.array(positionOut),
  }),
  positionLines: endpoint({
    method: "GET",
    path: "/portfolio/position-lines",
    access: "user",
    limit: "api",
    summary: "The price of each open position of one environment at the closes since it was opened.",
    input: z.strictObject(environmentIn),
    output: z.object({
      ...environmentScopeOut,
      lines: z.array(
        z.object({
          accountId: z.string(),
          symbol: z.string(),
          /** USD a share in today's split basis, oldest first: the closes of the sessions before the account's latest reading. */
          closes: z.array(z.number().finite()),
        }),
      ),
    }),
  }),
  equity: endpoint({
    method: "GET",
    path: "/portfolio/equity",
    access: "user",
    limit: "api",
    summary: "The equity line of one environment: closing points of past sessions and the running session's points.",
    input: z.strictObject(environmentIn),
    output: z.object({
      ...environmentScopeOut,
      points: z.array(z.object({ at: instantOut, equity: moneyOut, netDeposits: moneyOut })),
      /** SPY's closes of the same sessions, USD, price only; the latest ones may not be known yet. */
      benchmark: z.array(z.object({ at: instantOut, value: z.number().finite() })),
    }),
  }),
};
