import { Decimal, type DecimalLike } from "./decimal.ts";

/** Money and quantities: exact decimals (decimal.ts), stored with at most 9 places. */
export type Money = Decimal;
/** A decimal as text, as it travels in records, jobs and on the broker's wire: "1234.56", never "1e-7". */
export type DecimalText = string;

const DECIMAL_TEXT = /^-?\d{1,24}(\.\d{1,18})?$/;

export function isDecimalText(text: string): boolean {
  return DECIMAL_TEXT.test(text);
}

/** Anything exact to Money. Throws on NaN, infinity and text that is not a plain decimal: corrupt data is worse than no data. */
export function money(value: DecimalLike | { toString(): string }): Money {
  if (typeof value === "string" || typeof value === "number" || value instanceof Decimal) return Decimal.of(value);
  return Decimal.of(value.toString());
}

export const ZERO: Money = Decimal.ZERO;

/** Plain decimal text without trailing zeros. */
export function text(value: DecimalLike | { toString(): string }): DecimalText {
  return money(value).toFixed();
}

export function sum(values: Iterable<Money>): Money {
  let total = ZERO;
  for (const value of values) total = total.plus(value);
  return total;
}

export function least(...values: [Money, ...Money[]]): Money {
  return values.reduce((a, b) => (b.lt(a) ? b : a));
}

export function greatest(...values: [Money, ...Money[]]): Money {
  return values.reduce((a, b) => (b.gt(a) ? b : a));
}

/** Whole shares, towards zero. */
export function wholeShares(quantity: Money): Money {
  return quantity.trunc();
}

/** Rounds to the cent, half to even. */
export function cents(value: Money): Money {
  return value.toDecimalPlaces(2, "half-even");
}

/** To the cent as people read it, in mails as on screens: halves away from zero. */
export function shownCents(value: Money): Money {
  return value.toDecimalPlaces(2, "half-up");
}

/**
 * Rounds a price to the minimum increment (two places from 1 USD, four below), in the given direction:
 * "down" never pays more, "up" never sells for less.
 */
export function priceTick(price: Money, direction: "down" | "up"): Money {
  const places = price.gte(1) ? 2 : 4;
  return price.toDecimalPlaces(places, direction === "down" ? "floor" : "ceil");
}

/** What follows from estimates (a volatility, an ATR, a Kelly fraction), which are doubles: rounded once to the 9 places that are stored. */
export function estimated(value: number): Money {
  return Decimal.nearest(value, 9);
}

/** To a double, for ratios and indicators only. It is never converted back to money. */
export function toNumber(value: Money | DecimalText): number {
  return money(value).toNumber();
}
