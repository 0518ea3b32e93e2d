import { randomUUID } from "node:crypto";
import { holderOf, type Desk } from "./desk.ts";
import type { Fill, Order } from "./types.ts";
import { orderWire } from "./order-wire.ts";
import { ZERO } from "../../domain/money.ts";

/** Queues a trade_updates event; it leaves after the rows behind it are committed. */
export function emit(desk: Desk, order: Order, event: string, at: string, fill?: Fill): void {
  const data: Record<string, unknown> = {
    event,
    execution_id: fill?.id ?? randomUUID(),
    timestamp: at,
    order: orderWire(desk, order, false),
  };
  if (fill !== undefined) {
    data.price = fill.price.toFixed();
    data.qty = fill.qty.toFixed();
    data.position_qty = (holderOf(desk, order.accountId).positions.get(order.symbol)?.qty ?? ZERO).toFixed();
  }
  desk.journal.emit({ accountId: order.accountId, data });
}
