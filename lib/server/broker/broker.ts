/**
 * The port to a broker, bound to the keys of one account. The product speaks to every broker through
 * it; `alpaca.ts` is its only implementation (the practice market is reached by the same adapter).
 *
 * Quantities and prices are decimal text. Reads throw `Failure` (`broker_refused` for 401/403 keys,
 * `broker_unavailable` for anything that may pass). `submit`, `replace` and `cancel` never throw:
 * what happened to an order is data.
 */
import type { OrderClassName, SideName } from "@/lib/domain/enums.ts";
import type { DecimalText } from "@/lib/domain/money.ts";
import type { ReportedOrder } from "@/lib/domain/protocol/recorded-order.ts";
import type { Instant, SessionDate } from "@/lib/domain/time.ts";

export type BrokerOrder = ReportedOrder;

export interface BrokerExecution {
  orderId: string;
  /** Quantity of the order filled up to and including this execution. */
  cumulativeQty: DecimalText;
  qty: DecimalText;
  price: DecimalText;
  side: SideName;
  symbol: string;
  at: Instant;
  /** Absent: it stands. Taken back (busted), or changed: in place, or beside the execution that takes its place. */
  amendment?: "canceled" | "corrected";
  /** Of something else than a stock; absent for stocks. */
  assetClass?: OtherAssetClass;
}

/** What the product does not trade and a person may: crypto pairs, options, and what a broker adds to them. */
export type OtherAssetClass = string;

/** Orders and positions of other assets than stocks, as far as the latest lists of this broker named them. */
export interface OtherAssets {
  orders: { id: string; symbol: string; assetClass: OtherAssetClass }[];
  positions: { symbol: string; assetClass: OtherAssetClass; marketValue: DecimalText }[];
}

export interface BrokerAccount {
  id: string;
  accountNumber: string;
  status: string;
  isBlocked: boolean;
  cash: DecimalText;
  equity: DecimalText;
  lastEquity: DecimalText;
  buyingPower: DecimalText;
  longMarketValue: DecimalText;
  /** Fees that were incurred and are not booked yet; absent where the broker does not say. */
  accruedFees?: DecimalText | null;
}

export interface BrokerPosition {
  symbol: string;
  qty: DecimalText;
  qtyAvailable: DecimalText;
  avgEntryPrice: DecimalText;
  currentPrice: DecimalText;
  marketValue: DecimalText;
  unrealizedPnl: DecimalText;
  /** fraction */
  unrealizedPnlPercent: DecimalText;
}

/** Money and share movements that are not fills: deposits, dividends, fees, splits, mergers. */
export interface BrokerActivity {
  id: string;
  /** CSD, CSW, JNLC, DIV, FEE, INT, SPLIT, NC, MA … */
  type: string;
  symbol: string | null;
  /** USD; "0" where only shares move. */
  netAmount: DecimalText;
  /** Shares added or removed; null where none moved. */
  qty: DecimalText | null;
  date: SessionDate;
  /** The moment of that date, where the broker tells it: what is listed on a later day has none. */
  at?: Instant;
  /** What the legs of one corporate action have in common, where the broker tells it. */
  group?: string;
  /** The broker took it back: what was booked for it is to be reversed. */
  isCanceled?: boolean;
}

export interface OrderRequest {
  clientOrderId: string;
  symbol: string;
  side: SideName;
  qty: DecimalText;
  orderClass: OrderClassName;
  type: "MARKET" | "LIMIT" | "STOP" | "STOP_LIMIT";
  timeInForce: "day" | "gtc";
  limitPrice: DecimalText | null;
  stopPrice: DecimalText | null;
  takeProfitPrice: DecimalText | null;
  stopLossPrice: DecimalText | null;
}

export type SubmitOutcome =
  | { kind: "accepted"; order: BrokerOrder }
  | { kind: "rejected"; code: string; message: string }
  /** The client id is taken: look up, compare, adopt. */
  | { kind: "duplicate" }
  /** Proven not accepted: wait, then the same id again. */
  | { kind: "throttled"; retryAfterMs: number }
  | { kind: "keys_refused"; message: string }
  /** Anything else, whatever it was: the order may or may not exist. */
  | { kind: "unknown"; cause: string };

export type CancelOutcome =
  /** A request, not a fact: wait until the order is terminal. */
  | { kind: "requested" }
  /** Already in a final state: read the order again. */
  | { kind: "not_cancelable" }
  | { kind: "not_found" }
  | { kind: "failed"; cause: string };

export type ReplaceOutcome =
  /** Accepted, not done: the venue may still keep the old order; read the order to know. */
  | { kind: "replaced"; order: BrokerOrder }
  /** Refused by the broker with its code: the old order stands. */
  | { kind: "rejected"; code: string; message: string }
  | { kind: "throttled"; retryAfterMs: number }
  /** Either the old order or its replacement rests: read the order to know. */
  | { kind: "unknown"; cause: string };

export interface TradeUpdate {
  /** The broker's event word: new, fill, partial_fill, canceled … */
  event: string;
  at: Instant;
  order: BrokerOrder;
  /** On fill and partial_fill. */
  execution: BrokerExecution | null;
}

export interface MarketClock {
  now: Instant;
  isOpen: boolean;
  nextOpen: Instant;
  nextClose: Instant;
}

export interface Subscription {
  close(): void;
}

/** Lists hold stocks alone, executions apart: those of other assets move the same cash, and say so. */
export interface Broker {
  account(): Promise<BrokerAccount>;
  positions(): Promise<BrokerPosition[]>;
  /** What the lists before left out. Asks nothing. */
  otherAssets?(): OtherAssets;
  clock(): Promise<MarketClock>;
  submit(order: OrderRequest): Promise<SubmitOutcome>;
  cancel(brokerOrderId: string): Promise<CancelOutcome>;
  /** Changes a resting order in place: it is replaced by a new one, and at every moment one of the two rests. */
  replace(brokerOrderId: string, change: { stopPrice: DecimalText }): Promise<ReplaceOutcome>;
  /** Null when the broker knows none (yet): absence is no proof inside the settle window. */
  orderByClientId(clientOrderId: string): Promise<BrokerOrder | null>;
  order(brokerOrderId: string): Promise<BrokerOrder | null>;
  /** Every order submitted after `since`, complete however many pages it takes, legs nested. */
  ordersSince(since: Instant | null): Promise<BrokerOrder[]>;
  openOrders(): Promise<BrokerOrder[]>;
  /** Every execution after `since`, complete, ascending; those that were taken back or changed are marked. */
  executionsSince(since: Instant | null): Promise<BrokerExecution[]>;
  /** Every non-trade activity dated at or after `since`, complete, ascending. */
  activitiesSince(since: SessionDate | null): Promise<BrokerActivity[]>;
  /**
   * Follows trade updates until closed. `onReady` is called after each (re)connect, when updates flow:
   * reconcile then, because the stream replays nothing. `onRefused` is called when the broker does not let
   * these keys in: the next attempt is made much later.
   */
  tradeUpdates(handlers: {
    onUpdate: (update: TradeUpdate) => void;
    onReady: () => void;
    onState: (state: string) => void;
    onRefused?: () => void;
  }): Subscription;
}
