import type { Money } from "../../domain/money.ts";
import type { ExchangeState } from "./state.ts";
import type { Order } from "./types.ts";

function decimal(value: Money | null): string | null {
  return value === null ? null : value.toFixed();
}

/** An order as the broker reports it. */
export function orderWire(state: ExchangeState, order: Order, isNested: boolean): Record<string, unknown> {
  const legs = order.legIds.map((id) => state.orders.get(id)).filter((leg) => leg !== undefined);
  return {
    id: order.id,
    client_order_id: order.clientOrderId,
    created_at: order.createdAt,
    updated_at: order.updatedAt,
    submitted_at: order.submittedAt,
    filled_at: order.filledAt,
    expired_at: order.expiredAt,
    canceled_at: order.canceledAt,
    failed_at: order.failedAt,
    replaced_at: order.replacedAt,
    replaced_by: order.replacedBy,
    replaces: order.replaces,
    expires_at: new Date(order.expiresAtMs).toISOString().replace(".000Z", "Z"),
    asset_id: state.market.assets.get(order.symbol)?.id ?? null,
    symbol: order.symbol,
    asset_class: "us_equity",
    notional: decimal(order.notional),
    qty: decimal(order.qty),
    filled_qty: order.filledQty.toFixed(),
    filled_avg_price: averagePrice(order),
    order_class: order.orderClass,
    order_type: order.type,
    type: order.type,
    side: order.side,
    position_intent: order.intent,
    time_in_force: order.timeInForce,
    limit_price: decimal(order.limitPrice),
    stop_price: decimal(order.stopPrice),
    status: order.status,
    extended_hours: order.extendedHours,
    legs: isNested && legs.length > 0 ? legs.map((leg) => orderWire(state, leg, false)) : null,
    trail_percent: decimal(order.trailPercent),
    trail_price: decimal(order.trailPrice),
    hwm: decimal(order.hwm),
    subtag: null,
    source: null,
  };
}

/** Mean price of the fills to nine places, null before the first. */
export function averagePrice(order: Order): string | null {
  return order.filledQty.isZero() ? null : order.filledCost.div(order.filledQty).toDecimalPlaces(9).toFixed();
}
