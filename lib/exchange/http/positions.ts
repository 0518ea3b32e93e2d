import { money, type Money } from "../../domain/money.ts";
import { newYork } from "../../domain/time.ts";
import { lastPrice } from "../book/accounts.ts";
import type { ExchangeState } from "../book/state.ts";
import { decimalOf } from "../book/order-request.ts";
import { cancelOrder, placeOrder } from "../book/orders.ts";
import { heldQty } from "../book/positions.ts";
import { invalid, notFound, Refusal, unprocessable } from "../book/refusal.ts";
import { symbolState } from "../book/symbols.ts";
import { type AccountState, isFinal, type Position } from "../book/types.ts";
import { flagOf } from "./flag.ts";
import { ok, type Reply, type Route, trading, type TradingCall } from "./router.ts";

const PLACES = 9;

/** A gain as a fraction of what it was made with; of a short position's proceeds the size counts. */
function share(part: Money, whole: Money): string {
  return whole.isZero() ? "0" : part.div(whole.abs()).toDecimalPlaces(PLACES).toFixed();
}

/** Whether the last session's day is over: from New York's midnight on its close is what the day's profit is measured against. */
function isDayOver(state: ExchangeState): boolean {
  const { nowMs, hours } = state.view.moment();
  return newYork(nowMs).date > hours.date;
}

function positionWire(state: ExchangeState, accountState: AccountState, position: Position): Record<string, unknown> {
  const asset = state.market.assets.get(position.symbol);
  const price = lastPrice(state, position.symbol);
  const value = position.qty.times(price);
  const gain = value.minus(position.cost);
  const isNewDay = isDayOver(state);
  const previousClose = isNewDay ? undefined : state.view.previousClose(position.symbol);
  const before = previousClose === undefined ? price : money(String(previousClose));
  const dayCost = isNewDay ? value : position.dayCost;
  const dayGain = value.minus(dayCost);
  const isShort = position.qty.isNegative();
  const held = heldQty(state, accountState, position.symbol);
  return {
    asset_id: asset?.id,
    symbol: position.symbol,
    exchange: asset?.exchange,
    asset_class: "us_equity",
    asset_marginable: symbolState(state, position.symbol).marginable,
    qty: position.qty.toFixed(),
    qty_available: (isShort ? position.qty.plus(held) : position.qty.minus(held)).toFixed(),
    avg_entry_price: position.cost.div(position.qty).toDecimalPlaces(PLACES).toFixed(),
    side: isShort ? "short" : "long",
    market_value: value.toFixed(),
    cost_basis: position.cost.toDecimalPlaces(PLACES).toFixed(),
    unrealized_pl: gain.toDecimalPlaces(PLACES).toFixed(),
    unrealized_plpc: share(gain, position.cost),
    unrealized_intraday_pl: dayGain.toDecimalPlaces(PLACES).toFixed(),
    unrealized_intraday_plpc: share(dayGain, dayCost),
    current_price: price.toFixed(),
    lastday_price: before.toDecimalPlaces(PLACES).toFixed(),
    change_today: share(price.minus(before), before),
  };
}

function positionOf(call: TradingCall): Position {
  const key = call.params[0] ?? "";
  const bySymbol = call.accountState.positions.get(key);
  if (bySymbol !== undefined) return bySymbol;
  for (const position of call.accountState.positions.values()) {
    if (call.state.market.assets.get(position.symbol)?.id === key) return position;
  }
  throw notFound("position does not exist");
}

/** Sells a long position or buys a short one back, at the market. */
function closePosition(
  state: ExchangeState,
  accountState: AccountState,
  position: Position,
  qty: Money,
): Record<string, unknown> {
  return placeOrder(state, accountState, {
    symbol: position.symbol,
    side: position.qty.isNegative() ? "buy" : "sell",
    type: "market",
    orderClass: "",
    timeInForce: "day",
    extendedHours: false,
    qty,
    notional: null,
    limitPrice: null,
    stopPrice: null,
    trailPrice: null,
    trailPercent: null,
    clientOrderId: null,
    intent: null,
    takeProfit: null,
    stopLoss: null,
  });
}

/** The part of a position; of a position in whole shares whole shares. */
function partOf(position: Position, percentage: Money): Money {
  const held = position.qty.abs();
  const part = held
    .times(percentage)
    .div(100)
    .toDecimalPlaces(held.isInteger() ? 0 : PLACES, "down");
  if (part.isZero()) throw unprocessable("percentage is less than the smallest quantity");
  return part;
}

function closeOne(call: TradingCall): Reply {
  const position = positionOf(call);
  const qty = decimalOf(call.query.get("qty"), "qty");
  const percentage = decimalOf(call.query.get("percentage"), "percentage");
  if (qty !== null && percentage !== null) throw invalid("only one of qty or percentage is accepted");
  if (percentage !== null && percentage.gt(100)) throw invalid("invalid percentage");
  const part = percentage === null ? position.qty.abs() : partOf(position, percentage);
  return ok(closePosition(call.state, call.accountState, position, qty ?? part));
}

function closeAll({ state, accountState, query }: TradingCall): Reply {
  if (flagOf(query, "cancel_orders")) {
    for (const order of [...accountState.open]) if (!isFinal(order)) cancelOrder(state, order);
  }
  const results = [...accountState.positions.values()].map((position) => {
    const { symbol } = position;
    try {
      return { symbol, status: 200, body: closePosition(state, accountState, position, position.qty.abs()) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { symbol, status: error.status, body: { code: error.code, message: error.message, ...error.extras } };
    }
  });
  return { status: 207, body: results };
}

export const positionRoutes: Route[] = [
  trading("GET", "/v2/positions", ({ state, accountState }) =>
    ok([...accountState.positions.values()].map((position) => positionWire(state, accountState, position))),
  ),
  trading("DELETE", "/v2/positions", closeAll),
  trading("GET", "/v2/positions/{symbol}", (call) => ok(positionWire(call.state, call.accountState, positionOf(call)))),
  trading("DELETE", "/v2/positions/{symbol}", closeOne),
];
