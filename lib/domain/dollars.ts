import type { Money } from "./money.ts";

/** As screens show an amount, halves away from zero: to the cent ("$5,998.68", "-$4,823.02"), or to more places. */
export function dollarText(value: Money, places = 2): string {
  const plain = value.toDecimalPlaces(places, "half-up").toFixed(places);
  const isBelow = plain.startsWith("-");
  const digits = isBelow ? plain.slice(1) : plain;
  const behind = places + 4;
  let text = digits.slice(-behind);
  for (let end = digits.length - behind; end > 0; end -= 3) text = `${digits.slice(Math.max(0, end - 3), end)},${text}`;
  return `${isBelow ? "-" : ""}$${text}`;
}

/** A price per share: to the cent, or in all its digits where it has more. */
export function dollarPriceText(value: Money): string {
  const places = value.decimalPlaces();
  return places <= 2 ? dollarText(value) : `$${value.toFixed()}`;
}
