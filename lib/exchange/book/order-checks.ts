import { money, type Money, ZERO } from "../../domain/money.ts";
import { equityOf, lastPrice } from "./accounts.ts";
import type { ExchangeState } from "./state.ts";
import { buyingPower, mayShort, reservePrice } from "./margin.ts";
import type { OrderRequest } from "./order-request.ts";
import { takesAuctionOrders } from "./phase.ts";
import { heldQty, intentOf, isClosing, openExits } from "./positions.ts";
import { forbidden, type Refusal, unprocessable } from "./refusal.ts";
import { isFractional } from "./request-rules.ts";
import { symbolState } from "./symbols.ts";
import type { AccountState, PositionIntent } from "./types.ts";

/** A position of more than this many times the equity may only be closed. */
const CONCENTRATION_MAX = 6;

export function checkAsset(state: ExchangeState, accountState: AccountState, request: OrderRequest): void {
  const { symbol } = request;
  const asset = state.market.assets.get(symbol);
  if (asset === undefined) throw unprocessable(`asset "${symbol}" not found`);
  const listing = symbolState(state, symbol);
  if (listing.status !== "active") throw unprocessable(`asset "${symbol}" is not active`);
  if (!listing.tradable || state.view.last(symbol) === undefined)
    throw unprocessable(`asset "${symbol}" is not tradable`);
  if (!isFractional(request)) return;
  if (!listing.fractionable) throw forbidden(`asset "${symbol}" is not fractionable`);
  if (!accountState.account.configuration.fractional_trading)
    throw forbidden("account is not allowed to trade fractional shares");
}

/** Auctions take orders until shortly before they are held, and again from the evening on for the next day. */
export function checkAuctionWindow(state: ExchangeState, { timeInForce }: OrderRequest): void {
  if (timeInForce !== "opg" && timeInForce !== "cls") return;
  if (takesAuctionOrders(state.sessions, state.view.moment().nowMs, timeInForce)) return;
  const window = timeInForce === "opg" ? "9:28am" : "3:50pm";
  throw unprocessable(`${timeInForce} orders are not accepted after ${window} and before 7:00pm ET`);
}

/** The exits of a position lie on both sides of each other. */
export function checkSides(isLong: boolean, profit: Money | null, stop: Money | null): void {
  if (profit === null || stop === null || (isLong ? profit.gt(stop) : profit.lt(stop))) return;
  throw unprocessable("take_profit.limit_price and stop_loss.stop_price are on the wrong sides of each other");
}

type Group = Pick<OrderRequest, "symbol" | "side" | "orderClass" | "limitPrice" | "takeProfit"> & {
  stopLoss: { stopPrice: Money } | null;
};

/** The broker's relations between an entry and its exits. */
export function checkExits(state: ExchangeState, request: Group): void {
  const { takeProfit, stopLoss, orderClass } = request;
  if (orderClass === "") return;
  const isLong = orderClass === "oco" ? request.side === "sell" : request.side === "buy";
  const base =
    orderClass === "oco" ? lastPrice(state, request.symbol) : (request.limitPrice ?? lastPrice(state, request.symbol));
  const cent = money("0.01");
  checkSides(isLong, takeProfit, stopLoss?.stopPrice ?? null);
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

type Kind = Pick<OrderRequest, "orderClass" | "type">;
const isExempt = ({ orderClass, type }: Kind) =>
  orderClass === "bracket" || orderClass === "oco" || type === "trailing_stop";
const hasLimit = ({ type }: Kind) => type === "limit" || type === "stop_limit";

/** Refuses an order that could trade with the account's own resting order; pairs with exits and trailing stops are exempt. */
export function checkWashTrade(
  accountState: AccountState,
  request: Kind & Pick<OrderRequest, "symbol" | "side" | "limitPrice">,
): void {
  if (isExempt(request)) return;
  for (const other of accountState.open) {
    if (other.symbol !== request.symbol || other.side === request.side || other.status === "held") continue;
    if (isExempt(other)) continue;
    const [buy, sell] =
      request.side === "buy" ? [request.limitPrice, other.limitPrice] : [other.limitPrice, request.limitPrice];
    const crosses = !hasLimit(request) || !hasLimit(other) || (buy !== null && sell !== null && buy.gte(sell));
    if (!crosses) continue;
    const kind = hasLimit(other) ? "limit" : "market/stop";
    throw forbidden("potential wash trade detected. use complex orders", {
      existing_order_id: other.id,
      reject_reason: `opposite side ${kind} order exists`,
    });
  }
}

/** The broker's refusal of an exit that is larger than what is free of the position. */
export function notAvailable(
  state: ExchangeState,
  accountState: AccountState,
  symbol: string,
  wanted: Money,
  held: Money,
): Refusal {
  const existing = (accountState.positions.get(symbol)?.qty ?? ZERO).abs();
  const available = existing.minus(held);
  return forbidden(
    `insufficient qty available for order (requested: ${wanted.toFixed()}, available: ${available.toFixed()})`,
    {
      available: available.toFixed(),
      existing_qty: existing.toFixed(),
      held_for_orders: held.toFixed(),
      symbol,
      related_orders: openExits(accountState, symbol).map((order) => order.id),
    },
  );
}

/** The quantity asked for; an amount of money at the last price. */
function wantedQty(state: ExchangeState, request: OrderRequest): Money {
  if (request.qty !== null) return request.qty;
  return (request.notional ?? ZERO).div(lastPrice(state, request.symbol)).toDecimalPlaces(9);
}

function checkShort(state: ExchangeState, accountState: AccountState, request: OrderRequest): void {
  const { symbol } = request;
  if (!mayShort(accountState)) throw forbidden("account is not allowed to short");
  const { shortable, easyToBorrow } = symbolState(state, symbol);
  if (!shortable || !easyToBorrow) throw forbidden(`asset "${symbol}" cannot be sold short`);
  if (isFractional(request)) throw forbidden("fractional orders cannot be sold short");
}

/** Orders in both directions cannot wait for the same position to be opened. */
function checkOneDirection(accountState: AccountState, request: OrderRequest, intent: PositionIntent): void {
  const opposite = intent === "buy_to_open" ? "sell_to_open" : "buy_to_open";
  const isOpposed = [...accountState.open].some(
    (order) => order.symbol === request.symbol && order.intent === opposite,
  );
  if (!isOpposed) return;
  throw forbidden(
    intent === "sell_to_open"
      ? "cannot open a short sell while a long buy order is open"
      : "cannot open a long buy while a short sell order is open",
  );
}

function checkBuyingPower(state: ExchangeState, accountState: AccountState, request: OrderRequest): void {
  const cost = request.notional ?? (request.qty ?? ZERO).times(reservePrice(state, request));
  const power = buyingPower(state, accountState);
  if (cost.gt(power))
    throw forbidden("insufficient buying power", { buying_power: power.toFixed(), cost_basis: cost.toFixed() });
  if (!accountState.account.isMargin) return;
  const value = (accountState.positions.get(request.symbol)?.qty ?? ZERO).times(lastPrice(state, request.symbol)).abs();
  if (value.gt(equityOf(state, accountState).times(CONCENTRATION_MAX)))
    throw forbidden("position is above 600% of equity: only closing orders are accepted");
}

/**
 * What the order does to the position, refused when the account cannot pay for it or does not have it. One
 * order never turns a long position short or the other way round.
 */
export function checkMeans(state: ExchangeState, accountState: AccountState, request: OrderRequest): PositionIntent {
  const { symbol, side, orderClass } = request;
  const inferred =
    orderClass === "oco" ? (side === "buy" ? "buy_to_close" : "sell_to_close") : intentOf(accountState, symbol, side);
  if (request.intent !== null && request.intent !== inferred)
    throw unprocessable(`position intent mismatch, inferred: ${inferred}, specified: ${request.intent}`);
  if (isClosing({ intent: inferred })) {
    // Their exits would close what the entry itself has closed.
    if (orderClass === "bracket" || orderClass === "oto")
      throw unprocessable(`${orderClass} orders must be entry orders`);
    const wanted = wantedQty(state, request);
    const held = heldQty(state, accountState, symbol);
    const existing = accountState.positions.get(symbol)?.qty ?? ZERO;
    const isThere = side === "sell" ? existing.gt(0) : existing.lt(0);
    // Whole shares that are owed stay whole; a fraction that a split has made can be bought back.
    if (existing.isNegative() && existing.isInteger() && isFractional(request))
      throw forbidden("fractional orders cannot cover a short position");
    if (!isThere || wanted.gt(existing.abs().minus(held)))
      throw notAvailable(state, accountState, symbol, wanted, held);
    return inferred;
  }
  if (inferred === "sell_to_open") checkShort(state, accountState, request);
  checkOneDirection(accountState, request, inferred);
  checkBuyingPower(state, accountState, request);
  return inferred;
}
