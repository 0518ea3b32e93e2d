import { randomUUID } from "node:crypto";
import { money, type Money, ZERO } from "../../domain/money.ts";
import { askOf } from "../market/view.ts";
import { buyingPower, lastPrice, reservePrice } from "./accounts.ts";
import { cancelGroup, cancelOne } from "./brackets.ts";
import { type Desk, indexOrder, saveOrder, takeSeq } from "./desk.ts";
import { emit } from "./events.ts";
import { matchOnArrival } from "./matching.ts";
import type { OrderRequest } from "./order-request.ts";
import { orderWire } from "./order-wire.ts";
import { heldQty } from "./positions.ts";
import { forbidden, invalid, unprocessable } from "./refusal.ts";
import { type Holder, isFinal, type Order } from "./types.ts";

const GTC_DAYS = 90;

function checkAsset(desk: Desk, request: OrderRequest): void {
  if (!desk.market.assets.has(request.symbol)) throw unprocessable(`asset "${request.symbol}" not found`);
  if (desk.view.last(request.symbol) === undefined) throw unprocessable(`asset "${request.symbol}" is not tradable`);
}

/** The broker's relations between an entry and its exits. */
function checkExits(desk: Desk, request: OrderRequest): void {
  const { takeProfit, stopLoss, orderClass } = request;
  if (orderClass === "") return;
  const isLong = orderClass === "oco" ? request.side === "sell" : request.side === "buy";
  const base =
    orderClass === "oco" ? lastPrice(desk, request.symbol) : (request.limitPrice ?? lastPrice(desk, request.symbol));
  const cent = money("0.01");
  if (
    takeProfit !== null &&
    stopLoss !== null &&
    (isLong ? takeProfit.lte(stopLoss.stopPrice) : takeProfit.gte(stopLoss.stopPrice))
  ) {
    throw unprocessable("take_profit.limit_price and stop_loss.stop_price are on the wrong sides of each other");
  }
  const basis = { base_price: base.toFixed() };
  const isStopWrong =
    stopLoss !== null && (isLong ? stopLoss.stopPrice.gt(base.minus(cent)) : stopLoss.stopPrice.lt(base.plus(cent)));
  if (isStopWrong) {
    const message = isLong
      ? "stop_loss.stop_price must be <= base_price - 0.01"
      : "stop_loss.stop_price must be >= base_price + 0.01";
    throw Object.assign(unprocessable(message), { extras: basis });
  }
  const isProfitWrong =
    takeProfit !== null && (isLong ? takeProfit.lt(base.plus(cent)) : takeProfit.gt(base.minus(cent)));
  if (isProfitWrong && orderClass !== "oco") {
    const message = isLong
      ? "take_profit.limit_price must be >= base_price + 0.01"
      : "take_profit.limit_price must be <= base_price - 0.01";
    throw Object.assign(unprocessable(message), { extras: basis });
  }
}

/** Refuses an order that could trade with the account's own resting order; groups with exits are exempt. */
function checkWashTrade(holder: Holder, request: OrderRequest): void {
  if (request.orderClass === "bracket" || request.orderClass === "oco") return;
  const hasLimit = request.type === "limit" || request.type === "stop_limit";
  for (const other of holder.open) {
    if (other.symbol !== request.symbol || other.side === request.side || other.status === "held") continue;
    if (other.orderClass === "bracket" || other.orderClass === "oco") continue;
    const otherHasLimit = other.type === "limit" || other.type === "stop_limit";
    const [buy, sell] =
      request.side === "buy" ? [request.limitPrice, other.limitPrice] : [other.limitPrice, request.limitPrice];
    const crosses = !hasLimit || !otherHasLimit || (buy !== null && sell !== null && buy.gte(sell));
    if (!crosses) continue;
    const kind = otherHasLimit ? "limit" : "market/stop";
    throw forbidden("potential wash trade detected. use complex orders", {
      existing_order_id: other.id,
      reject_reason: `opposite side ${kind} order exists`,
    });
  }
}

/** Refuses what the account cannot pay for or does not have. Accounts are cash accounts: nothing is sold short. */
function checkMeans(desk: Desk, holder: Holder, request: OrderRequest): void {
  const held = heldQty(holder, request.symbol);
  const existing = holder.positions.get(request.symbol)?.qty ?? ZERO;
  if (request.side === "buy") {
    const cost = request.notional ?? (request.qty ?? ZERO).times(reservePrice(desk, request));
    const power = buyingPower(desk, holder);
    if (cost.lte(power)) return;
    throw forbidden("insufficient buying power", { buying_power: power.toFixed(), cost_basis: cost.toFixed() });
  }
  const available = existing.minus(held);
  const price = money(String(askOf(desk.view.last(request.symbol) ?? 0)));
  const wanted = request.qty ?? (request.notional ?? ZERO).div(price).toDecimalPlaces(9);
  if (wanted.lte(available)) return;
  const related = [...holder.open].filter(
    (o) => o.symbol === request.symbol && o.side === "sell" && o.status !== "held",
  );
  throw forbidden(
    `insufficient qty available for order (requested: ${wanted.toFixed()}, available: ${available.toFixed()})`,
    {
      available: available.toFixed(),
      existing_qty: existing.toFixed(),
      held_for_orders: held.toFixed(),
      symbol: request.symbol,
      related_orders: related.map((o) => o.id),
    },
  );
}

export function takenClientId(desk: Desk, holder: Holder, id: string): boolean {
  return holder.byClientId.has(id) && desk.faults.strike(["uniqueness_off"], "POST", "/v2/orders") === undefined;
}

export function expiryOf(desk: Desk, timeInForce: Order["timeInForce"]): number {
  const { hours, isOpen, nowMs } = desk.view.moment();
  if (timeInForce === "gtc") return nowMs + GTC_DAYS * 86_400_000;
  return isOpen ? hours.closesAtMs : desk.sessions.hours(desk.sessions.next(hours.date)).closesAtMs;
}

type NewOrder = Pick<Order, "symbol" | "side" | "type" | "orderClass" | "timeInForce" | "status" | "clientOrderId"> &
  Partial<Order>;

export function makeOrder(desk: Desk, holder: Holder, fields: NewOrder): Order {
  const at = desk.stamp();
  const order: Order = {
    id: randomUUID(),
    seq: takeSeq(desk),
    accountId: holder.account.id,
    extendedHours: false,
    qty: null,
    notional: null,
    limitPrice: null,
    stopPrice: null,
    filledQty: ZERO,
    filledCost: ZERO,
    isTriggered: false,
    parentId: null,
    legIds: [],
    createdAt: at,
    submittedAt: at,
    updatedAt: at,
    expiresAtMs: expiryOf(desk, fields.timeInForce),
    filledAt: null,
    expiredAt: null,
    canceledAt: null,
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
  desk: Desk,
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
    qty: parent.qty,
    status: parent.orderClass === "oco" ? parent.status : "held",
    parentId: parent.id,
    ...prices,
  });
  parent.legIds.push(leg.id);
}

/** Tells that an order is live, and lets it meet the market. */
export function goLive(desk: Desk, order: Order): void {
  if (isFinal(order)) return;
  order.status = "new";
  order.updatedAt = desk.stamp();
  saveOrder(desk, order);
  emit(desk, order, "new", order.updatedAt);
  matchOnArrival(desk, order);
  if (isFinal(order) || (order.timeInForce !== "ioc" && order.timeInForce !== "fok")) return;
  cancelOne(desk, order);
}

/**
 * Accepts an order and returns it as the reply tells it (`pending_new` in session, `accepted` outside);
 * by the time the reply is written the order may already have traded. Throws a Refusal.
 */
export function placeOrder(desk: Desk, holder: Holder, request: OrderRequest): Record<string, unknown> {
  const clientOrderId = request.clientOrderId ?? randomUUID();
  if (takenClientId(desk, holder, clientOrderId)) throw invalid("client_order_id must be unique");
  if (holder.account.configuration.suspend_trade) throw forbidden("account is not authorized to trade");
  checkAsset(desk, request);
  checkExits(desk, request);
  checkWashTrade(holder, request);
  checkMeans(desk, holder, request);
  const { isOpen } = desk.view.moment();
  const isOco = request.orderClass === "oco";
  const order = makeOrder(desk, holder, {
    clientOrderId,
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
    status: isOpen ? "pending_new" : "accepted",
  });
  if (request.takeProfit !== null && !isOco)
    makeLeg(desk, holder, order, { limitPrice: request.takeProfit, stopPrice: null });
  if (request.stopLoss !== null) makeLeg(desk, holder, order, request.stopLoss);
  saveOrder(desk, order);
  const reply = orderWire(desk, order, true);
  emit(desk, order, isOpen ? "pending_new" : "accepted", order.submittedAt);
  if (!isOpen) return reply;
  // The stop of a pair goes live first, as it is also matched first.
  if (isOco) for (const id of order.legIds) goLive(desk, desk.orders.get(id) as Order);
  goLive(desk, order);
  return reply;
}

/** Cancels an order with its group. Throws a Refusal when it is final. */
export function cancelOrder(desk: Desk, order: Order): void {
  // The broker reports a second cancel as done.
  if (order.status === "canceled") return;
  if (isFinal(order)) throw unprocessable(`order is already in "${order.status}" state`);
  cancelGroup(desk, order);
}
