import type { Money } from "../../domain/money.ts";
import type { SessionDate } from "../../domain/time.ts";

/** RFC 3339 in UTC with nanoseconds; ordered as text. */
export type Stamp = string;

export type Side = "buy" | "sell";
export type OrderType = "market" | "limit" | "stop" | "stop_limit";
export type OrderClass = "" | "bracket" | "oco" | "oto";
export type TimeInForce = "day" | "gtc" | "ioc" | "fok";
export type OrderStatus =
  | "accepted"
  | "pending_new"
  | "new"
  | "held"
  | "partially_filled"
  | "filled"
  | "canceled"
  | "expired"
  | "replaced"
  | "rejected";

export interface Order {
  id: string;
  /** Order of arrival over the whole exchange. */
  seq: number;
  accountId: string;
  clientOrderId: string;
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
  status: OrderStatus;
  filledQty: Money;
  /** Sum of quantity times price over the fills. */
  filledCost: Money;
  /** A stop that has been touched: from then on it is a market or a limit order. */
  isTriggered: boolean;
  /** First order of its group; null for orders on their own and for the group's first order. */
  parentId: string | null;
  legIds: string[];
  createdAt: Stamp;
  submittedAt: Stamp;
  updatedAt: Stamp;
  expiresAtMs: number;
  filledAt: Stamp | null;
  expiredAt: Stamp | null;
  canceledAt: Stamp | null;
  replacedAt: Stamp | null;
  replacedBy: string | null;
  replaces: string | null;
}

export interface Position {
  accountId: string;
  symbol: string;
  qty: Money;
  /** What the shares held cost, so that the average entry price is cost over quantity. */
  cost: Money;
  /** What today's profit is measured against: yesterday's value plus what was bought today. */
  dayCost: Money;
}

export interface Fill {
  id: string;
  orderId: string;
  accountId: string;
  symbol: string;
  side: Side;
  qty: Money;
  price: Money;
  cumQty: Money;
  leavesQty: Money;
  at: Stamp;
}

/** A line of the account's activity feed, already in wire shape; amounts are exact text. */
export interface Activity {
  accountId: string;
  seq: number;
  date: SessionDate;
  wire: Record<string, string> & { id: string; activity_type: string };
}

export interface EquityMark {
  accountId: string;
  /** Epoch milliseconds of market time. */
  atMs: number;
  date: SessionDate;
  equity: Money;
  isClose: boolean;
}

export interface AccountConfiguration {
  disable_overnight_trading: boolean;
  fractional_trading: boolean;
  max_margin_multiplier: string;
  max_options_trading_level: number | null;
  no_shorting: boolean;
  ptp_no_exception_entry: boolean;
  suspend_trade: boolean;
  trade_confirm_email: string;
}

export interface Account {
  id: string;
  accountNumber: string;
  name: string;
  keyId: string;
  secret: string;
  cash: Money;
  lastEquity: Money;
  createdAt: Stamp;
  createdOn: SessionDate;
  deposit: Money;
  configuration: AccountConfiguration;
}

/** Everything that hangs on an account, held in memory. */
export interface Holder {
  account: Account;
  positions: Map<string, Position>;
  orders: Order[];
  byClientId: Map<string, Order>;
  open: Set<Order>;
  fills: Fill[];
  activities: Activity[];
  marks: EquityMark[];
  /** Shares used of a symbol's current minute, by symbol. */
  used: Map<string, { minute: number; qty: number }>;
}

export const FINAL_STATUSES: ReadonlySet<OrderStatus> = new Set([
  "filled",
  "canceled",
  "expired",
  "replaced",
  "rejected",
]);

export function isFinal(order: Order): boolean {
  return FINAL_STATUSES.has(order.status);
}
