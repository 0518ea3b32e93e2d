import { type Money, money, ZERO } from "../money.ts";
import { emptyBook } from "../engine/apply-fill.ts";
import type { Held, Ledger, RestingEntry, RestingLegs } from "./account.ts";
import { bookFill, type FillMoment } from "./book-fill.ts";
import { closeOrder, dropLegs, restLegs } from "./orders.ts";
import type { BacktestOrder, EntryReason } from "./result.ts";

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
    initialRisk: ZERO,
    entryReason: order.reason as EntryReason,
    entryRegime: moment.regime,
  };
  const isNew = !ledger.positions.has(symbol);
  ledger.positions.set(symbol, held);
  if (!bookFill(ledger, { order, side: "BUY", qty, price, reason: order.reason }, moment)) {
    if (isNew) ledger.positions.delete(symbol);
    closeOrder(order, "REJECTED", session);
    return;
  }
  held.initialRisk = held.initialRisk.plus(qty.times(price.minus(stopPrice)));
  closeOrder(order, "FILLED", session);
  restLegs(ledger, { order, qty, stopPrice, targetPrice, since: session, isTrailing: false });
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
  const stopReason = legs.isTrailing ? "trailing_stop" : "protective_stop";
  const reason = fill.leg === "STOP" ? stopReason : "profit_target";
  const qty = legs.qty.gt(held.book.qty) ? money(held.book.qty) : legs.qty;
  if (qty.gt(0)) bookFill(ledger, { order, side: "SELL", qty, price: fill.price, reason }, moment);
}

/**
 * A market sell fills at the open; without a price it is not filled and expires with the session. After a sale of a part
 * one pair rests again over what is left, at the position's own stop and target, as the live automation places it at once.
 */
export function fillExit(ledger: Ledger, order: BacktestOrder, price: Money | null, moment: FillMoment): void {
  const { symbol } = order;
  const [first] = ledger.legs.get(symbol) ?? [];
  dropLegs(ledger, symbol, moment.session);
  const held = ledger.positions.get(symbol);
  if (price === null || held === undefined) return closeOrder(order, "EXPIRED", moment.session);
  const qty = money(order.qty).gt(held.book.qty) ? money(held.book.qty) : money(order.qty);
  bookFill(ledger, { order, side: "SELL", qty, price, reason: order.reason }, moment);
  closeOrder(order, "FILLED", moment.session);
  const left = money(held.book.qty);
  if (first === undefined || left.lte(0)) return;
  const { stopPrice, targetPrice } = held;
  restLegs(ledger, { ...first, qty: left, stopPrice, targetPrice });
}
