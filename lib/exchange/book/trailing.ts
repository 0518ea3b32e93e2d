import { greatest, least, money, type Money } from "../../domain/money.ts";
import { lastPrice } from "./accounts.ts";
import { type ExchangeState, saveOrder } from "./state.ts";
import type { Order } from "./types.ts";

/** The price in cents, under a dollar in hundredths of one, away from the market. */
function onGrid(price: Money, side: Order["side"]): Money {
  return price.toDecimalPlaces(price.gte(1) ? 2 : 4, side === "sell" ? "floor" : "ceil");
}

/** Moves the high-water mark to a better price, and the stop after it. */
function moveTo(order: Order, price: Money): void {
  if (order.hwm !== null && (order.side === "sell" ? price.lte(order.hwm) : price.gte(order.hwm))) return;
  order.hwm = price;
  const distance = order.trailPrice ?? price.times(order.trailPercent ?? 0).div(100);
  const stop = order.side === "sell" ? price.minus(distance) : price.plus(distance);
  order.stopPrice = onGrid(greatest(stop, money("0.0001")), order.side);
}

/** The mark of a trailing stop begins at the price at which the order goes live; after a replacement it continues. */
export function startTrail(state: ExchangeState, order: Order): void {
  if (order.type !== "trailing_stop") return;
  const price = lastPrice(state, order.symbol);
  const mark = order.hwm;
  order.hwm = null;
  moveTo(order, mark === null ? price : order.side === "sell" ? greatest(mark, price) : least(mark, price));
}

/** Lets the mark follow a stretch of the path. The caller has looked at the old stop before. */
export function followPrice(state: ExchangeState, order: Order, best: number): void {
  const before = order.stopPrice;
  moveTo(order, money(String(best)));
  if (order.stopPrice !== before) saveOrder(state, order);
}
