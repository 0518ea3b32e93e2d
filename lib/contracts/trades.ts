import * as z from "zod";
import { instantOut, moneyOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";

export const tradeOut = z.object({
  id: z.string(),
  symbol: z.string(),
  side: z.enum(["BUY", "SELL"]),
  status: z.enum(["FILLED", "PENDING", "CANCELLED", "REJECTED"]),
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
    name: z.string().nullable(),
    environment: z.enum(["PAPER", "LIVE"]),
    environmentLabel: z.enum(["PRACTICE", "PAPER", "LIVE"]),
    user: z.object({ firstName: z.string(), lastName: z.string(), email: z.string() }),
  }),
});

const blankIsAbsent = (value: unknown) => (value === "" ? undefined : value);

export const tradeQuery = z.strictObject({
  symbol: z.preprocess(
    blankIsAbsent,
    z.string().trim().toUpperCase().max(10, "A symbol has 10 characters at most.").optional(),
  ),
  side: z.preprocess(blankIsAbsent, z.enum(["BUY", "SELL"]).optional()),
  status: z.preprocess(blankIsAbsent, z.enum(["FILLED", "PENDING", "CANCELLED", "REJECTED"]).optional()),
  /** A date (New York) or an instant. */
  startDate: z.preprocess(
    blankIsAbsent,
    z.union([z.iso.date(), z.iso.datetime({ offset: true })], "Enter a date such as 2026-11-21.").optional(),
  ),
  endDate: z.preprocess(
    blankIsAbsent,
    z.union([z.iso.date(), z.iso.datetime({ offset: true })], "Enter a date such as 2026-11-21.").optional(),
  ),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

export const tradePage = z.object({
  trades: z.array(tradeOut),
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

export const tradesApi = {
  list: endpoint({
    method: "GET",
    path: "/trades",
    access: "user",
    limit: "api",
    summary: "The user's own trades, newest first.",
    input: tradeQuery,
    output: tradePage,
  }),
  listAll: endpoint({
    method: "GET",
    path: "/admin/all-trades",
    access: "admin",
    limit: "admin",
    summary: "All users' trades, newest first.",
    input: tradeQuery,
    output: tradePage,
  }),
};
