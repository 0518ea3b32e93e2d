import * as z from "zod";
import { idIn, instantOut, moneyIn, moneyOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { symbolIn } from "./kill-switch.ts";

/** What the owner types to sell a position. */
export const sellPhrase = (symbol: string) => `SELL ${symbol}`;

/** Made by the caller: however often a request with one id is sent, it is done once. */
const request = {
  accountId: idIn,
  symbol: symbolIn,
  requestId: idIn,
  confirmation: z.string().trim().max(40),
};

const saleOut = z.object({
  requestId: z.string(),
  accountId: z.string(),
  symbol: z.string(),
  /** wall time */
  requestedAt: instantOut,
  /**
   * sent: the broker has the order; filled: all of it; ended: cancelled or expired, with what was filled until then; asking: whether the
   * broker has it is being found out; not_sent: no order came of it, `message` says why.
   */
  state: z.enum(["sent", "filled", "ended", "asking", "not_sent"]),
  /** Shares of the order; null where none was decided. */
  quantity: moneyOut.nullable(),
  filledQuantity: moneyOut,
  /** USD per share; null while nothing is filled */
  averagePrice: moneyOut.nullable(),
  /** The trade that it led to: /trades/{id}. */
  tradeId: z.string().nullable(),
  /** What became of it, in words. */
  message: z.string(),
});

export const positionsApi = {
  sell: endpoint({
    method: "POST",
    path: "/positions/{accountId}/{symbol}/sell",
    token: "STEER",
    // It gives money back to its owner and only reduces risk: no lost second factor may keep them from it.
    access: "user",
    limit: "api",
    perPerson: "manual-orders",
    summary:
      "Sell a position, or a part of it, at market: SELL and the symbol have to be typed. Its protective stop is cancelled first, and what is not sold gets one again. Passes every kill switch; refused while the market is closed.",
    input: z.strictObject({
      ...request,
      /** Whole shares; null for all that are held. */
      qty: z
        .number()
        .int("Enter whole shares.")
        .min(1, "Enter at least 1 share.")
        .max(1_000_000_000)
        .nullable()
        .optional(),
    }),
    output: saleOut,
  }),
  readSale: endpoint({
    method: "GET",
    path: "/positions/requests/{requestId}",
    access: "user",
    limit: "api",
    summary: "The outcome of a manual sale.",
    input: z.strictObject({ requestId: idIn }),
    output: saleOut,
  }),
  tightenStop: endpoint({
    method: "POST",
    path: "/positions/{accountId}/{symbol}/tighten-stop",
    token: "STEER",
    access: "user",
    limit: "api",
    perPerson: "manual-orders",
    summary:
      "Raise the stop that protects a position: the symbol has to be typed. Only upwards, and below the price; the position is covered at every step.",
    input: z.strictObject({
      ...request,
      /** USD */
      stopPrice: moneyIn("The stop"),
    }),
    output: z.object({
      requestId: z.string(),
      accountId: z.string(),
      symbol: z.string(),
      /** USD; the stop in force now. */
      stopPrice: moneyOut,
      /** USD; the one before. Null where the request was done before. */
      stopBefore: moneyOut.nullable(),
      message: z.string(),
    }),
  }),
};
