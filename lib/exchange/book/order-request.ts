import { isDecimalText, money, type Money } from "../../domain/money.ts";
import { checkRequest } from "./request-rules.ts";
import { invalid, unprocessable, textOf } from "./refusal.ts";
import type { OrderClass, OrderType, PositionIntent, Side, TimeInForce } from "./types.ts";

/** A POST /v2/orders body that has been read and makes sense in itself. */
export interface OrderRequest {
  /** Symbol or asset id. */
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
  trailPrice: Money | null;
  trailPercent: Money | null;
  clientOrderId: string | null;
  intent: PositionIntent | null;
  takeProfit: Money | null;
  stopLoss: { stopPrice: Money; limitPrice: Money | null } | null;
}

const TYPES = ["market", "limit", "stop", "stop_limit", "trailing_stop"] as const;
const LIVES = ["day", "gtc", "ioc", "fok", "opg", "cls"] as const;
const INTENTS = ["buy_to_open", "buy_to_close", "sell_to_open", "sell_to_close"] as const;

type Body = Record<string, unknown>;

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function oneOf<T extends string>(value: unknown, name: string, allowed: readonly T[], fallback?: T): T {
  if (isAbsent(value)) {
    if (fallback !== undefined) return fallback;
    throw invalid(`${name} is required`);
  }
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw invalid(`invalid ${name}: ${textOf(value)}`);
  return found;
}

/** A JSON number as decimal text: JavaScript writes the very small and the very large ones with an exponent. */
function numberText(value: number): string {
  const [digits = "", exponent] = String(value).split("e");
  if (exponent === undefined) return digits;
  const [whole = "", fraction = ""] = digits.replace("-", "").split(".");
  const point = whole.length + Number(exponent);
  const all = (whole + fraction).padEnd(point, "0");
  const text = point > 0 ? `${all.slice(0, point)}.${all.slice(point)}` : `0.${"0".repeat(-point)}${all}`;
  return (value < 0 ? "-" : "") + text.replace(/\.$/, "");
}

/** A positive decimal of at most the given places; null when absent. */
export function decimalOf(value: unknown, name: string, places = 9): Money | null {
  if (isAbsent(value)) return null;
  const text = typeof value === "number" ? numberText(value) : value;
  if (typeof text !== "string" || !isDecimalText(text)) throw invalid(`invalid ${name}: ${textOf(value)}`);
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

/** A distance to the high-water mark in percent of it. */
export function percentOf(value: unknown, name: string): Money | null {
  const percent = decimalOf(value, name, 4);
  if (percent !== null && percent.gte(100)) throw unprocessable(`${name} must be < 100`);
  return percent;
}

export function lifeOf(value: unknown): TimeInForce {
  return oneOf(value, "time_in_force", LIVES);
}

export function clientIdOf(value: unknown): string | null {
  if (isAbsent(value)) return null;
  if (typeof value !== "string") throw invalid("invalid client_order_id");
  if (value.length > 128) throw invalid("client_order_id must be no more than 128 characters");
  return value;
}

function flagOf(value: unknown, name: string): boolean {
  if (isAbsent(value)) return false;
  if (typeof value !== "boolean") throw invalid(`invalid ${name}: ${textOf(value)}`);
  return value;
}

function objectOf(value: unknown): Body | null {
  return typeof value === "object" && value !== null ? (value as Body) : null;
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
    type: oneOf(input.type, "type", TYPES),
    orderClass: orderClass === "simple" ? "" : orderClass,
    timeInForce: lifeOf(input.time_in_force),
    extendedHours: flagOf(input.extended_hours, "extended_hours"),
    qty: decimalOf(input.qty, "qty"),
    notional: decimalOf(input.notional, "notional"),
    limitPrice: priceOf(input.limit_price, "limit_price"),
    stopPrice: priceOf(input.stop_price, "stop_price"),
    trailPrice: priceOf(input.trail_price, "trail_price"),
    trailPercent: percentOf(input.trail_percent, "trail_percent"),
    clientOrderId: clientIdOf(input.client_order_id),
    intent: isAbsent(input.position_intent) ? null : oneOf(input.position_intent, "position_intent", INTENTS),
    takeProfit: priceOf(takeProfit?.limit_price, "take_profit.limit_price"),
    stopLoss:
      stopLossStop === null
        ? null
        : { stopPrice: stopLossStop, limitPrice: priceOf(stopLoss?.limit_price, "stop_loss.limit_price") },
  };
  checkRequest(request);
  return request;
}
