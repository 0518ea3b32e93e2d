import { micros, microsOf, microsText, type Money, money, moneyOfMicros, priceTick, text } from "../money.ts";

/**
 * An exact amount in USD: a whole count of millionths where a double holds that without loss, else an exact decimal. Limits
 * are asked ten times for each candidate of each account: integers answer that without the decimal library, to the same digit.
 */
export type Usd = number | Money;

const MICROS = 1_000_000;
const MICROS_OF_CENT = 10_000;

export function usd(value: Money): Usd {
  return micros(value) ?? value;
}

/** The amount that a double stands for in its shortest decimal form, as `money` reads it. */
export function usdOf(value: number): Usd {
  return microsOf(value) ?? usd(money(value));
}

export function exactUsd(value: Usd): Money {
  return typeof value === "number" ? moneyOfMicros(value) : value;
}

/** Plain decimal text, all digits. */
export function exactText(value: Usd): string {
  return typeof value === "number" ? microsText(value) : text(value);
}

export function minusUsd(a: Usd, b: Usd): Usd {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return usd(exactUsd(a).minus(exactUsd(b)));
}

export function plusUsd(a: Usd, b: Usd): Usd {
  if (typeof a === "number" && typeof b === "number") {
    const total = a + b;
    if (Number.isSafeInteger(total)) return total;
  }
  return usd(exactUsd(a).plus(exactUsd(b)));
}

export function isLessUsd(a: Usd, b: Usd): boolean {
  return typeof a === "number" && typeof b === "number" ? a < b : exactUsd(a).lt(exactUsd(b));
}

/** The nearest double, USD. */
export function usdNumber(value: Usd): number {
  return typeof value === "number" ? value / MICROS : value.toNumber();
}

/** Two places, half to even, as the decimal library prints them. */
export function usdText(value: Usd): string {
  if (typeof value !== "number") return value.toFixed(2);
  const size = Math.abs(value);
  const rest = size % MICROS_OF_CENT;
  let cents = (size - rest) / MICROS_OF_CENT;
  if (rest > MICROS_OF_CENT / 2 || (rest === MICROS_OF_CENT / 2 && cents % 2 === 1)) cents++;
  const part = cents % 100;
  return `${value < 0 ? "-" : ""}${(cents - part) / 100}.${part < 10 ? "0" : ""}${part}`;
}

/** As screens show an amount, to the cent: "$5,998.68", "-$4,823.02". */
export function dollarText(value: Usd): string {
  const plain = usdText(value);
  const isBelow = plain.startsWith("-") && plain !== "-0.00";
  const digits = plain.startsWith("-") ? plain.slice(1) : plain;
  let text = digits.slice(-6);
  for (let end = digits.length - 6; end > 0; end -= 3) text = `${digits.slice(Math.max(0, end - 3), end)},${text}`;
  return `${isBelow ? "-" : ""}$${text}`;
}

/** A price per share: to the cent, or in all its digits where it has more. */
export function dollarPriceText(value: Usd): string {
  const isInCents = typeof value === "number" && value % MICROS_OF_CENT === 0;
  return isInCents ? dollarText(value) : `$${exactText(value)}`;
}

/** A price times a factor (1 = 1,000,000 millionths as well), rounded to the minimum increment as `priceTick` does. */
export function tickOf(price: Usd, factor: Usd, direction: "down" | "up"): Usd {
  if (typeof price === "number" && typeof factor === "number") {
    const product = price * factor;
    if (product > 0 && Number.isSafeInteger(product)) {
      // Cents from 1 USD, hundredths of a cent below; the product counts 10⁻¹² USD.
      const tick = product >= MICROS * MICROS ? MICROS_OF_CENT : 100;
      const rest = product % (tick * MICROS);
      return (product - rest) / MICROS + (direction === "up" && rest > 0 ? tick : 0);
    }
  }
  return usd(priceTick(exactUsd(price).times(exactUsd(factor)), direction));
}
