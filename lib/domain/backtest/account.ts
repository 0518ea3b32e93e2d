import type { KillStateName, RegimeLabel, SideName, StrategyName } from "../enums.ts";
import { type Money, money, sum, ZERO } from "../money.ts";
import type { Instant, SessionDate } from "../time.ts";
import type { PositionBook } from "../engine/apply-fill.ts";
import type { BacktestFill, BacktestOrder, BacktestTrade, EntryReason } from "./result.ts";
import type { ProtectiveLegs } from "./fill-model.ts";
import type { OpenOrderView, PositionReview } from "../engine/plan.ts";

/** The account of a backtest: what the broker and the database keep for a live one. Mutable; it never leaves the fold. */
export interface Ledger {
  cash: Money;
  positions: Map<string, Held>;
  /** Entries that wait for their price. */
  entries: RestingEntry[];
  /** Stop and target pairs, by symbol. */
  legs: Map<string, RestingLegs[]>;
  orders: BacktestOrder[];
  fills: BacktestFill[];
  trades: BacktestTrade[];
  /** R of closed round trips by strategy, newest last; null where the initial risk is not known. */
  tripMultiples: Map<StrategyName, (number | null)[]>;
  stopOuts: { symbol: string; session: SessionDate }[];
  /** Last session in which a symbol was sold at a loss. */
  lossSales: Map<string, { symbol: string; session: SessionDate }>;
  /** Of the sessions over which day trades are counted, in order. */
  recentFills: { session: SessionDate; symbol: string; side: SideName }[];
  /** What the engine latched; no person resumes a backtest. */
  killState: KillStateName;
  day: DayTotals;
}

export interface Held {
  book: PositionBook;
  strategy: StrategyName | null;
  openedSession: SessionDate;
  stopPrice: Money;
  targetPrice: Money;
  review: PositionReview;
  splitBookedOn?: SessionDate;
  /** What the round trip loses if its first stop is hit, USD, costs apart. */
  initialRisk: Money;
  entryReason: EntryReason;
  entryRegime: RegimeLabel;
}

export interface RestingEntry {
  order: BacktestOrder;
  qty: Money;
  limitPrice: Money;
  stopPrice: Money;
  targetPrice: Money;
  atr: number | null;
  submittedAt: Instant;
}

export interface RestingLegs extends ProtectiveLegs {
  order: BacktestOrder;
  qty: Money;
  /** The stop was moved up behind the price. */
  isTrailing: boolean;
  /** The session in which they came to rest: its bar cannot hit the target. */
  since: SessionDate;
  /** The pair as an input of `decide`, kept with the amounts it was made of, until one of them changes. */
  shown?: { qty: Money; targetPrice: Money; orders: readonly OpenOrderView[] };
}

interface DayTotals {
  realised: Money;
  dividends: Money;
  fees: Money;
  traded: Money;
}

const DAY_TRADE_SESSIONS = 5;

function emptyDay(): DayTotals {
  return { realised: ZERO, dividends: ZERO, fees: ZERO, traded: ZERO };
}

export function openLedger(cash: Money): Ledger {
  return {
    cash,
    positions: new Map(),
    entries: [],
    legs: new Map(),
    orders: [],
    fills: [],
    trades: [],
    tripMultiples: new Map(),
    stopOuts: [],
    lossSales: new Map(),
    recentFills: [],
    killState: "NONE",
    day: emptyDay(),
  };
}

/** Begins a session: new totals, and what lies too far back is forgotten. `recent`: the sessions that the rules know, to the new one. */
export function beginDay(ledger: Ledger, recent: readonly SessionDate[]): void {
  ledger.day = emptyDay();
  const stopOutsFrom = recent[0] ?? "";
  const dayTradesFrom = recent.at(-DAY_TRADE_SESSIONS) ?? recent[0] ?? "";
  ledger.stopOuts = ledger.stopOuts.filter(({ session }) => session >= stopOutsFrom);
  ledger.recentFills = ledger.recentFills.filter(({ session }) => session >= dayTradesFrom);
}

/** Value of all positions at a price each. */
export function positionsValue(ledger: Ledger, priceOf: (symbol: string) => Money): Money {
  let value = ZERO;
  for (const [symbol, { book }] of ledger.positions) value = value.plus(money(book.qty).times(priceOf(symbol)));
  return value;
}

/** Value less cost of what is held, fees apart. */
export function unrealisedOf(ledger: Ledger, priceOf: (symbol: string) => Money): Money {
  const parts: Money[] = [];
  for (const [symbol, held] of ledger.positions) {
    const price = priceOf(symbol);
    for (const { qtyRemaining, costPrice } of held.book.lots)
      parts.push(money(qtyRemaining).times(price.minus(costPrice)));
  }
  return sum(parts);
}
