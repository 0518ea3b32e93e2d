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

/**
 * New shares per old where the broker has split the shares and our books have not; null where nothing says so. `announced`: of a split
 * that is not booked. Its shares may be rounded at the broker. Where none is known, another number of shares that cost the same is one.
 */
export function splitBetween(ours: Held, theirs: Held, announced: Money | null): Money | null {
  const [qty, theirQty] = [money(ours.qty), money(theirs.qty)];
  if (qty.eq(theirQty)) return null;
  if (announced !== null && qty.times(announced).minus(theirQty).abs().lt(1)) return announced;
  const [cost, theirCost] = [qty.times(money(ours.avgEntryPrice)), theirQty.times(money(theirs.avgEntryPrice))];
  const isWithin = (value: Money, of: Money, fraction: Money) => value.minus(of).abs().lte(of.abs().times(fraction));
  return !isWithin(theirQty, qty, LEAST_SPLIT) && isWithin(theirCost, cost, MOST_COST_CHANGE)
    ? theirQty.div(qty)
    : null;
}

/**
 * Whether an order at a stop's level in our books may be wrong for the broker's shares. A stop waits where the shares look split, for as
 * long as our books take to be read. A sale, which cannot be taken back, waits for as long while the broker holds any other number, and
 * without end where they look split. `bareMs`: for how long the shares have been bare.
 */
export function mayBeOtherShares({
  ours,
  theirs,
  split,
  bareMs,
  isSale,
}: {
  ours: Pick<Held, "qty">;
  theirs: Pick<Held, "qty">;
  /** Of `splitBetween`. */
  split: Money | null;
  bareMs: number;
  isSale: boolean;
}): boolean {
  if (money(ours.qty).eq(money(theirs.qty))) return false;
  const isUnread = bareMs < BOOKS_READ_MS;
  const isSplit = split !== null;
  return isSale ? isUnread || isSplit : isUnread && isSplit;
}
