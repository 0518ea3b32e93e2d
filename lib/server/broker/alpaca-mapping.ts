/**
 * Alpaca's wire shapes to the port's. What comes over the wire is hostile input: numbers may be text or
 * numbers, fields may be missing, enums may grow. A payload without which an order cannot be told apart
 * is refused (the caller treats it as unknown); a word that we do not know is kept, never guessed.
 */
import * as z from "zod";
import type { OrderStatusName } from "@/lib/domain/enums.ts";
import { money, text } from "@/lib/domain/money.ts";
import type { Instant } from "@/lib/domain/time.ts";
import { decimal, id, instant, maybeDecimal, maybeInstant, maybeText, side, symbol } from "./alpaca-wire.ts";
import type {
  BrokerAccount,
  BrokerOrder,
  BrokerPosition,
  MarketClock,
  OrderRequest,
  OtherAssets,
  TradeUpdate,
} from "./broker.ts";
import { positive } from "./alpaca-activities.ts";
import { otherClassOfRow } from "./other-assets.ts";

const STATUSES: Record<string, OrderStatusName> = {
  pending_new: "PENDING_NEW",
  accepted: "ACCEPTED",
  accepted_for_bidding: "ACCEPTED",
  new: "NEW",
  held: "HELD",
  partially_filled: "PARTIALLY_FILLED",
  pending_cancel: "PENDING_CANCEL",
  pending_replace: "PENDING_REPLACE",
  done_for_day: "DONE_FOR_DAY",
  filled: "FILLED",
  canceled: "CANCELED",
  expired: "EXPIRED",
  rejected: "REJECTED",
  replaced: "REPLACED",
};
const CLASSES: Record<string, BrokerOrder["orderClass"]> = { bracket: "BRACKET", oco: "OCO", oto: "OTO" };
const TYPES: Record<string, BrokerOrder["type"]> = {
  market: "MARKET",
  limit: "LIMIT",
  stop: "STOP",
  stop_limit: "STOP_LIMIT",
  trailing_stop: "TRAILING_STOP",
};

const orderType = z.string().transform((value, ctx): BrokerOrder["type"] => {
  const known = Object.hasOwn(TYPES, value) ? TYPES[value] : undefined;
  if (known) return known;
  ctx.addIssue({ code: "custom", message: `not an order type: ${value.slice(0, 40)}` });
  return z.NEVER;
});

const orderWire = z.object({
  id,
  client_order_id: id,
  symbol,
  side,
  order_class: maybeText,
  type: orderType,
  time_in_force: z.string().min(1).max(16),
  qty: maybeDecimal,
  notional: maybeDecimal,
  limit_price: maybeDecimal,
  stop_price: maybeDecimal,
  status: z.string().min(1).max(64),
  filled_qty: maybeDecimal,
  filled_avg_price: maybeDecimal,
  created_at: maybeInstant,
  submitted_at: maybeInstant,
  updated_at: maybeInstant,
  filled_at: maybeInstant,
  canceled_at: maybeInstant,
  expired_at: maybeInstant,
  failed_at: maybeInstant,
  replaced_at: maybeInstant,
  replaced_by: maybeText,
  replaces: maybeText,
  legs: z.array(z.unknown()).nullish(),
});

/** Throws on a payload that does not name its order, symbol, side, type, status and times. */
export function orderFromWire(wire: unknown): BrokerOrder {
  const order = orderWire.parse(wire);
  const submittedAt = order.submitted_at ?? order.created_at;
  if (submittedAt === null) throw new RangeError("an order without a time of submission");
  const filledQty = order.filled_qty ?? "0";
  if (money(filledQty).isNegative() || (order.qty !== null && money(order.qty).lt(money(filledQty))))
    throw new RangeError(`an order with ${filledQty} of ${order.qty ?? "none"} filled`);
  if (order.qty === null && order.notional === null) throw new RangeError("an order without quantity and notional");
  for (const price of [order.limit_price, order.stop_price, order.filled_avg_price])
    if (price !== null && money(price).isNegative()) throw new RangeError(`an order with a price of ${price}`);
  const known = Object.hasOwn(STATUSES, order.status) ? STATUSES[order.status] : undefined;
  if (known === "FILLED" && (order.filled_avg_price === null || money(filledQty).isZero()))
    throw new RangeError("a filled order without a price or a quantity");
  const endedAt = order.canceled_at ?? order.expired_at ?? order.failed_at ?? order.replaced_at;
  return {
    id: order.id,
    clientOrderId: order.client_order_id,
    symbol: order.symbol,
    side: order.side,
    orderClass: CLASSES[order.order_class ?? ""] ?? "SIMPLE",
    type: order.type,
    timeInForce: order.time_in_force,
    qty: order.qty,
    notional: order.notional,
    limitPrice: order.limit_price,
    stopPrice: order.stop_price,
    status: known ?? "OTHER",
    brokerStatus: order.status,
    filledQty,
    filledAvgPrice: order.filled_avg_price,
    submittedAt,
    updatedAt: order.updated_at ?? submittedAt,
    filledAt: order.filled_at,
    endedAt,
    replacedById: order.replaced_by,
    replacesId: order.replaces,
    legs: (order.legs ?? []).map(orderFromWire),
  };
}

/** What pages are counted by: of whatever asset, as listed. */
export interface ListedOrder {
  id: string;
  submittedAt: Instant | null;
  legs: number;
}

const listedWire = z.object({
  id,
  submitted_at: maybeInstant.catch(null),
  created_at: maybeInstant.catch(null),
  legs: z.array(z.unknown()).nullish().catch(null),
});

function listedFromWire(wire: unknown): ListedOrder {
  const row = listedWire.parse(wire);
  return { id: row.id, submittedAt: row.submitted_at ?? row.created_at, legs: row.legs?.length ?? 0 };
}

/** An order of another asset is read for its name and place alone: it may have a shape that no stock order has. */
export function ordersFromWire(wire: unknown): {
  orders: BrokerOrder[];
  others: OtherAssets["orders"];
  listed: ListedOrder[];
} {
  const rows = z.array(z.unknown()).parse(wire);
  return {
    listed: rows.map(listedFromWire),
    orders: rows.filter((row) => otherClassOfRow(row) === null).map(orderFromWire),
    others: rows.flatMap((row) => {
      const assetClass = otherClassOfRow(row);
      if (assetClass === null) return [];
      const { id: orderId, symbol: named } = z.object({ id, symbol: maybeText }).parse(row);
      return [{ id: orderId, symbol: named ?? "several", assetClass }];
    }),
  };
}

const accountWire = z.object({
  id,
  account_number: z.string(),
  status: z.string(),
  trading_blocked: z.boolean().nullish(),
  account_blocked: z.boolean().nullish(),
  trade_suspended_by_user: z.boolean().nullish(),
  cash: decimal,
  equity: decimal,
  last_equity: decimal,
  buying_power: decimal,
  long_market_value: decimal,
  accrued_fees: maybeDecimal,
});

export function accountFromWire(wire: unknown): BrokerAccount {
  const account = accountWire.parse(wire);
  return {
    id: account.id,
    accountNumber: account.account_number,
    status: account.status,
    isBlocked: [account.trading_blocked, account.account_blocked, account.trade_suspended_by_user].includes(true),
    cash: account.cash,
    equity: account.equity,
    lastEquity: account.last_equity,
    buyingPower: account.buying_power,
    longMarketValue: account.long_market_value,
    accruedFees: account.accrued_fees,
  };
}

const positionWire = z.object({
  symbol,
  qty: decimal,
  qty_available: maybeDecimal,
  avg_entry_price: decimal,
  current_price: decimal,
  market_value: decimal,
  unrealized_pl: decimal,
  unrealized_plpc: decimal,
});

export function positionsFromWire(wire: unknown): BrokerPosition[] {
  const stocks = z
    .array(z.unknown())
    .parse(wire)
    .filter((row) => otherClassOfRow(row) === null);
  return z
    .array(positionWire)
    .parse(stocks)
    .map((position) => ({
      symbol: position.symbol,
      qty: position.qty,
      qtyAvailable: position.qty_available ?? position.qty,
      avgEntryPrice: position.avg_entry_price,
      currentPrice: position.current_price,
      marketValue: position.market_value,
      unrealizedPnl: position.unrealized_pl,
      unrealizedPnlPercent: position.unrealized_plpc,
    }));
}

const otherPositionWire = z.object({ symbol, market_value: maybeDecimal });

export function otherPositionsFromWire(wire: unknown): OtherAssets["positions"] {
  return z
    .array(z.unknown())
    .parse(wire)
    .flatMap((row) => {
      const assetClass = otherClassOfRow(row);
      if (assetClass === null) return [];
      const position = otherPositionWire.parse(row);
      return [{ symbol: position.symbol, assetClass, marketValue: position.market_value ?? "0" }];
    });
}

const clockWire = z.object({ timestamp: instant, is_open: z.boolean(), next_open: instant, next_close: instant });

export function clockFromWire(wire: unknown): MarketClock {
  const clock = clockWire.parse(wire);
  return { now: clock.timestamp, isOpen: clock.is_open, nextOpen: clock.next_open, nextClose: clock.next_close };
}

const updateWire = z.object({ event: z.string(), timestamp: instant, price: maybeDecimal, qty: maybeDecimal });

/**
 * From a `trade_updates` frame's data. An execution carries the order's cumulative quantity after it. Null for another
 * asset than a stock: reconciliation reads what money it moved.
 */
export function tradeUpdateFromWire(wire: unknown): TradeUpdate | null {
  const update = updateWire.parse(wire);
  const reported = (wire as { order?: unknown }).order;
  if (otherClassOfRow(reported) !== null) return null;
  const order = orderFromWire(reported);
  const isFill = update.event === "fill" || update.event === "partial_fill";
  if (isFill && (update.price === null || update.qty === null))
    throw new RangeError("a fill without price or quantity");
  return {
    event: update.event,
    at: update.timestamp,
    order,
    execution:
      isFill && update.price !== null && update.qty !== null
        ? positive({
            orderId: order.id,
            cumulativeQty: order.filledQty,
            qty: update.qty,
            price: update.price,
            side: order.side,
            symbol: order.symbol,
            at: update.timestamp,
          })
        : null,
  };
}

/**
 * The SDK answers nested legs of a stream update in camel case with Dates and drops the wire form: this
 * turns them back.
 */
export function wireOf(value: unknown): unknown {
  if (value instanceof Date) return Number.isFinite(value.getTime()) ? value.toISOString() : null;
  if (Array.isArray(value)) return value.map(wireOf);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(
    entries.map(([key, field]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), wireOf(field)]),
  );
}

/** The body of POST /v2/orders in the SDK's names; every number is decimal text. */
export function orderToSdk(order: OrderRequest) {
  return {
    clientOrderId: order.clientOrderId,
    symbol: order.symbol,
    side: order.side === "BUY" ? ("buy" as const) : ("sell" as const),
    // A sale that arrives when its shares are gone opens no short position, in an account that may have one.
    ...(order.side === "SELL" ? { positionIntent: "sell_to_close" as const } : {}),
    qty: text(order.qty),
    type: order.type.toLowerCase() as "market" | "limit" | "stop" | "stop_limit",
    timeInForce: order.timeInForce,
    ...(order.orderClass === "SIMPLE"
      ? {}
      : { orderClass: order.orderClass.toLowerCase() as "bracket" | "oco" | "oto" }),
    ...(order.limitPrice === null ? {} : { limitPrice: text(order.limitPrice) }),
    ...(order.stopPrice === null ? {} : { stopPrice: text(order.stopPrice) }),
    ...(order.takeProfitPrice === null ? {} : { takeProfit: { limitPrice: text(order.takeProfitPrice) } }),
    ...(order.stopLossPrice === null ? {} : { stopLoss: { stopPrice: text(order.stopLossPrice) } }),
  };
}
