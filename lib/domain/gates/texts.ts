import { counted } from "../counted.ts";
import { dollarsBeside } from "../beside-line.ts";
import { dollarText } from "../dollars.ts";
import { money } from "../money.ts";

/** A limit of the policy in all its digits: "25 %". */
export function percentText(fraction: number): string {
  return `${money(fraction).times(100).toFixed()} %`;
}

/** An amount in USD, to the cent: "$1,204.50"; to more places where it is less than half a cent. */
export function dollars(amount: number): string {
  return dollarsBeside(Number(amount.toFixed(6)), 0)[0];
}

/** Rounds a needed amount up to the digits shown, so that applying what is written is enough: what is needed is never nothing. */
export function upTo(value: number, digits: number): string {
  const unit = 10 ** digits;
  const least = value > 0 ? 1 : 0;
  return (Math.max(least, Math.ceil(value * unit - 1e-9)) / unit).toFixed(digits);
}

/** Dollars that are needed, to the cent above: "+$1,204.50". */
export function moreDollars(amount: number): string {
  return `+${dollarText(money(Number(upTo(amount, 2))))}`;
}

/** A count that is needed, rounded up, with its noun. */
export function countedUp(amount: number, noun: string): string {
  return counted(Number(upTo(amount, 0)), noun);
}
