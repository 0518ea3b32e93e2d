import { randomUUID } from "node:crypto";
import { money, type Money, ZERO } from "../../domain/money.ts";
import { DAY_MS, newYork } from "../../domain/time.ts";
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
import { checkAccountStatus } from "./account-status.ts";
import { startTrail } from "./trailing.ts";
import { type AccountState, isFinal, type Order } from "./types.ts";

const GTC_DAYS = 90;

export function takenClientId(state: ExchangeState, accountState: AccountState, id: string): boolean {
  return (
    accountState.byClientId.has(id) &&
    state.faults.strike(["uniqueness_off"], "POST", "/v2/orders", {
      accountId: accountState.account.id,
      accountNumber: accountState.account.accountNumber,
      clientOrderId: id,
    }) === undefined
  );
}

/** When an order's life ends: the close of its session, with extended hours four hours later, for an opening auction the opening; GTC the last close within ninety days. */
export function expiryOf(
  state: ExchangeState,
  { timeInForce, extendedHours }: Pick<Order, "timeInForce" | "extendedHours">,
): number {
  const { nowMs } = state.view.moment();
  if (timeInForce === "gtc") {
    const last = newYork(nowMs + GTC_DAYS * DAY_MS).date;
    return state.sessions.hours(state.sessions.isSession(last) ? last : state.sessions.previous(last)).closesAtMs;
  }
  if (extendedHours) {
    const today = newYork(nowMs).date;
    const isToday = state.sessions.isSession(today) && nowMs < phasesOf(state.sessions, today).postEndMs;
    return phasesOf(state.sessions, isToday ? today : state.sessions.next(today)).postEndMs;
  }
  const date = sessionFor(state.sessions, nowMs);
  const { opensAtMs, closesAtMs } = state.sessions.hours(date);
  return timeInForce === "opg" ? opensAtMs : closesAtMs;
}

/** Whether the venue takes the order now: in session, and outside it orders with extended hours. */
export function isVenueOpen(state: ExchangeState, order: Pick<Order, "extendedHours">): boolean {
  const { isOpen, nowMs } = state.view.moment();
  return isOpen || (order.extendedHours && phaseAt(state.sessions, nowMs).phase !== "closed");
}

type NewOrder = Pick<
  Order,
  "symbol" | "side" | "type" | "orderClass" | "timeInForce" | "status" | "clientOrderId" | "intent"
> &
  Partial<Order>;

export function makeOrder(state: ExchangeState, accountState: AccountState, fields: NewOrder): Order {
  const at = state.stamp();
  const { timeInForce, extendedHours = false } = fields;
  const order: Order = {
    id: randomUUID(),
    seq: takeSeq(state),
    accountId: accountState.account.id,
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
    expiresAtMs: expiryOf(state, { timeInForce, extendedHours }),
    filledAt: null,
    expiredAt: null,
    canceledAt: null,
    failedAt: null,
    replacedAt: null,
    replacedBy: null,
    replaces: null,
    splitSince: money(1),
    ...fields,
  };
  indexOrder(state, order);
  saveOrder(state, order);
  return order;
}

function makeLeg(
  state: ExchangeState,
  accountState: AccountState,
  parent: Order,
  prices: { limitPrice: Money | null; stopPrice: Money | null },
): void {
  const side = parent.orderClass === "oco" ? parent.side : parent.side === "buy" ? "sell" : "buy";
  const type = prices.stopPrice === null ? "limit" : prices.limitPrice === null ? "stop" : "stop_limit";
  const leg = makeOrder(state, accountState, {
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

/** Reports that an order is live, and matches it. */
export function goLive(state: ExchangeState, order: Order): void {
  if (isFinal(order)) return;
  order.status = "new";
  order.updatedAt = state.stamp();
  startTrail(state, order);
  saveOrder(state, order);
  emit(state, order, "new", order.updatedAt);
  if (state.interference?.endsOnArrival(order) === true) return;
  matchOnArrival(state, order);
  if (isFinal(order) || (order.timeInForce !== "ioc" && order.timeInForce !== "fok")) return;
  cancelOne(state, order);
}

function symbolOf(state: ExchangeState, key: string): string {
  if (state.market.assets.has(key) || !key.includes("-")) return key;
  for (const asset of state.market.assets.values()) if (asset.id === key) return asset.symbol;
  return key;
}

/**
 * Accepts an order and returns it as the reply shows it (`pending_new` in session, `accepted` outside);
 * by the time the reply is written the order may already have traded. Throws a Refusal.
 */
export function placeOrder(
  state: ExchangeState,
  accountState: AccountState,
  asked: OrderRequest,
): Record<string, unknown> {
  const request = { ...asked, symbol: symbolOf(state, asked.symbol) };
  const clientOrderId = request.clientOrderId ?? randomUUID();
  if (takenClientId(state, accountState, clientOrderId)) throw invalid("client_order_id must be unique");
  checkAccountStatus(accountState);
  checkAsset(state, accountState, request);
  checkAuctionWindow(state, request);
  checkExits(state, request);
  checkWashTrade(accountState, request);
  const intent = checkMeans(state, accountState, request);
  checkDayTrading(state, accountState, { symbol: request.symbol, intent });
  const isLive = isVenueOpen(state, request);
  const isOco = request.orderClass === "oco";
  const order = makeOrder(state, accountState, {
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
    makeLeg(state, accountState, order, { limitPrice: request.takeProfit, stopPrice: null });
  if (request.stopLoss !== null) makeLeg(state, accountState, order, request.stopLoss);
  saveOrder(state, order);
  const reply = orderWire(state, order, true);
  emit(state, order, isLive ? "pending_new" : "accepted", order.submittedAt);
  if (!isLive) return reply;
  // The stop of a pair goes live first, as it is also matched first.
  if (isOco) for (const id of order.legIds) goLive(state, state.orders.get(id) as Order);
  goLive(state, order);
  return reply;
}

/** Cancels an order with its group. Throws a Refusal when it is final. */
export function cancelOrder(state: ExchangeState, order: Order): void {
  // The broker reports a second cancel as done.
  if (order.status === "canceled") return;
  if (isFinal(order)) throw unprocessable(`order is already in "${order.status}" state`);
  if (state.interference?.fillsBeforeCancel(order) === true && fillNow(state, order)) return;
  cancelGroup(state, order);
}
