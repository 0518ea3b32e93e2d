import type { Money } from "../../domain/money.ts";
import type { OrderRequest } from "./order-request.ts";
import { invalid, unprocessable } from "./refusal.ts";

/** The rules that every order request must meet, independent of account and market. */

export function isFractional({ qty, notional }: { qty: Money | null; notional: Money | null }): boolean {
  return notional !== null || (qty !== null && !qty.isInteger());
}

function checkQuantity(request: OrderRequest): void {
  const { qty, notional, timeInForce, type } = request;
  if (qty === null && notional === null) throw invalid("qty or notional is required");
  if (qty !== null && notional !== null) throw invalid("only one of qty or notional is accepted");
  if (notional !== null && notional.lt(1)) throw unprocessable("cost basis must be >= minimal amount of order 1");
  if (!isFractional(request)) return;
  if (type === "trailing_stop") throw unprocessable("fractional orders must not be trailing stops");
  if (timeInForce !== "day") throw unprocessable("fractional orders must be DAY orders");
}

/** Prices that each type needs, and must not have. */
function checkPrices(request: OrderRequest): void {
  const { type, orderClass, limitPrice, stopPrice, trailPrice, trailPercent } = request;
  const needsLimit = (type === "limit" && orderClass !== "oco") || type === "stop_limit";
  const needsStop = type === "stop" || type === "stop_limit";
  const name = type.replace("_", " ");
  if (needsLimit && limitPrice === null) throw invalid(`${name} orders require limit_price`);
  if (needsStop && stopPrice === null) throw invalid(`${name} orders require stop_price`);
  if (!needsLimit && limitPrice !== null && orderClass !== "oco")
    throw unprocessable(`${type} orders must not have limit_price`);
  if (!needsStop && stopPrice !== null) throw unprocessable(`${type} orders must not have stop_price`);
  if (type !== "trailing_stop") {
    if (trailPrice !== null || trailPercent !== null) throw unprocessable(`${type} orders must not have a trail`);
    return;
  }
  if (trailPrice === null && trailPercent === null)
    throw invalid("trailing stop orders require either trail_price or trail_percent");
  if (trailPrice !== null && trailPercent !== null)
    throw invalid("trailing stop orders take only one of trail_price and trail_percent");
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
  if (type === "trailing_stop") throw unprocessable("trailing stop orders must be simple orders");
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
  if (isFractional(request)) throw unprocessable("fractional orders must be simple orders");
}

/** What a life allows: auctions take whole market and limit orders, trailing stops live for days, extended hours need a limit. */
export function checkLife(
  order: Pick<OrderRequest, "type" | "timeInForce" | "orderClass" | "extendedHours" | "qty" | "notional">,
): void {
  const { type, timeInForce, orderClass, extendedHours } = order;
  if (type === "trailing_stop" && timeInForce !== "day" && timeInForce !== "gtc")
    throw unprocessable("trailing stop orders must be DAY or GTC orders");
  if (timeInForce === "opg" || timeInForce === "cls") {
    if (type !== "market" && type !== "limit")
      throw unprocessable(`${timeInForce} orders must be market or limit orders`);
    if (orderClass !== "") throw unprocessable(`${timeInForce} orders must be simple orders`);
    if (isFractional(order)) throw unprocessable("fractional orders must be DAY orders");
  }
  if (!extendedHours) return;
  if (type !== "limit" || (timeInForce !== "day" && timeInForce !== "gtc"))
    throw unprocessable("extended hours order must be DAY or GTC limit orders");
}

export function checkRequest(request: OrderRequest): void {
  checkQuantity(request);
  checkPrices(request);
  checkClass(request);
  checkLife(request);
}
