import { clientOrderId } from "../ids.ts";
import { type Money, money, sum, text, ZERO } from "../money.ts";
import type { Policy } from "../policy.ts";
import type { FeatureRow } from "../screening/features.ts";
import type { Instant, SessionDate } from "../time.ts";
import { applyFill, applySplit, emptyBook, type PositionBook } from "./apply-fill.ts";
import type { BacktestFill, BacktestOrder, BacktestTrade, EntryReason } from "./backtest-result.ts";
import { fillCost, type ProtectiveLegs } from "./fill-model.ts";
import type { KillStateName, PlannedOrder, PositionReview, RegimeLabel, SideName, StrategyName } from "./plan.ts";
import type { ExitReason } from "./reasons.ts";

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
  /** Returns of closed round trips, newest last. */
  tripReturns: number[];
  stopOuts: { symbol: string; session: SessionDate }[];
  /** Sessions of day trades. */
  dayTrades: SessionDate[];
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
  /** The session in which they came to rest: its bar cannot hit the target. */
  since: SessionDate;
}

interface DayTotals {
  realised: Money;
  dividends: Money;
  fees: Money;
  traded: Money;
}

/** What a fill needs to know of its moment. */
export interface FillMoment {
  session: SessionDate;
  at: Instant;
  regime: RegimeLabel;
  policy: Policy;
  featuresOf(symbol: string): FeatureRow | null;
  describe(symbol: string): { name: string; sector: string | null };
  sessionsBetween(from: SessionDate, to: SessionDate): number;
}

/** How far back the shell remembers what the engine asks about. */
const STOP_OUT_SESSIONS = 10;
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
    tripReturns: [],
    stopOuts: [],
    dayTrades: [],
    killState: "NONE",
    day: emptyDay(),
  };
}

/** Begins a session: new totals, and what lies too far back is forgotten. `recent` ends with the new session. */
export function beginDay(ledger: Ledger, recent: readonly SessionDate[]): void {
  ledger.day = emptyDay();
  const stopOutsFrom = recent.at(-STOP_OUT_SESSIONS - 1) ?? recent[0] ?? "";
  const dayTradesFrom = recent.at(-DAY_TRADE_SESSIONS) ?? recent[0] ?? "";
  ledger.stopOuts = ledger.stopOuts.filter(({ session }) => session >= stopOutsFrom);
  ledger.dayTrades = ledger.dayTrades.filter((session) => session >= dayTradesFrom);
}

/** A split before the open: shares multiplied, and every price of the position and its resting orders divided. */
export function splitHolding(ledger: Ledger, symbol: string, ratio: string): void {
  const factor = money(ratio);
  const price = (value: Money) => value.div(factor).toDecimalPlaces(9);
  const shares = (value: Money) => value.times(factor).toDecimalPlaces(9);
  const held = ledger.positions.get(symbol);
  if (held !== undefined) {
    const { highestClose, entryAtr } = held.review;
    held.book = applySplit(held.book, ratio);
    held.stopPrice = price(held.stopPrice);
    held.targetPrice = price(held.targetPrice);
    held.review = {
      ...held.review,
      highestClose: highestClose === null ? null : text(price(money(highestClose))),
      entryAtr: entryAtr === null ? null : entryAtr / factor.toNumber(),
    };
  }
  for (const resting of [...(ledger.legs.get(symbol) ?? []), ...ledger.entries]) {
    if (resting.order.symbol !== symbol) continue;
    resting.qty = shares(resting.qty);
    resting.stopPrice = price(resting.stopPrice);
    resting.targetPrice = price(resting.targetPrice);
    if ("limitPrice" in resting) resting.limitPrice = price(resting.limitPrice);
  }
}

/** A dividend of the ex-date, on the shares held through the night. */
export function payDividend(ledger: Ledger, symbol: string, amount: string): void {
  const held = ledger.positions.get(symbol);
  if (held === undefined) return;
  const paid = money(held.book.qty).times(amount).toDecimalPlaces(9);
  ledger.cash = ledger.cash.plus(paid);
  ledger.day.dividends = ledger.day.dividends.plus(paid);
}

/** Enters a planned order into the list of orders; its id follows from session and leg. */
export function acceptOrder(
  ledger: Ledger,
  planned: PlannedOrder,
  accountId: string,
  session: SessionDate,
): BacktestOrder {
  const { leg, purpose, symbol, side, qty, type, timeInForce, limitPrice, stopLossPrice, takeProfitPrice } = planned;
  const { decisionPrice, reason, strategy, confidence } = planned;
  const order: BacktestOrder = {
    id: clientOrderId(session, accountId, leg, 1),
    session,
    symbol,
    purpose,
    side,
    qty,
    type,
    timeInForce,
    limitPrice,
    stopLossPrice,
    takeProfitPrice,
    decisionPrice,
    reason,
    strategy,
    confidence,
    status: "WORKING",
    closedSession: null,
  };
  ledger.orders.push(order);
  return order;
}

export function closeOrder(order: BacktestOrder, status: BacktestOrder["status"], session: SessionDate): void {
  order.status = status;
  order.closedSession = session;
}

interface Execution {
  order: BacktestOrder;
  side: SideName;
  qty: Money;
  price: Money;
  reason: ExitReason | EntryReason;
}

/** Books one fill: cash, lots by `applyFill`, costs, the round trip it closes. Answers false when cash does not cover a buy. */
function book(ledger: Ledger, execution: Execution, moment: FillMoment): boolean {
  const { order, side, qty, price, reason } = execution;
  const { symbol } = order;
  const { session, policy } = moment;
  const features = moment.featuresOf(symbol);
  const cost = fillCost(
    {
      side,
      qty,
      price,
      adv: features?.adv20 ?? null,
      sigmaDaily: features === null || features.sigma60 === null ? null : features.sigma60 / Math.sqrt(252),
      date: session,
    },
    policy,
  );
  const value = qty.times(price);
  if (side === "BUY" && value.plus(cost.total).gt(ledger.cash)) return false;
  const held = ledger.positions.get(symbol);
  const id = `${order.id}:${ledger.fills.length + 1}`;
  const result = applyFill(held?.book ?? emptyBook(symbol), {
    id,
    side,
    qty: text(qty),
    price: text(price),
    fees: text(cost.total),
    at: moment.at,
  });
  const { day } = ledger;
  ledger.cash = (side === "BUY" ? ledger.cash.minus(value) : ledger.cash.plus(value)).minus(cost.total);
  day.fees = day.fees.plus(cost.total);
  day.traded = day.traded.plus(value);
  for (const { proceeds, cost: paid } of result.closures) day.realised = day.realised.plus(proceeds).minus(paid);
  ledger.fills.push({
    id,
    orderId: order.id,
    session,
    symbol,
    side,
    qty: text(qty),
    price: text(price),
    spreadCost: text(cost.spread),
    impactCost: text(cost.impact),
    fees: text(cost.fees),
    reason,
  });
  if (held !== undefined) held.book = result.book;
  if (held === undefined || result.trip === null) return true;

  const { trip } = result;
  const entryValue = money(trip.entryValue);
  const pnlFraction = money(trip.pnl).div(entryValue).toNumber();
  ledger.trades.push({
    symbol,
    ...moment.describe(symbol),
    strategy: held.strategy,
    opened: held.openedSession,
    closed: session,
    sessionsHeld: moment.sessionsBetween(held.openedSession, session),
    qty: trip.qtyBought,
    entryPrice: text(entryValue.div(trip.qtyBought).toDecimalPlaces(9)),
    exitPrice: text(money(trip.exitValue).div(trip.qtySold).toDecimalPlaces(9)),
    fees: trip.fees,
    pnl: trip.pnl,
    pnlFraction,
    outcome: trip.outcome,
    entryReason: held.entryReason,
    exitReason: reason as ExitReason,
    entryRegime: held.entryRegime,
  });
  ledger.tripReturns.push(pnlFraction);
  if (reason === "protective_stop") ledger.stopOuts.push({ symbol, session });
  if (held.openedSession === session) ledger.dayTrades.push(session);
  ledger.positions.delete(symbol);
  dropLegs(ledger, symbol, session);
  return true;
}

/** The legs that rested for a symbol are cancelled. */
export function dropLegs(ledger: Ledger, symbol: string, session: SessionDate): void {
  for (const { order } of ledger.legs.get(symbol) ?? []) {
    if (order.purpose === "PROTECT" && order.status === "WORKING") closeOrder(order, "CANCELLED", session);
  }
  ledger.legs.delete(symbol);
}

/** An entry is bought: the position opens, its stop and target come to rest. Cash that does not cover it refuses it. */
export function fillEntry(ledger: Ledger, entry: RestingEntry, price: Money, moment: FillMoment): void {
  const { order, qty, stopPrice, targetPrice, atr } = entry;
  const { session } = moment;
  const { symbol } = order;
  const held: Held = ledger.positions.get(symbol) ?? {
    book: emptyBook(symbol),
    strategy: order.strategy,
    openedSession: session,
    stopPrice,
    targetPrice,
    review: { highestClose: null, entryAtr: atr, weakReviews: 0, belowTrend: 0, reviewedSession: null },
    entryReason: order.reason as EntryReason,
    entryRegime: moment.regime,
  };
  const isNew = !ledger.positions.has(symbol);
  ledger.positions.set(symbol, held);
  if (!book(ledger, { order, side: "BUY", qty, price, reason: order.reason }, moment)) {
    if (isNew) ledger.positions.delete(symbol);
    closeOrder(order, "REJECTED", session);
    return;
  }
  closeOrder(order, "FILLED", session);
  restLegs(ledger, { order, qty, stopPrice, targetPrice, since: session });
}

export function restLegs(ledger: Ledger, legs: RestingLegs): void {
  const { symbol } = legs.order;
  ledger.legs.set(symbol, [...(ledger.legs.get(symbol) ?? []), legs]);
}

/** One of a pair of legs is sold; the pair is gone. */
export function fillLeg(
  ledger: Ledger,
  legs: RestingLegs,
  fill: { leg: "STOP" | "TARGET"; price: Money },
  moment: FillMoment,
): void {
  const { order } = legs;
  const held = ledger.positions.get(order.symbol);
  const rest = (ledger.legs.get(order.symbol) ?? []).filter((other) => other !== legs);
  ledger.legs.set(order.symbol, rest);
  if (order.purpose === "PROTECT") closeOrder(order, "FILLED", moment.session);
  if (held === undefined) return;
  const reason = fill.leg === "STOP" ? "protective_stop" : "profit_target";
  const qty = legs.qty.gt(held.book.qty) ? money(held.book.qty) : legs.qty;
  if (qty.gt(0)) book(ledger, { order, side: "SELL", qty, price: fill.price, reason }, moment);
}

/** A market sell fills at the open; without a price it waits in vain and expires with the session. */
export function fillExit(ledger: Ledger, order: BacktestOrder, price: Money | null, moment: FillMoment): void {
  dropLegs(ledger, order.symbol, moment.session);
  const held = ledger.positions.get(order.symbol);
  if (price === null || held === undefined) return closeOrder(order, "EXPIRED", moment.session);
  const qty = money(order.qty).gt(held.book.qty) ? money(held.book.qty) : money(order.qty);
  book(ledger, { order, side: "SELL", qty, price, reason: order.reason }, moment);
  closeOrder(order, "FILLED", moment.session);
}

/** Value of all positions at a price each. */
export function positionsValue(ledger: Ledger, priceOf: (symbol: string) => Money): Money {
  return sum(
    [...ledger.positions].map(
      ([
        symbol,
        {
          book: { qty },
        },
      ]) => money(qty).times(priceOf(symbol)),
    ),
  );
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
