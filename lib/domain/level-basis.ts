import { type Money, priceTick } from "./money.ts";
import type { SessionDate } from "./time.ts";

/** The broker's activities that multiply the shares of one symbol. */
export const SPLIT_TYPES: readonly string[] = ["SPLIT", "SSP"];

/** A split of shares that were held. */
export interface AppliedSplit {
  exDate: SessionDate;
  /** New shares per old. */
  ratio: Money;
}

/**
 * The price of a stop or target in shares of now, USD. The broker restates what rests through a split, so that the splits after the
 * order's end count; null while it rests. Rounded up to the tick: how the broker rounded a restated price is no raise.
 */
export function levelInSharesOfNow(price: Money, endedOn: SessionDate | null, splits: readonly AppliedSplit[]): Money {
  const later = splits.filter(({ exDate }) => endedOn !== null && exDate > endedOn);
  if (later.length === 0) return price;
  return priceTick(
    later.reduce((value, { ratio }) => value.div(ratio), price),
    "up",
  );
}
