import {
  bigPow,
  digitsOf,
  divided,
  isSafe,
  PLACES_MOST,
  POW,
  roundsUp,
  type Rounding,
  SAFE_BIG,
  written,
  ZERO_DIGIT,
} from "./whole-counts.ts";

/** What stands for a decimal: its plain text, or a double in its shortest form. */
export type DecimalLike = Decimal | string | number;

const DIGITS = 40;
const LIMIT = 10n ** BigInt(DIGITS);
/** Fifteen digits: a decimal of so many is told apart from every other by its double. */
const FIFTEEN_DIGITS = 1e15;

/** A count in its smallest form. */
function ofBig(count: bigint, places: number): Decimal {
  if (places <= PLACES_MOST && count <= SAFE_BIG && count >= -SAFE_BIG) return new Decimal(Number(count), null, places);
  if (count === 0n) return Decimal.ZERO;
  let [rest, left] = [count, places];
  for (let zeros = 32; zeros > 0; zeros >>= 1) {
    while (left >= zeros && rest % bigPow(zeros) === 0n) {
      rest /= bigPow(zeros);
      left -= zeros;
    }
  }
  const isSmall = left <= PLACES_MOST && rest <= SAFE_BIG && rest >= -SAFE_BIG;
  return isSmall ? new Decimal(Number(rest), null, left) : new Decimal(Number.NaN, rest, left);
}

/** The result of an operation: of at most 40 digits. */
function ofResult(count: bigint, places: number): Decimal {
  if (count < LIMIT && count > -LIMIT) return ofBig(count, places);
  const dropped = digitsOf(count) - DIGITS;
  const rounded = divided(count, bigPow(dropped), "half-even");
  return places >= dropped ? ofBig(rounded, places - dropped) : ofBig(rounded * bigPow(dropped - places), 0);
}

const TEXT = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

function refuse(text: string): never {
  throw new RangeError(`not a finite decimal: ${text}`);
}

function parseLong(text: string): Decimal {
  const match = TEXT.exec(text);
  if (match === null) refuse(text);
  const [, sign, whole = "", part = "", exponent = "0"] = match;
  if (whole === "" && part === "") refuse(text);
  const places = part.length - Number(exponent);
  const size = BigInt(whole + part);
  const count = sign === "-" ? -size : size;
  return places < 0 ? ofBig(count * bigPow(-places), 0) : ofBig(count, places);
}

const MINUS = 45;
const POINT = 46;

/** Plain text of at most fifteen digits in one pass; everything else by a regular expression. */
function parse(text: string): Decimal {
  const { length } = text;
  const start = text.charCodeAt(0) === MINUS ? 1 : 0;
  if (length - start > 16 || length === start) return parseLong(text);
  let count = 0;
  let point = -1;
  for (let i = start; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code === POINT && point === -1 && i > start) {
      point = i;
      continue;
    }
    const digit = code - ZERO_DIGIT;
    if (!(digit >= 0 && digit <= 9)) return parseLong(text);
    count = count * 10 + digit;
  }
  let places = point === -1 ? 0 : length - point - 1;
  if (count > FIFTEEN_DIGITS || places === 16) return parseLong(text);
  while (places > 0 && count % 10 === 0) {
    count /= 10;
    places--;
  }
  return new Decimal(start === 1 ? -count : count, null, places);
}

/** The decimal that a double of at most six places is written as; null where it has more. */
function ofShort(value: number): Decimal | null {
  if (isSafe(value) && Number.isInteger(value)) return new Decimal(value, null, 0);
  for (let places = 2; places <= 6; places += 2) {
    const count = Math.round(value * POW[places]!);
    if (Math.abs(count) < FIFTEEN_DIGITS && count / POW[places]! === value) return new Decimal(count, null, places);
  }
  return null;
}

/** The decimal that a double is written as. */
function ofNumber(value: number): Decimal {
  return ofShort(value) ?? parse(String(value));
}

/**
 * An exact decimal: a whole count of 10⁻ᵖ. The count is a double while it is a safe integer, which prices, quantities and
 * amounts nearly always are, so that sums, products and comparisons are a few machine instructions; else it is a bigint. Nothing
 * is ever rounded silently below 40 significant digits: sums, differences and products of stored values (24 digits, 9 places)
 * are exact, and quotients are rounded half to even at the 40th digit.
 */
export class Decimal {
  static readonly ZERO = new Decimal(0, null, 0);

  /** NaN where it is a bigint. */
  private readonly count: number;
  private readonly big: bigint | null;
  private readonly places: number;

  /** Not for callers: use `Decimal.of`. */
  constructor(count: number, big: bigint | null, places: number) {
    // Adding 0 turns −0 into 0.
    this.count = count + 0;
    this.big = big;
    this.places = places;
  }

  /** Exact; throws a RangeError on what is not a finite decimal. */
  static of(value: DecimalLike): Decimal {
    if (typeof value === "string") return parse(value);
    return typeof value === "number" ? ofNumber(value) : value;
  }

  /** The decimal of at most so many places that is nearest to a double. */
  static nearest(value: number, places: number): Decimal {
    const short = ofShort(value);
    if (short !== null) return short.toDecimalPlaces(places);
    const count = Math.round(value * POW[places]!);
    return isSafe(count) ? new Decimal(count, null, places) : ofNumber(value).toDecimalPlaces(places);
  }

  /** The count with as many places as the other has, where that are more: not exact where it is not safe, NaN for a bigint. */
  private beside(other: Decimal): number {
    const more = other.places - this.places;
    return more > 0 ? this.count * (POW[more] ?? Number.NaN) : this.count;
  }

  /** The whole count with so many places, at least those of the value. */
  private at(places: number): bigint {
    const own = this.big ?? BigInt(this.count);
    return places === this.places ? own : own * bigPow(places - this.places);
  }

  plus(value: DecimalLike): Decimal {
    const other = Decimal.of(value);
    const a = this.beside(other);
    const b = other.beside(this);
    const places = Math.max(this.places, other.places);
    if (isSafe(a) && isSafe(b) && isSafe(a + b)) return new Decimal(a + b, null, places);
    return ofResult(this.at(places) + other.at(places), places);
  }

  minus(value: DecimalLike): Decimal {
    const other = Decimal.of(value);
    const a = this.beside(other);
    const b = other.beside(this);
    const places = Math.max(this.places, other.places);
    if (isSafe(a) && isSafe(b) && isSafe(a - b)) return new Decimal(a - b, null, places);
    return ofResult(this.at(places) - other.at(places), places);
  }

  times(value: DecimalLike): Decimal {
    const other = Decimal.of(value);
    const places = this.places + other.places;
    const product = this.count * other.count;
    if (product === 0) return Decimal.ZERO;
    if (places <= PLACES_MOST && isSafe(product)) return new Decimal(product, null, places);
    return ofResult(this.at(this.places) * other.at(other.places), places);
  }

  /** Rounded half to even at the 40th digit. Throws a RangeError on a divisor of 0. */
  div(value: DecimalLike): Decimal {
    const other = Decimal.of(value);
    if (other.isZero()) throw new RangeError("division by zero");
    if (this.places >= other.places) {
      for (let more = 0; more <= 6; more += 2) {
        const top = this.count * POW[more]!;
        const places = this.places - other.places + more;
        if (!isSafe(top) || Number.isNaN(other.count) || places > PLACES_MOST) break;
        if (top % other.count === 0) return new Decimal(top / other.count, null, places);
      }
    }
    const [top, bottom] = [this.at(this.places), other.at(other.places)];
    if (top === 0n) return Decimal.ZERO;
    // One digit more than is kept, so that the rest decides the rounding of the last.
    const more = Math.max(0, DIGITS + 1 + digitsOf(bottom) - digitsOf(top), other.places - this.places);
    const scaled = top * bigPow(more);
    const quotient = scaled / bottom;
    const dropped = digitsOf(quotient) - DIGITS;
    const places = this.places - other.places + more;
    if (dropped <= 0) return ofBig(divided(scaled, bottom, "half-even"), places);
    const rounded = divided(scaled, bottom * bigPow(dropped), "half-even");
    return places >= dropped ? ofBig(rounded, places - dropped) : ofBig(rounded * bigPow(dropped - places), 0);
  }

  /** The quotient as the nearest double, for ratios. NaN or an infinity on a divisor of 0. */
  over(value: DecimalLike): number {
    const other = Decimal.of(value);
    const a = this.beside(other);
    const b = other.beside(this);
    // Both whole numbers: their quotient is rounded once.
    if (isSafe(a) && isSafe(b)) return a / b + 0;
    return other.isZero() ? this.toNumber() / 0 : this.div(other).toNumber();
  }

  /** How many times the value holds the other: a whole number, towards zero. */
  wholes(value: DecimalLike): Decimal {
    const other = Decimal.of(value);
    if (other.isZero()) throw new RangeError("division by zero");
    const a = this.beside(other);
    const b = other.beside(this);
    if (isSafe(a) && isSafe(b)) return new Decimal((a - (a % b)) / b, null, 0);
    const places = Math.max(this.places, other.places);
    return ofBig(this.at(places) / other.at(places), 0);
  }

  toDecimalPlaces(places: number, rounding: Rounding = "half-even"): Decimal {
    const dropped = this.places - places;
    if (dropped <= 0) return this;
    if (this.big !== null) return ofBig(divided(this.big, bigPow(dropped), rounding), places);
    const unit = POW[dropped]!;
    const rest = this.count % unit;
    if (rest === 0) return new Decimal(this.count / unit, null, places);
    const size = Math.abs(rest);
    const quotient = (this.count - rest) / unit;
    const half = size - (unit - size);
    const isNegative = this.count < 0;
    if (!roundsUp(half, quotient % 2 !== 0, isNegative, rounding)) return new Decimal(quotient, null, places);
    return new Decimal(isNegative ? quotient - 1 : quotient + 1, null, places);
  }

  /** Whole, towards zero. */
  trunc(): Decimal {
    return this.toDecimalPlaces(0, "down");
  }

  floor(): Decimal {
    return this.toDecimalPlaces(0, "floor");
  }

  ceil(): Decimal {
    return this.toDecimalPlaces(0, "ceil");
  }

  negated(): Decimal {
    return this.big === null
      ? new Decimal(-this.count, null, this.places)
      : new Decimal(Number.NaN, -this.big, this.places);
  }

  abs(): Decimal {
    return this.isNegative() ? this.negated() : this;
  }

  /** Negative, 0 or positive, as the value is below, at or above the other. */
  cmp(value: DecimalLike): number {
    if (typeof value === "number" && Number.isInteger(value) && this.big === null) {
      // A whole number needs no other decimal.
      const line = value * POW[this.places]!;
      if (isSafe(line)) return this.count < line ? -1 : this.count > line ? 1 : 0;
    }
    const other = Decimal.of(value);
    // Rounding keeps the order: what differs as a double differs so exactly.
    const a = this.beside(other);
    const b = other.beside(this);
    if (a < b) return -1;
    if (a > b) return 1;
    if (isSafe(a) && isSafe(b)) return 0;
    const places = Math.max(this.places, other.places);
    const c = this.at(places);
    const d = other.at(places);
    return c < d ? -1 : c > d ? 1 : 0;
  }

  eq(value: DecimalLike): boolean {
    return this.cmp(value) === 0;
  }

  lt(value: DecimalLike): boolean {
    return this.cmp(value) < 0;
  }

  lte(value: DecimalLike): boolean {
    return this.cmp(value) <= 0;
  }

  gt(value: DecimalLike): boolean {
    return this.cmp(value) > 0;
  }

  gte(value: DecimalLike): boolean {
    return this.cmp(value) >= 0;
  }

  isZero(): boolean {
    return this.count === 0;
  }

  isNegative(): boolean {
    return this.big === null ? this.count < 0 : this.big < 0n;
  }

  isInteger(): boolean {
    return this.places === 0 || this.trunc().eq(this);
  }

  /** Places after the point, trailing zeros apart. */
  decimalPlaces(): number {
    const text = this.toFixed();
    const point = text.indexOf(".");
    return point === -1 ? 0 : text.length - point - 1;
  }

  /** The nearest double. */
  toNumber(): number {
    return this.big === null ? this.count / POW[this.places]! : Number(this.toFixed());
  }

  /** Plain text, never with an exponent: in all digits, or with so many places, half to even. A small negative value keeps its sign. */
  toFixed(places?: number): string {
    const shown = places === undefined ? this : this.toDecimalPlaces(places);
    const digits = shown.big === null ? String(Math.abs(shown.count)) : String(shown.big).replace("-", "");
    const text = written(digits, shown.places, places !== undefined);
    const zeros = places === undefined ? 0 : places - shown.places;
    const padded = zeros === 0 ? text : `${shown.places === 0 ? `${text}.` : text}${"0".repeat(zeros)}`;
    return this.isNegative() ? `-${padded}` : padded;
  }

  toString(): string {
    return this.toFixed();
  }

  toJSON(): string {
    return this.toFixed();
  }
}
