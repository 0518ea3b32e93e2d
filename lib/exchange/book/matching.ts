import { randomUUID } from "node:crypto";
import { least, type Money, money, ZERO } from "../../domain/money.ts";
import { seedOf } from "../market/seeded.ts";
import { askOf, bidOf } from "../market/view.ts";
import { recordFillActivity } from "./activities.ts";
import { cancelGroup, followFill } from "./brackets.ts";
import { addFill, type Desk, holderOf, saveOrder } from "./desk.ts";
import { emit } from "./events.ts";
import { settle } from "./positions.ts";
import { type Fill, type Holder, isFinal, type Order } from "./types.ts";

/** The part of the minute path an order is held against. */
export interface Touch {
  open: number;
  high: number;
  low: number;
}

/** Share of a minute's volume that one account may take: 1 to 10 %, seeded, at least one share. */
function sharesLeft(desk: Desk, holder: Holder, symbol: string, index: number, minute: number): number {
  const path = desk.view.path(symbol, index);
  const volume = path?.volume[minute] ?? 0;
  if (volume === 0) return 0;
  const rate = 0.01 + (0.09 * (seedOf(desk.market.seed, "participation", symbol, index, minute) % 1000)) / 999;
  const used = holder.used.get(symbol);
  const taken = used?.minute === index * 1000 + minute ? used.qty : 0;
  return Math.max(0, Math.max(1, Math.floor(volume * rate)) - taken);
}

function takeShares(holder: Holder, symbol: string, index: number, minute: number, qty: number): void {
  const key = index * 1000 + minute;
  const used = holder.used.get(symbol);
  holder.used.set(symbol, { minute: key, qty: (used?.minute === key ? used.qty : 0) + qty });
}

/** The price at which a limit is met: the touch when the market is already beyond it, otherwise the limit itself. */
function limitPriceMet(order: Order, touch: Touch): number | null {
  const limit = (order.limitPrice as Money).toNumber();
  if (order.side === "buy") {
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

/** The price of an execution in this stretch of the path, null when there is none. Marks a stop as triggered. */
function executionPrice(order: Order, touch: Touch): number | null {
  const quoted = (mid: number) => (order.side === "buy" ? askOf(mid) : bidOf(mid));
  const isStop = order.type === "stop" || order.type === "stop_limit";
  if (isStop && !order.isTriggered) {
    const at = stopTouched(order, touch);
    if (at === null) return null;
    order.isTriggered = true;
    if (order.type === "stop") return quoted(at);
    const limit = (order.limitPrice as Money).toNumber();
    const price = quoted(at);
    return order.side === "buy" ? (price <= limit ? price : null) : price >= limit ? price : null;
  }
  if (order.type === "limit" || order.type === "stop_limit") return limitPriceMet(order, touch);
  return quoted(touch.open);
}

/** What the order still wants at this price, in shares of nine places. */
function wantedQty(order: Order, price: Money): Money {
  if (order.notional === null) return (order.qty ?? ZERO).minus(order.filledQty);
  return order.notional.minus(order.filledCost).div(price).toDecimalPlaces(9, 1);
}

function applyFill(desk: Desk, order: Order, qty: Money, price: Money, leaves: Money): void {
  const at = desk.stamp();
  order.filledQty = order.filledQty.plus(qty);
  order.filledCost = order.filledCost.plus(qty.times(price));
  order.updatedAt = at;
  order.status = leaves.isZero() ? "filled" : "partially_filled";
  if (leaves.isZero()) order.filledAt = at;
  settle(desk, order.accountId, order.symbol, order.side, qty, price);
  const fill: Fill = {
    id: randomUUID(),
    orderId: order.id,
    accountId: order.accountId,
    symbol: order.symbol,
    side: order.side,
    qty,
    price,
    cumQty: order.filledQty,
    leavesQty: leaves,
    at,
  };
  addFill(desk, fill);
  recordFillActivity(desk, order, fill);
  saveOrder(desk, order);
  emit(desk, order, leaves.isZero() ? "fill" : "partial_fill", at, fill);
  followFill(desk, order);
}

/** Holds one order against a stretch of the minute path and executes what the minute's volume allows. */
export function matchOrder(desk: Desk, order: Order, touch: Touch, index: number, minute: number): void {
  if (isFinal(order) || order.status === "held" || order.status === "accepted") return;
  const wasTriggered = order.isTriggered;
  const price = executionPrice(order, touch);
  if (order.isTriggered !== wasTriggered) saveOrder(desk, order);
  if (price === null) return;
  const holder = holderOf(desk, order.accountId);
  const exact = money(String(price));
  const wanted = wantedQty(order, exact);
  const budget = sharesLeft(desk, holder, order.symbol, index, minute);
  if (budget <= 0) return;
  if (order.timeInForce === "fok" && wanted.gt(budget)) return;
  let qty = least(wanted, money(budget));
  if (order.side === "sell") qty = least(qty, holder.positions.get(order.symbol)?.qty ?? ZERO);
  if (qty.lte(0)) {
    cancelGroup(desk, order);
    return;
  }
  takeShares(holder, order.symbol, index, minute, Math.ceil(qty.toNumber()));
  applyFill(desk, order, qty, exact, wanted.minus(qty));
}

/** A new order meets the market as it stands: the last price, and the running minute's share of volume. */
export function matchOnArrival(desk: Desk, order: Order): void {
  const { index, minutesDone, isOpen } = desk.view.moment();
  const last = desk.view.last(order.symbol);
  if (!isOpen || last === undefined || !desk.view.trades(order.symbol)) return;
  matchOrder(desk, order, { open: last, high: last, low: last }, index, minutesDone);
}

/** Holds every open order against the minute that has just ended; stops go before limits, so that a pair of exits is never kinder than the market. */
export function matchMinute(desk: Desk, index: number, minute: number): void {
  for (const [symbol, open] of [...desk.openBySymbol]) {
    const path = desk.view.path(symbol, index);
    if (path === undefined) continue;
    const touch = {
      open: path.open[minute] as number,
      high: path.high[minute] as number,
      low: path.low[minute] as number,
    };
    const isStop = (order: Order) => (order.stopPrice === null ? 1 : 0);
    const orders = [...open].sort((a, b) => isStop(a) - isStop(b) || a.seq - b.seq);
    for (const order of orders) matchOrder(desk, order, touch, index, minute);
  }
}
