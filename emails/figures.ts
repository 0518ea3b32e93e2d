import { money, shownCents, type DecimalText } from "@/lib/domain/money.ts";

/**
 * Figures of mails, from exact decimals to text without a double in between: what stands in a mail cannot be
 * corrected afterwards.
 */
function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Digits with thousands separators and as many places as there are, at least `placesMin`: "1,234.50". */
function plain(value: DecimalText, placesMin: number): string {
  const [whole = "0", rest = ""] = money(value).abs().toFixed().split(".");
  const places = rest.padEnd(placesMin, "0");
  return places === "" ? grouped(whole) : `${grouped(whole)}.${places}`;
}

/** Every place that there is, two at least: "$1,234.50", "$0.1234", "-$3.00". */
export function priceText(value: DecimalText): string {
  return `${money(value).isNegative() && !money(value).isZero() ? "-" : ""}$${plain(value, 2)}`;
}

/** To the cent: "$1,234.50", "-$3.00", "$0.00". */
export function dollarsText(value: DecimalText): string {
  return priceText(shownCents(money(value)).toFixed());
}

/** To the cent, with its sign: "+$1.00", "-$1.00", "$0.00". */
export function signedDollarsText(value: DecimalText): string {
  return money(shownCents(money(value))).gt(0) ? `+${dollarsText(value)}` : dollarsText(value);
}

/** "1,200", "0.333". */
export function sharesText(value: DecimalText): string {
  return `${money(value).lt(0) ? "-" : ""}${plain(value, 0)}`;
}

/** "gain", "loss" or "flat", to the cent. */
export function directionOf(value: DecimalText): "gain" | "loss" | "flat" {
  const rounded = shownCents(money(value));
  return rounded.isZero() ? "flat" : rounded.gt(0) ? "gain" : "loss";
}

/** "1 trade", "3 trades". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
