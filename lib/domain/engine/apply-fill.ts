import type { SideName, TripOutcome } from "../enums.ts";
import { averageCost, type Closure, closeLots, type Lot, lotsQty, openLot, splitLots } from "../lots.ts";
import { type DecimalText, money, sum, text } from "../money.ts";
import { tripOutcome } from "../metrics.ts";
import type { Instant } from "../time.ts";

export interface BookLot {
  id: string;
  qtyOpened: DecimalText;
  qtyRemaining: DecimalText;
  costPrice: DecimalText;
  feesRemaining: DecimalText;
  openedAt: Instant;
  sequence: number;
}

/** Flat to flat; open while the position is. */
export interface TripSoFar {
  openedAt: Instant;
  qtyBought: DecimalText;
  qtySold: DecimalText;
  entryValue: DecimalText;
  exitValue: DecimalText;
  fees: DecimalText;
  /** Realised so far, after fees. */
  pnl: DecimalText;
}

export interface ClosedTrip extends TripSoFar {
  closedAt: Instant;
  outcome: TripOutcome;
}

/** One symbol of one account. Plain JSON, so that live and backtest keep the same book. */
export interface PositionBook {
  symbol: string;
  qty: DecimalText;
  /** FIFO cost per share of what is held; null when flat. */
  avgPrice: DecimalText | null;
  lots: BookLot[];
  nextSequence: number;
  trip: TripSoFar | null;
}

export interface FillEvent {
  /** Id of the execution: it becomes the id of the lot that a buy opens. */
  id: string;
  side: SideName;
  qty: DecimalText;
  price: DecimalText;
  fees: DecimalText;
  at: Instant;
}

export interface BookClosure {
  lotId: string;
  qty: DecimalText;
  proceeds: DecimalText;
  cost: DecimalText;
  fees: DecimalText;
  realizedPnl: DecimalText;
}

export interface FillResult {
  book: PositionBook;
  closures: BookClosure[];
  /** The round trip that this fill closed; null otherwise. */
  trip: ClosedTrip | null;
  /** Shares sold that the book did not hold. */
  unmatchedQty: DecimalText;
}

export function emptyBook(symbol: string): PositionBook {
  return { symbol, qty: "0", avgPrice: null, lots: [], nextSequence: 1, trip: null };
}

function readLot(lot: BookLot): Lot {
  return {
    ...lot,
    qtyOpened: money(lot.qtyOpened),
    qtyRemaining: money(lot.qtyRemaining),
    costPrice: money(lot.costPrice),
    feesRemaining: money(lot.feesRemaining),
  };
}

function writeLot(lot: Lot): BookLot {
  return {
    ...lot,
    qtyOpened: text(lot.qtyOpened),
    qtyRemaining: text(lot.qtyRemaining),
    costPrice: text(lot.costPrice),
    feesRemaining: text(lot.feesRemaining),
  };
}

function writeClosure(closure: Closure): BookClosure {
  return {
    lotId: closure.lotId,
    qty: text(closure.qty),
    proceeds: text(closure.proceeds),
    cost: text(closure.cost),
    fees: text(closure.fees),
    realizedPnl: text(closure.realizedPnl),
  };
}

function withLots(
  book: PositionBook,
  lots: Lot[],
  trip: TripSoFar | null,
  nextSequence = book.nextSequence,
): PositionBook {
  const average = averageCost(lots);
  return {
    symbol: book.symbol,
    qty: text(lotsQty(lots)),
    avgPrice: average === null ? null : text(average),
    lots: lots.map(writeLot),
    nextSequence,
    trip,
  };
}

function applyBuy(book: PositionBook, fill: FillEvent): FillResult {
  const { id, at } = fill;
  const [qty, price, fees] = [money(fill.qty), money(fill.price), money(fill.fees)];
  const lots = [...book.lots.map(readLot), openLot({ id, sequence: book.nextSequence, qty, price, fees, at })];
  const before = book.trip ?? {
    openedAt: at,
    qtyBought: "0",
    qtySold: "0",
    entryValue: "0",
    exitValue: "0",
    fees: "0",
    pnl: "0",
  };
  const trip: TripSoFar = {
    ...before,
    qtyBought: text(qty.plus(before.qtyBought)),
    entryValue: text(qty.times(price).toDecimalPlaces(9).plus(before.entryValue)),
    fees: text(fees.plus(before.fees)),
  };
  return { book: withLots(book, lots, trip, book.nextSequence + 1), closures: [], trip: null, unmatchedQty: "0" };
}

function applySell(book: PositionBook, fill: FillEvent): FillResult {
  const qty = money(fill.qty);
  const sold = closeLots(book.lots.map(readLot), {
    qty,
    price: money(fill.price),
    fees: money(fill.fees),
    at: fill.at,
  });
  const closures = sold.closures.map(writeClosure);
  const unmatchedQty = text(sold.unmatchedQty);
  if (book.trip === null || closures.length === 0) {
    return { book: withLots(book, sold.lots, book.trip), closures, trip: null, unmatchedQty };
  }
  const matched = qty.minus(sold.unmatchedQty);
  const ownFees = money(fill.fees).times(matched).div(qty).toDecimalPlaces(9);
  const trip: TripSoFar = {
    ...book.trip,
    qtySold: text(matched.plus(book.trip.qtySold)),
    exitValue: text(sum(sold.closures.map(({ proceeds }) => proceeds)).plus(book.trip.exitValue)),
    fees: text(ownFees.plus(book.trip.fees)),
    pnl: text(sum(sold.closures.map(({ realizedPnl }) => realizedPnl)).plus(book.trip.pnl)),
  };
  const isFlat = sold.lots.length === 0;
  return {
    book: withLots(book, sold.lots, isFlat ? null : trip),
    closures,
    trip: isFlat ? { ...trip, closedAt: fill.at, outcome: tripOutcome(money(trip.pnl)) } : null,
    unmatchedQty,
  };
}

/**
 * One fill, applied: a buy opens a lot, a sell closes the oldest ones, and the round trip closes when the position is flat.
 * Live trading and backtest use this and nothing else. Not idempotent by itself: the caller applies each execution once.
 */
export function applyFill(book: PositionBook, fill: FillEvent): FillResult {
  return fill.side === "BUY" ? applyBuy(book, fill) : applySell(book, fill);
}

/** A split before the open: shares multiplied, cost divided; the round trip goes on in new shares. */
export function applySplit(book: PositionBook, ratio: DecimalText): PositionBook {
  const scaled = (qty: DecimalText) => text(money(qty).times(ratio).toDecimalPlaces(9));
  const trip =
    book.trip === null
      ? null
      : { ...book.trip, qtyBought: scaled(book.trip.qtyBought), qtySold: scaled(book.trip.qtySold) };
  return withLots(book, splitLots(book.lots.map(readLot), ratio), trip);
}
