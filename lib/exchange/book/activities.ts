import { randomUUID } from "node:crypto";
import { newYork, type SessionDate } from "../../domain/time.ts";
import { addActivity, type ExchangeState, takeSeq } from "./state.ts";
import type { Fill, Order } from "./types.ts";

/** "20261008111018097::uuid": New York's reading of the time, then a random id. */
export function activityId(at: string): string {
  const { date, hour, minute, second } = newYork(`${at.slice(0, 23)}Z`);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${date.replaceAll("-", "")}${two(hour)}${two(minute)}${two(second)}${at.slice(20, 23)}::${randomUUID()}`;
}

/** Adds a line that is no trade: a deposit, a dividend, a fee, a corporate action. */
export function newActivity(
  state: ExchangeState,
  accountId: string,
  date: SessionDate,
  wire: { activity_type: string; net_amount: string } & Record<string, string>,
): void {
  const at = state.stamp();
  addActivity(state, {
    accountId,
    seq: takeSeq(state),
    date,
    wire: { id: activityId(at), date, status: "executed", ...wire, created_at: at },
  });
}

export function recordFillActivity(state: ExchangeState, order: Order, fill: Fill): void {
  const isLast = fill.leavesQty.isZero();
  addActivity(state, {
    accountId: order.accountId,
    seq: takeSeq(state),
    date: newYork(`${fill.at.slice(0, 23)}Z`).date,
    executionId: fill.id,
    wire: {
      id: activityId(fill.at),
      activity_type: "FILL",
      transaction_time: fill.at,
      type: isLast ? "fill" : "partial_fill",
      price: fill.price.toFixed(),
      qty: fill.qty.toFixed(),
      side: fill.side,
      symbol: fill.symbol,
      leaves_qty: fill.leavesQty.toFixed(),
      order_id: order.id,
      cum_qty: fill.cumQty.toFixed(),
      order_status: isLast ? "filled" : "partially_filled",
    },
  });
}
