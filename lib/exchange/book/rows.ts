import { money, ZERO } from "../../domain/money.ts";
import type { AccountStatus } from "./types.ts";

export const GOOD_STANDING: AccountStatus = {
  status: "ACTIVE",
  tradingBlocked: false,
  transfersBlocked: false,
  accountBlocked: false,
  areKeysRevoked: false,
};

/** What an account is unless it is opened otherwise. */
export const NEW_ACCOUNT = {
  isMargin: false,
  isLegacy: false,
  paysFees: false,
  chargedThrough: null,
  lastMaintenance: ZERO,
  priorMaintenance: ZERO,
};

/** Exact decimals come back from text; the fields that hold them, by table. */
const MONEY_FIELDS: Record<string, string[]> = {
  accounts: ["cash", "lastEquity", "priorEquity", "deposit", "lastMaintenance", "priorMaintenance"],
  orders: [
    "qty",
    "notional",
    "limitPrice",
    "stopPrice",
    "trailPrice",
    "trailPercent",
    "hwm",
    "filledQty",
    "filledCost",
    "splitSince",
  ],
  positions: ["qty", "cost", "dayCost"],
  fills: ["qty", "price", "cumQty", "leavesQty", "costMoved"],
  equity: ["equity"],
};

/** What rows from before a field was added stand for. */
function defaultsOf(table: string, row: Record<string, unknown>): Record<string, unknown> {
  if (table === "accounts") {
    const { lastEquity: priorEquity, lastMaintenance: priorMaintenance = ZERO } = row;
    return { ...NEW_ACCOUNT, priorEquity, priorMaintenance, standing: GOOD_STANDING };
  }
  if (table === "fills") return { isOpening: row.side === "buy" };
  if (table !== "orders") return {};
  const intent = row.side === "buy" ? "buy_to_open" : "sell_to_close";
  return { trailPrice: null, trailPercent: null, hwm: null, failedAt: null, splitSince: "1", intent };
}

/** A stored row as it is held in memory. */
export function revived<T>(table: string, row: Record<string, unknown>): T {
  const result: Record<string, unknown> = { ...defaultsOf(table, row), ...row };
  for (const field of MONEY_FIELDS[table] ?? []) {
    const value = result[field];
    if (value !== null) result[field] = value === undefined ? ZERO : money(String(value));
  }
  return result as T;
}
