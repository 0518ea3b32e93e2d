import type { AccountState, MarketView, PlannedOrder } from "@/lib/domain/engine/plan.ts";
import { money, sum, ZERO, type Money } from "@/lib/domain/money.ts";
import { lastPrice } from "@/lib/domain/risk/book.ts";
import type { SessionDate } from "@/lib/domain/time.ts";

/** Shares that the draft would hold beyond the recorded ones; negative where it would hold fewer. */
interface Shadow {
  qty: Money;
  /** The price at which the difference began. */
  basis: Money;
  mark: Money;
  /**
   * "recorded": it ends when the recorded position ends, and counts only once that exists. "own": only the
   * draft has it, and it ends where its stop or target is seen.
   */
  life: "recorded" | "own";
  isHeld: boolean;
  /** The draft sold here what the record still holds. */
  isSold: boolean;
  stop: Money | null;
  target: Money | null;
  splitOf: SessionDate | null;
}

/** What one account would have beyond its record. */
export interface ShadowBook {
  open: Map<string, Shadow>;
  /** P&L of differences that are over, USD. */
  closed: Money;
}

export function emptyShadowBook(): ShadowBook {
  return { open: new Map(), closed: ZERO };
}

const profit = ({ qty, basis, mark, isHeld }: Shadow) => (isHeld ? qty.times(mark.minus(basis)) : ZERO);

function end(book: ShadowBook, symbol: string): void {
  const shadow = book.open.get(symbol);
  if (!shadow) return;
  book.closed = book.closed.plus(profit(shadow));
  book.open.delete(symbol);
}

/** Brings the book to the prices of a recorded look and ends what is over by then. */
export function followShadows(book: ShadowBook, state: AccountState, market: MarketView): void {
  for (const [symbol, shadow] of book.open) {
    const view = market.symbols[symbol];
    const split = view?.splitToday ?? null;
    if (split !== null && shadow.splitOf !== market.session.date) {
      shadow.qty = shadow.qty.times(split);
      for (const key of ["basis", "mark"] as const) shadow[key] = shadow[key].div(split);
      shadow.stop = shadow.stop?.div(split) ?? null;
      shadow.target = shadow.target?.div(split) ?? null;
      shadow.splitOf = market.session.date;
    }
    shadow.mark = lastPrice(view) ?? shadow.mark;
    if (shadow.life === "own") {
      const { mark, stop, target } = shadow;
      if ((stop !== null && mark.lte(stop)) || (target !== null && mark.gte(target))) end(book, symbol);
    } else if (state.positions.some((row) => row.symbol === symbol && money(row.qty).gt(0))) {
      shadow.isHeld = true;
    } else if (shadow.isHeld || !state.openOrders.some((order) => order.symbol === symbol && order.side === "BUY")) {
      end(book, symbol);
    }
  }
}

function begin(book: ShadowBook, order: PlannedOrder, qty: Money, part: Partial<Shadow>, session: SessionDate): void {
  end(book, order.symbol);
  if (qty.isZero()) return;
  const price = money(order.decisionPrice);
  book.open.set(order.symbol, {
    qty,
    basis: price,
    mark: price,
    life: "recorded",
    isHeld: false,
    isSold: false,
    stop: null,
    target: null,
    splitOf: session,
    ...part,
  });
}

const levelsOf = (stop: string | null, target: string | null) => ({
  stop: stop === null ? null : money(stop),
  target: target === null ? null : money(target),
});

/** One symbol and side of one look: what was recorded (`was`) beside what the draft would do (`now`). */
export function shadowOrder(
  book: ShadowBook,
  state: AccountState,
  market: MarketView,
  was: PlannedOrder | null,
  now: PlannedOrder | null,
): void {
  const order = now ?? was;
  if (order === null) return;
  const session = market.session.date;
  const own = book.open.get(order.symbol);
  const qty = (planned: PlannedOrder | null) => (planned === null ? ZERO : money(planned.qty));
  if (order.side === "BUY") {
    if (was !== null) {
      // The draft may have bought before the record did.
      const ofDraft = now === null && own?.life === "own" ? own.qty : qty(now);
      begin(book, order, ofDraft.minus(qty(was)), {}, session);
    } else if (!own) {
      const levels = levelsOf(order.stopLossPrice, order.takeProfitPrice);
      begin(book, order, qty(now), { life: "own", isHeld: true, ...levels }, session);
    }
  } else if (was === null) {
    begin(book, order, qty(now).negated(), { isHeld: true, isSold: true }, session);
  } else if (now === null && !own) {
    const position = state.positions.find((row) => row.symbol === order.symbol);
    const levels = levelsOf(position?.stopPrice ?? null, position?.targetPrice ?? null);
    begin(book, order, qty(was), { life: "own", isHeld: true, ...levels }, session);
  }
}

/**
 * True where the draft has traded so already and the record has not: it holds what it would buy, or has sold what it would
 * sell. Recorded accounts do not know of it, so every later look wishes the same again.
 */
export function hasTradedAlone(book: ShadowBook, { side, symbol }: Pick<PlannedOrder, "side" | "symbol">): boolean {
  const shadow = book.open.get(symbol);
  return side === "BUY" ? shadow?.life === "own" : shadow?.isSold === true;
}

/** What the draft would have gained beyond the record so far, USD, at the prices last seen. */
export function shadowPnl(book: ShadowBook): Money {
  return book.closed.plus(sum([...book.open.values()].map(profit)));
}
