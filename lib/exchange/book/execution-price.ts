import { type Money, ZERO } from "../../domain/money.ts";
import { askOf, bidOf } from "../market/view.ts";
import type { ExchangeState } from "./state.ts";
import { stopBuyLimit } from "./margin.ts";
import { followPrice } from "./trailing.ts";
import type { Order } from "./types.ts";

/** The part of the minute path an order is held against. */
export interface Touch {
  open: number;
  high: number;
  low: number;
  close: number;
}

/** The price at which a limit is met: the touch when the market is already beyond it, otherwise the limit itself. */
function limitPriceMet({ side }: Order, limit: number, touch: Touch): number | null {
  if (side === "buy") {
    if (askOf(touch.open) <= limit) return askOf(touch.open);
    return askOf(touch.low) <= limit ? limit : null;
  }
  if (bidOf(touch.open) >= limit) return bidOf(touch.open);
  return bidOf(touch.high) >= limit ? limit : null;
}

/** The price at which a stop goes off: the open when the market gaps beyond it, otherwise the stop itself. */
function stopTouched(order: Order, touch: Touch): number | null {
  const stop = (order.stopPrice as Money).toNumber();
  if (order.side === "sell") return touch.low <= stop ? Math.min(stop, touch.open) : null;
  return touch.high >= stop ? Math.max(stop, touch.open) : null;
}

/** The most a triggered stop may pay, the least it may take; null where any price will do. A stop buy has the broker's band. */
function limitOfStop(order: Order): number | null {
  if (order.type === "stop_limit") return (order.limitPrice as Money).toNumber();
  if (order.type === "stop" && order.side === "buy") return stopBuyLimit(order.stopPrice as Money).toNumber();
  return null;
}

export const quoted = ({ side }: Order, mid: number) => (side === "buy" ? askOf(mid) : bidOf(mid));

/** The price of a stop in the stretch in which it goes off. */
function stopPriceMet(order: Order, at: number): number | null {
  order.isTriggered = true;
  const price = quoted(order, at);
  const limit = limitOfStop(order);
  if (limit === null) return price;
  return (order.side === "buy" ? price <= limit : price >= limit) ? price : null;
}

/**
 * A trailing stop within one stretch: first the stop as it stood against the worst price, then the mark follows
 * the best one. A close beyond the moved stop has crossed it after the best price for certain.
 */
function trailTouched(state: ExchangeState, order: Order, touch: Touch): number | null {
  const at = stopTouched(order, touch);
  if (at !== null) return at;
  const before = order.stopPrice as Money;
  followPrice(state, order, order.side === "sell" ? touch.high : touch.low);
  const moved = order.stopPrice as Money;
  if (moved.eq(before)) return null;
  const stop = moved.toNumber();
  return (order.side === "sell" ? touch.close <= stop : touch.close >= stop) ? stop : null;
}

/** The price of an execution in this stretch of the path, null when there is none. Marks a stop as triggered. */
export function executionPrice(state: ExchangeState, order: Order, touch: Touch): number | null {
  if (order.type === "limit") return limitPriceMet(order, (order.limitPrice as Money).toNumber(), touch);
  if (order.type === "market") return quoted(order, touch.open);
  if (!order.isTriggered) {
    const at = order.type === "trailing_stop" ? trailTouched(state, order, touch) : stopTouched(order, touch);
    return at === null ? null : stopPriceMet(order, at);
  }
  const limit = limitOfStop(order);
  return limit === null ? quoted(order, touch.open) : limitPriceMet(order, limit, touch);
}

/** What the order still wants at this price, in shares of nine places. */
export function wantedQty(order: Order, price: Money): Money {
  if (order.notional === null) return (order.qty ?? ZERO).minus(order.filledQty);
  return order.notional.minus(order.filledCost).div(price).toDecimalPlaces(9, "down");
}
