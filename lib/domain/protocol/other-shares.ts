/** Whether a level of our books is one of the shares that the broker holds now. */
import { money, type Money } from "../money.ts";
import { BOOKS_READ_MS } from "./settings.ts";

/** Shares of a position and what each cost, USD. */
interface Held {
  qty: { toString(): string };
  avgEntryPrice: { toString(): string };
}

/** A split changes the number of shares by more than this, and what they cost together by less. Fractions */
const LEAST_SPLIT = money("0.04");
const MOST_COST_CHANGE = money("0.03");

/** The broker has split the shares and our books have not: another number of them cost the same. */
function isSplit(ours: Held, theirs: Held): boolean {
  const [qty, theirQty] = [money(ours.qty), money(theirs.qty)];
  const [cost, theirCost] = [qty.times(money(ours.avgEntryPrice)), theirQty.times(money(theirs.avgEntryPrice))];
  const isWithin = (value: Money, of: Money, fraction: Money) => value.minus(of).abs().lte(of.abs().times(fraction));
  return !isWithin(theirQty, qty, LEAST_SPLIT) && isWithin(theirCost, cost, MOST_COST_CHANGE);
}

/**
 * Whether a stop's level in our books may be one of other shares than the broker's: on the morning of a split it stands above the new price
 * until the split is booked, and a sale "through the stop" would be wrong. A stop waits where the shares look split, for as long as our
 * books take to be read. A sale, which cannot be taken back, waits for as long while the broker holds any other number, and without end
 * where they look split. `bareMs`: for how long the shares have been bare.
 */
export function mayBeOtherShares({
  ours,
  theirs,
  bareMs,
  isSale,
}: {
  ours: Held;
  theirs: Held;
  bareMs: number;
  isSale: boolean;
}): boolean {
  if (money(ours.qty).eq(money(theirs.qty))) return false;
  const isUnread = bareMs < BOOKS_READ_MS;
  return isSale ? isUnread || isSplit(ours, theirs) : isUnread && isSplit(ours, theirs);
}
