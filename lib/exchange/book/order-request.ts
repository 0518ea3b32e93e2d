import { isDecimalText, money, type Money } from "../../domain/money.ts";
import { invalid, unprocessable } from "./refusal.ts";
import type { OrderClass, OrderType, Side, TimeInForce } from "./types.ts";

/** A POST /v2/orders body that has been read and makes sense in itself. */
export interface OrderRequest {
  symbol: string;
  side: Side;
  type: OrderType;
  orderClass: OrderClass;
  timeInForce: TimeInForce;
  extendedHours: boolean;
  qty: Money | null;
  notional: Money | null;
  limitPrice: Money | null;
  stopPrice: Money | null;
  clientOrderId: string | null;
  takeProfit: Money | null;
  stopLoss: { stopPrice: Money; limitPrice: Money | null } | null;
}

type Body = Record<string, unknown>;

function oneOf<T extends string>(value: unknown, name: string, allowed: readonly T[], fallback?: T): T {
  if ((value === undefined || value === null || value === "") && fallback !== undefined) return fallback;
  if (value === undefined || value === null || value === "") throw invalid(`${name} is required`);
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw invalid(`invalid ${name}: ${String(value)}`);
  return found;
}

/** A positive decimal of at most the given places; null when absent. */
export function decimalOf(value: unknown, name: string, places = 9): Money | null {
  if (value === undefined || value === null || value === "") return null;
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || !isDecimalText(text)) throw invalid(`invalid ${name}: ${String(value)}`);
  const number = money(text);
  if (number.lte(0)) throw invalid(`${name} must be > 0`);
  if (number.decimalPlaces() > places) throw invalid(`${name} is limited to ${places} decimal places`);
  return number;
}

/** A price on the broker's grid: two places from one dollar, four below. */
export function priceOf(value: unknown, name: string): Money | null {
  const price = decimalOf(value, name, 18);
  if (price !== null && price.decimalPlaces() > (price.gte(1) ? 2 : 4)) {
    throw unprocessable(
      `invalid ${name} ${price.toFixed()}. sub-penny increment does not fulfill minimum pricing criteria`,
    );
  }
  return price;
}

export function clientIdOf(value: unknown): string | null {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value !== "string") throw invalid("invalid client_order_id");
  if (value.length > 128) throw invalid("client_order_id must be no more than 128 characters");
  return value;
}

function objectOf(value: unknown): Body | null {
  return typeof value === "object" && value !== null ? (value as Body) : null;
}

/** Prices that each type needs, and must not have. */
function checkPrices(request: OrderRequest): void {
  const { type, orderClass, limitPrice, stopPrice } = request;
  const needsLimit = (type === "limit" && orderClass !== "oco") || type === "stop_limit";
  const needsStop = type === "stop" || type === "stop_limit";
  if (needsLimit && limitPrice === null) throw invalid(`${type.replace("_", " ")} orders require limit_price`);
  if (needsStop && stopPrice === null) throw invalid(`${type.replace("_", " ")} orders require stop_price`);
  if (!needsLimit && limitPrice !== null && orderClass !== "oco")
    throw unprocessable(`${type} orders must not have limit_price`);
  if (!needsStop && stopPrice !== null) throw unprocessable(`${type} orders must not have stop_price`);
}

function checkClass(request: OrderRequest): void {
  const { orderClass, takeProfit, stopLoss, timeInForce, type } = request;
  if (orderClass === "") {
    if (takeProfit !== null || stopLoss !== null) throw unprocessable("simple orders must not have legs");
    return;
  }
  if (timeInForce !== "day" && timeInForce !== "gtc") throw unprocessable(`${orderClass} orders require day or gtc`);
  if (request.extendedHours) throw unprocessable(`${orderClass} orders must not be extended hours`);
  const both = takeProfit !== null && stopLoss !== null;
  if (orderClass === "bracket" && takeProfit === null) throw invalid("bracket orders require take_profit.limit_price");
  if (orderClass === "bracket" && stopLoss === null) throw invalid("bracket orders require stop_loss.stop_price");
  if (orderClass === "bracket" && type !== "market" && type !== "limit") {
    throw unprocessable("bracket orders must be entry orders of type market or limit");
  }
  if (orderClass === "oco" && type !== "limit") throw unprocessable("oco orders must be of type limit");
  if (orderClass === "oco" && !both)
    throw invalid("oco orders require take_profit.limit_price and stop_loss.stop_price");
  if (orderClass === "oto" && (both || (takeProfit === null && stopLoss === null))) {
    throw invalid("oto orders require either take_profit or stop_loss");
  }
  if (request.qty === null || !request.qty.isInteger()) throw unprocessable("fractional orders must be simple orders");
}

function checkQuantity(request: OrderRequest): void {
  const { qty, notional, timeInForce, type } = request;
  if (qty === null && notional === null) throw invalid("qty or notional is required");
  if (qty !== null && notional !== null) throw invalid("only one of qty or notional is accepted");
  if (notional !== null) {
    if (notional.lt(1)) throw unprocessable("cost basis must be >= minimal amount of order 1");
    if (type !== "market") throw unprocessable("notional orders must be market orders");
  }
  const isFractional = notional !== null || (qty !== null && !qty.isInteger());
  if (isFractional && timeInForce !== "day") throw unprocessable("fractional orders must be DAY orders");
}

/** Reads a POST /v2/orders body. Throws a Refusal on the first thing that is wrong. */
export function readOrderRequest(body: unknown): OrderRequest {
  const input = objectOf(body);
  if (input === null) throw invalid("request body format is invalid");
  if (typeof input.symbol !== "string" || input.symbol === "") throw invalid("symbol is required");
  const takeProfit = objectOf(input.take_profit);
  const stopLoss = objectOf(input.stop_loss);
  const stopLossStop = priceOf(stopLoss?.stop_price, "stop_loss.stop_price");
  if (stopLoss !== null && stopLossStop === null) throw invalid("stop_loss.stop_price is required");
  const orderClass = oneOf(input.order_class, "order_class", ["simple", "bracket", "oco", "oto"] as const, "simple");
  const request: OrderRequest = {
    symbol: input.symbol,
    side: oneOf(input.side, "side", ["buy", "sell"] as const),
    type: oneOf(input.type, "type", ["market", "limit", "stop", "stop_limit"] as const),
    orderClass: orderClass === "simple" ? "" : orderClass,
    timeInForce: oneOf(input.time_in_force, "time_in_force", ["day", "gtc", "ioc", "fok"] as const),
    extendedHours: input.extended_hours === true,
    qty: decimalOf(input.qty, "qty"),
    notional: decimalOf(input.notional, "notional"),
    limitPrice: priceOf(input.limit_price, "limit_price"),
    stopPrice: priceOf(input.stop_price, "stop_price"),
    clientOrderId: clientIdOf(input.client_order_id),
    takeProfit: priceOf(takeProfit?.limit_price, "take_profit.limit_price"),
    stopLoss:
      stopLossStop === null
        ? null
        : { stopPrice: stopLossStop, limitPrice: priceOf(stopLoss?.limit_price, "stop_loss.limit_price") },
  };
  checkQuantity(request);
  checkPrices(request);
  checkClass(request);
  if (
    request.extendedHours &&
    (request.type !== "limit" || request.timeInForce === "ioc" || request.timeInForce === "fok")
  ) {
    throw unprocessable("extended hours order must be DAY or GTC limit orders");
  }
  return request;
}
