import { Decimal } from "decimal.js";

/**
 * Exact decimals for money and quantities. The only file that knows the decimal library.
 * 40 significant digits: products of two numeric(24,9) values stay exact.
 */
const Exact = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_EVEN, toExpNeg: -30, toExpPos: 40 });

export type Money = Decimal;
/** A decimal as text, as it travels in records, jobs and on the broker's wire: "1234.56", never "1e-7". */
export type DecimalText = string;

const DECIMAL_TEXT = /^-?\d{1,24}(\.\d{1,18})?$/;

export function isDecimalText(text: string): boolean {
  return DECIMAL_TEXT.test(text);
}

/** Anything exact to Money. Throws on NaN, infinity and text that is not a plain decimal: corrupt data is worse than no data. */
export function money(value: DecimalText | number | Money | { toString(): string }): Money {
  // Already exact: parsing it again would cost more than the sum it is for.
  const result = value instanceof Exact ? value : new Exact(typeof value === "object" ? value.toString() : value);
  if (!result.isFinite()) throw new RangeError(`not a finite decimal: ${String(value)}`);
  return result;
}

export const ZERO: Money = new Exact(0);

/** Plain decimal text without trailing zeros. */
export function text(value: Money | DecimalText | number): DecimalText {
  return money(value).toFixed();
}

export function sum(values: Iterable<Money>): Money {
  let total = ZERO;
  for (const value of values) total = total.plus(value);
  return total;
}

export function least(...values: [Money, ...Money[]]): Money {
  return Exact.min(...values);
}

export function greatest(...values: [Money, ...Money[]]): Money {
  return Exact.max(...values);
}

/** Whole shares, towards zero. */
export function wholeShares(quantity: Money): Money {
  return quantity.trunc();
}

/** Rounds to the cent, half to even. */
export function cents(value: Money): Money {
  return value.toDecimalPlaces(2, Decimal.ROUND_HALF_EVEN);
}

/**
 * Rounds a price to the minimum increment (two places from 1 USD, four below), in the given direction:
 * "down" never pays more, "up" never sells for less.
 */
export function priceTick(price: Money, direction: "down" | "up"): Money {
  const places = price.gte(1) ? 2 : 4;
  return price.toDecimalPlaces(places, direction === "down" ? Decimal.ROUND_FLOOR : Decimal.ROUND_CEIL);
}

/** To a double, for ratios and indicators only. Money never comes back from it. */
export function toNumber(value: Money | DecimalText): number {
  return money(value).toNumber();
}
