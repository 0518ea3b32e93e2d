import { randomUUID } from "node:crypto";
import { newYork } from "../../domain/time.ts";
import { addActivity, type Desk, takeSeq } from "./desk.ts";
import type { Fill, Order } from "./types.ts";

/** "20261008111018097::uuid": New York's reading of the time, then a random id. */
export function activityId(at: string): string {
  const { date, hour, minute, second } = newYork(`${at.slice(0, 23)}Z`);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${date.replaceAll("-", "")}${two(hour)}${two(minute)}${two(second)}${at.slice(20, 23)}::${randomUUID()}`;
}

export function recordFillActivity(desk: Desk, order: Order, fill: Fill): void {
  const isLast = fill.leavesQty.isZero();
  addActivity(desk, {
    accountId: order.accountId,
    seq: takeSeq(desk),
    date: newYork(`${fill.at.slice(0, 23)}Z`).date,
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
