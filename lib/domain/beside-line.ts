import { Decimal, type DecimalLike } from "./decimal.ts";
import { dollarText } from "./dollars.ts";

/** How a value and its lines are printed. */
interface Print {
  /** Places of the value after the point, as usual. */
  digits: number;
  /** Those of the lines; all that a line has where absent. */
  lineDigits?: number | undefined;
  /** A decimal in words, to so many places. */
  say: (shown: Decimal, places: number) => string;
}

const sideOf = (value: Decimal, line: Decimal) => Math.sign(value.cmp(line));

const roundedTo = (value: Decimal, places: number) => value.toDecimalPlaces(places, "half-up");

/** The first of these places at which the printed line has the printed value on the given side; null where it is at none. */
function placesOfLine(shown: Decimal, line: Decimal, side: number, tried: readonly number[]): number | null {
  return tried.find((places) => sideOf(shown, roundedTo(line, places)) === side) ?? null;
}

/**
 * A value and the thresholds that it was compared with, as texts: the value's, then one for each threshold. Rounding never changes their
 * order, nor makes two that differ equal: where the usual digits would, the value is printed with more, and where that is not enough,
 * the threshold too.
 */
function besideLines(value: Decimal, lines: readonly Decimal[], { digits, lineDigits, say }: Print): string[] {
  const sides = lines.map((line) => sideOf(value, line));
  const usual = lines.map((line) => lineDigits ?? line.decimalPlaces());
  const most = Math.max(digits, value.decimalPlaces(), ...lines.map((line) => line.decimalPlaces()));
  for (let places = digits; places <= most; places++) {
    const shown = roundedTo(value, places);
    const found = lines.map((line, i) =>
      placesOfLine(shown, line, sides[i]!, [usual[i]!, Math.max(usual[i]!, places)]),
    );
    if (found.includes(null)) continue;
    return [say(shown, places), ...lines.map((line, i) => say(roundedTo(line, found[i]!), found[i]!))];
  }
  throw new Error("a value in all its digits stands where it stands");
}

const plain = (shown: Decimal, places: number) => shown.toFixed(places);
const percent = (shown: Decimal, places: number) => `${shown.toFixed(places)} %`;

const isFigure = (value: DecimalLike) => typeof value !== "number" || Number.isFinite(value);

/** A ratio and its line: "79.97", "80.0". What is no finite number is printed as it is. */
export function besideLine(
  value: DecimalLike,
  line: DecimalLike,
  digits: number,
  lineDigits?: number,
): [value: string, line: string] {
  if (!isFigure(value) || !isFigure(line)) return [String(value), String(line)];
  const print: Print = { digits, lineDigits, say: plain };
  return besideLines(Decimal.of(value), [Decimal.of(line)], print) as [string, string];
}

/** A fraction and its lines in percent: "10.001 %", "10.0 %". */
export function percentBeside<Lines extends readonly DecimalLike[]>(
  fraction: DecimalLike,
  lines: readonly [...Lines],
  { digits, lineDigits }: { digits: number; lineDigits?: number },
): [fraction: string, ...lines: { [Line in keyof Lines]: string }] {
  const [value, ...others] = [fraction, ...lines].map((one) => Decimal.of(one).times(100));
  const texts = besideLines(value!, others, { digits, lineDigits, say: percent });
  return texts as [string, ...{ [Line in keyof Lines]: string }];
}

/** An amount in USD and its line: "$99.998", "$100.00". */
export function dollarsBeside(amount: DecimalLike, line: DecimalLike): [amount: string, line: string] {
  const print: Print = { digits: 2, lineDigits: 2, say: dollarText };
  return besideLines(Decimal.of(amount), [Decimal.of(line)], print) as [string, string];
}
