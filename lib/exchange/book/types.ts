import type { Money } from "../../domain/money.ts";
import type { SessionDate } from "../../domain/time.ts";

/** RFC 3339 in UTC with nanoseconds; ordered as text. */
export type Stamp = string;

export type Side = "buy" | "sell";
export type OrderType = "market" | "limit" | "stop" | "stop_limit" | "trailing_stop";
export type OrderClass = "" | "bracket" | "oco" | "oto";
export type TimeInForce = "day" | "gtc" | "ioc" | "fok" | "opg" | "cls";
export type PositionIntent = "buy_to_open" | "buy_to_close" | "sell_to_open" | "sell_to_close";
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
  /** Of a trailing stop: where it stands now, moved with its high-water mark. */
  stopPrice: Money | null;
  trailPrice: Money | null;
  /** Percent of the high-water mark: "2.5" is 2.5 %. */
  trailPercent: Money | null;
  /** The best price since a trailing stop went live: the highest for a sell, the lowest for a buy. */
  hwm: Money | null;
  intent: PositionIntent;
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
  failedAt: Stamp | null;
  replacedAt: Stamp | null;
  replacedBy: string | null;
  replaces: string | null;
  /** What later splits have made of each share that a replaced order had traded; the order itself stays as it was reported. */
  splitSince: Money;
}

export interface Position {
  accountId: string;
  symbol: string;
  /** Negative when sold short. */
  qty: Money;
  /** What the shares held cost, with the sign of the quantity, so that the average entry price is cost over quantity. */
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
  /** How the position's cost moved, so that the execution can be taken back exactly. */
  costMoved: Money;
  /** Whether the execution made the position larger, long or short. */
  isOpening: boolean;
}

/** A line of the account's activity feed, already in wire shape; amounts are exact text. */
export interface Activity {
  accountId: string;
  seq: number;
  date: SessionDate;
  wire: Record<string, string> & { id: string; activity_type: string };
  /** The execution that a FILL reports. */
  executionId?: string | undefined;
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
  /** Only accounts that still live under the day-trading rule have these two. */
  dtbp_check?: string;
  pdt_check?: string;
}

/** What the broker may do to an account. */
export interface AccountStatus {
  status: string;
  tradingBlocked: boolean;
  transfersBlocked: boolean;
  accountBlocked: boolean;
  areKeysRevoked: boolean;
}

export interface Account {
  id: string;
  accountNumber: string;
  name: string;
  keyId: string;
  secret: string;
  cash: Money;
  /** Equity at the last close. */
  lastEquity: Money;
  /** Equity at the close before that, which is stated until the day of the last one is over. */
  priorEquity: Money;
  createdAt: Stamp;
  createdOn: SessionDate;
  deposit: Money;
  configuration: AccountConfiguration;
  standing: AccountStatus;
  /** Whether the account may borrow; otherwise it trades with its own cash and sells nothing short. */
  isMargin: boolean;
  /** Whether the day-trading rule from before June 2026 still holds: its fields, and its refusal. */
  isLegacy: boolean;
  /** Whether sales pay the regulatory fees. */
  paysFees: boolean;
  /** The last execution for which fees were charged; null before the first one. */
  chargedThrough: Stamp | null;
  /** Maintenance margin at the last close. */
  lastMaintenance: Money;
  /** Maintenance margin at the close before that. */
  priorMaintenance: Money;
}

/** What the broker says about a symbol; symbols without a row are active, tradable, lent out and not halted. */
export interface SymbolState {
  symbol: string;
  isHalted: boolean;
  status: "active" | "inactive";
  tradable: boolean;
  fractionable: boolean;
  marginable: boolean;
  shortable: boolean;
  easyToBorrow: boolean;
}

export interface Watchlist {
  id: string;
  accountId: string;
  seq: number;
  name: string;
  symbols: string[];
  createdAt: Stamp;
  updatedAt: Stamp;
}

/** Everything that hangs on an account, held in memory. */
export interface AccountState {
  account: Account;
  positions: Map<string, Position>;
  orders: Order[];
  byClientId: Map<string, Order>;
  open: Set<Order>;
  fills: Fill[];
  activities: Activity[];
  marks: EquityMark[];
  watchlists: Watchlist[];
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
