import type { Money } from "./money.ts";

/** As screens show an amount, to the cent: "$5,998.68", "-$4,823.02". */
export function dollarText(value: Money): string {
  const plain = value.toFixed(2);
  const isBelow = plain.startsWith("-") && plain !== "-0.00";
  const digits = plain.startsWith("-") ? plain.slice(1) : plain;
  let text = digits.slice(-6);
  for (let end = digits.length - 6; end > 0; end -= 3) text = `${digits.slice(Math.max(0, end - 3), end)},${text}`;
  return `${isBelow ? "-" : ""}$${text}`;
}

/** A price per share: to the cent, or in all its digits where it has more. */
export function dollarPriceText(value: Money): string {
  const cents = value.toDecimalPlaces(2);
  return cents.eq(value) ? dollarText(cents) : `$${value.toFixed()}`;
}
