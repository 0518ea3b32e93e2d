import { randomUUID } from "node:crypto";
import { type Money, ZERO } from "../../domain/money.ts";
import { newYork } from "../../domain/time.ts";
import { cancelGroup, cancelOne } from "./brackets.ts";
import { checkDayTrading } from "./day-trades.ts";
import { type ExchangeState, indexOrder, saveOrder, takeSeq } from "./state.ts";
import { emit } from "./events.ts";
import { fillNow, matchOnArrival } from "./matching.ts";
import { checkAsset, checkAuctionWindow, checkExits, checkMeans, checkWashTrade } from "./order-checks.ts";
import type { OrderRequest } from "./order-request.ts";
import { orderWire } from "./order-wire.ts";
import { phaseAt, phasesOf, sessionFor } from "./phase.ts";
import { invalid, unprocessable } from "./refusal.ts";
import { checkStanding } from "./standing.ts";
import { startTrail } from "./trailing.ts";
import { type Holder, isFinal, type Order } from "./types.ts";

const GTC_DAYS = 90;

export function takenClientId(desk: ExchangeState, holder: Holder, id: string): boolean {
  return (
    holder.byClientId.has(id) &&
    desk.faults.strike(["uniqueness_off"], "POST", "/v2/orders", {
      accountId: holder.account.id,
      accountNumber: holder.account.accountNumber,
      clientOrderId: id,
    }) === undefined
  );
}

/** When an order's life ends: the close of its session, with extended hours four hours later, for an opening auction the opening. */
export function expiryOf(
  desk: ExchangeState,
  { timeInForce, extendedHours }: Pick<Order, "timeInForce" | "extendedHours">,
): number {
  const { nowMs } = desk.view.moment();
  if (timeInForce === "gtc") return nowMs + GTC_DAYS * 86_400_000;
  if (extendedHours) {
    const today = newYork(nowMs).date;
    const isToday = desk.sessions.isSession(today) && nowMs < phasesOf(desk.sessions, today).postEndMs;
    return phasesOf(desk.sessions, isToday ? today : desk.sessions.next(today)).postEndMs;
  }
  const date = sessionFor(desk.sessions, nowMs);
  const { opensAtMs, closesAtMs } = desk.sessions.hours(date);
  return timeInForce === "opg" ? opensAtMs : closesAtMs;
}

/** Whether the venue takes the order now: in session, and outside it orders with extended hours. */
export function isVenueOpen(desk: ExchangeState, order: Pick<Order, "extendedHours">): boolean {
  const { isOpen, nowMs } = desk.view.moment();
  return isOpen || (order.extendedHours && phaseAt(desk.sessions, nowMs).phase !== "closed");
}

type NewOrder = Pick<
  Order,
  "symbol" | "side" | "type" | "orderClass" | "timeInForce" | "status" | "clientOrderId" | "intent"
> &
  Partial<Order>;

export function makeOrder(desk: ExchangeState, holder: Holder, fields: NewOrder): Order {
  const at = desk.stamp();
  const { timeInForce, extendedHours = false } = fields;
  const order: Order = {
    id: randomUUID(),
    seq: takeSeq(desk),
    accountId: holder.account.id,
    extendedHours,
    qty: null,
    notional: null,
    limitPrice: null,
    stopPrice: null,
    trailPrice: null,
    trailPercent: null,
    hwm: null,
    filledQty: ZERO,
    filledCost: ZERO,
    isTriggered: false,
    parentId: null,
    legIds: [],
    createdAt: at,
    submittedAt: at,
    updatedAt: at,
    expiresAtMs: expiryOf(desk, { timeInForce, extendedHours }),
    filledAt: null,
    expiredAt: null,
    canceledAt: null,
    failedAt: null,
    replacedAt: null,
    replacedBy: null,
    replaces: null,
    ...fields,
  };
  indexOrder(desk, order);
  saveOrder(desk, order);
  return order;
}

function makeLeg(
  desk: ExchangeState,
  holder: Holder,
  parent: Order,
  prices: { limitPrice: Money | null; stopPrice: Money | null },
): void {
  const side = parent.orderClass === "oco" ? parent.side : parent.side === "buy" ? "sell" : "buy";
  const type = prices.stopPrice === null ? "limit" : prices.limitPrice === null ? "stop" : "stop_limit";
  const leg = makeOrder(desk, holder, {
    clientOrderId: randomUUID(),
    symbol: parent.symbol,
    side,
    type,
    orderClass: parent.orderClass,
    timeInForce: parent.timeInForce,
    intent: side === "buy" ? "buy_to_close" : "sell_to_close",
    qty: parent.qty,
    status: parent.orderClass === "oco" ? parent.status : "held",
    parentId: parent.id,
    ...prices,
  });
  parent.legIds.push(leg.id);
}

/** Tells that an order is live, and lets it meet the market. */
export function goLive(desk: ExchangeState, order: Order): void {
  if (isFinal(order)) return;
  order.status = "new";
  order.updatedAt = desk.stamp();
  startTrail(desk, order);
  saveOrder(desk, order);
  emit(desk, order, "new", order.updatedAt);
  if (desk.interference?.endsOnArrival(order) === true) return;
  matchOnArrival(desk, order);
  if (isFinal(order) || (order.timeInForce !== "ioc" && order.timeInForce !== "fok")) return;
  cancelOne(desk, order);
}

function symbolOf(desk: ExchangeState, key: string): string {
  if (desk.market.assets.has(key) || !key.includes("-")) return key;
  for (const asset of desk.market.assets.values()) if (asset.id === key) return asset.symbol;
  return key;
}

/**
 * Accepts an order and returns it as the reply tells it (`pending_new` in session, `accepted` outside);
 * by the time the reply is written the order may already have traded. Throws a Refusal.
 */
export function placeOrder(desk: ExchangeState, holder: Holder, asked: OrderRequest): Record<string, unknown> {
  const request = { ...asked, symbol: symbolOf(desk, asked.symbol) };
  const clientOrderId = request.clientOrderId ?? randomUUID();
  if (takenClientId(desk, holder, clientOrderId)) throw invalid("client_order_id must be unique");
  checkStanding(holder);
  checkAsset(desk, holder, request);
  checkAuctionWindow(desk, request);
  checkExits(desk, request);
  checkWashTrade(holder, request);
  const intent = checkMeans(desk, holder, request);
  checkDayTrading(desk, holder, { symbol: request.symbol, intent });
  const isLive = isVenueOpen(desk, request);
  const isOco = request.orderClass === "oco";
  const order = makeOrder(desk, holder, {
    clientOrderId,
    intent,
    symbol: request.symbol,
    side: request.side,
    type: request.type,
    orderClass: request.orderClass,
    timeInForce: request.timeInForce,
    extendedHours: request.extendedHours,
    qty: request.qty,
    notional: request.notional,
    limitPrice: isOco ? request.takeProfit : request.limitPrice,
    stopPrice: request.stopPrice,
    trailPrice: request.trailPrice,
    trailPercent: request.trailPercent,
    status: isLive ? "pending_new" : "accepted",
  });
  if (request.takeProfit !== null && !isOco)
    makeLeg(desk, holder, order, { limitPrice: request.takeProfit, stopPrice: null });
  if (request.stopLoss !== null) makeLeg(desk, holder, order, request.stopLoss);
  saveOrder(desk, order);
  const reply = orderWire(desk, order, true);
  emit(desk, order, isLive ? "pending_new" : "accepted", order.submittedAt);
  if (!isLive) return reply;
  // The stop of a pair goes live first, as it is also matched first.
  if (isOco) for (const id of order.legIds) goLive(desk, desk.orders.get(id) as Order);
  goLive(desk, order);
  return reply;
}

/** Cancels an order with its group. Throws a Refusal when it is final. */
export function cancelOrder(desk: ExchangeState, order: Order): void {
  // The broker reports a second cancel as done.
  if (order.status === "canceled") return;
  if (isFinal(order)) throw unprocessable(`order is already in "${order.status}" state`);
  if (desk.interference?.fillsBeforeCancel(order) === true && fillNow(desk, order)) return;
  cancelGroup(desk, order);
}
