import { Decimal } from "decimal.js";
import { rememberLately } from "./remember.ts";

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

/** A decimal never changes, and the same few amounts are read again and again. */
const readText = rememberLately((value: string): Money => finite(new Exact(value), value));

function finite(result: Money, value: unknown): Money {
  if (!result.isFinite()) throw new RangeError(`not a finite decimal: ${String(value)}`);
  return result;
}

/** Anything exact to Money. Throws on NaN, infinity and text that is not a plain decimal: corrupt data is worse than no data. */
export function money(value: DecimalText | number | Money | { toString(): string }): Money {
  if (typeof value === "string") return readText(value);
  // Already exact: parsing it again would cost more than the sum it is for.
  if (value instanceof Exact) return finite(value, value);
  return finite(new Exact(typeof value === "object" ? value.toString() : value), value);
}

export const ZERO: Money = new Exact(0);

/**
 * The same value as a count of millionths, where that is an integer that a double holds exactly; null where it is not. Sums,
 * differences and comparisons of such counts are exact too, and far quicker (the library keeps words of seven digits).
 */
export function micros(value: Money): number | null {
  const { d: words, e: exponent, s: sign } = value;
  if (words === null) return null;
  let place = Math.floor(exponent / 7);
  // A third word before the point is more than a double holds; the first word is never 0 unless the value is.
  if (place > 1) return null;
  let count = 0;
  for (const word of words) {
    if (place >= 0) count += word * (place === 1 ? 1e13 : 1e6);
    else if (place === -1 && word % 10 === 0) count += word / 10;
    else if (word !== 0) return null;
    place--;
  }
  return Number.isSafeInteger(count) ? sign * count || 0 : null;
}

const MICROS = 1_000_000;
const MICROS_OF_CENT = 10_000;
/** Fifteen digits: a decimal of so many is told apart from every other by its double. */
const MICROS_MOST = 1e15;

/**
 * The count of millionths of a double that is the nearest to a decimal of at most six places, as prices are: the same as
 * `micros(money(value))`, without the library. Null where that is not so or not plain.
 */
export function microsOf(value: number): number | null {
  const count = Math.round(value * MICROS);
  return Math.abs(count) < MICROS_MOST && count / MICROS === value ? count || 0 : null;
}

/** A count of millionths as plain decimal text: what `text` says of the same amount. */
export function microsText(count: number): DecimalText {
  const size = Math.abs(count);
  const rest = size % MICROS;
  const whole = `${count < 0 ? "-" : ""}${(size - rest) / MICROS}`;
  if (rest === 0) return whole;
  const cents = rest / MICROS_OF_CENT;
  if (Number.isInteger(cents))
    return cents % 10 === 0 ? `${whole}.${cents / 10}` : `${whole}.${cents < 10 ? "0" : ""}${cents}`;
  let digits = String(rest + MICROS).slice(1);
  while (digits.endsWith("0")) digits = digits.slice(0, -1);
  return `${whole}.${digits}`;
}

const MICRO: Money = new Exact("0.000001");

/** The amount that a count of millionths stands for. */
export function moneyOfMicros(count: number): Money {
  return MICRO.times(count);
}

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

/** To the cent as people read it, in mails as on screens: halves away from zero. */
export function shownCents(value: Money): Money {
  return value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
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
