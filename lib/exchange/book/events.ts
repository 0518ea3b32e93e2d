import { randomUUID } from "node:crypto";
import { ZERO } from "../../domain/money.ts";
import { accountOf, type ExchangeState } from "./state.ts";
import type { Fill, Order } from "./types.ts";
import { orderWire } from "./order-wire.ts";

function executionOf(state: ExchangeState, order: Order, fill: Fill): Record<string, string> {
  const position = accountOf(state, order.accountId).positions.get(order.symbol);
  return { price: fill.price.toFixed(), qty: fill.qty.toFixed(), position_qty: (position?.qty ?? ZERO).toFixed() };
}

/** Queues a trade_updates event; it leaves after the rows behind it are committed. */
export function emit(state: ExchangeState, order: Order, event: string, at: string, fill?: Fill): void {
  const data: Record<string, unknown> = {
    event,
    execution_id: fill?.id ?? randomUUID(),
    timestamp: at,
    order: orderWire(state, order, false),
    ...(fill !== undefined && executionOf(state, order, fill)),
  };
  state.journal.emit({ accountId: order.accountId, data });
}

/** Queues the event of an execution that was taken back or changed; it names the original execution. */
export function emitCorrection(
  state: ExchangeState,
  order: Order,
  event: "trade_bust" | "trade_correct",
  at: string,
  fill: Fill,
  previousId: string,
): void {
  const data = {
    event,
    execution_id: fill.id,
    previous_execution_id: previousId,
    timestamp: at,
    order: orderWire(state, order, false),
    ...executionOf(state, order, fill),
  };
  state.journal.emit({ accountId: order.accountId, data });
}
