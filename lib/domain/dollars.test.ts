import fc from "fast-check";
import { expect, it } from "vitest";
import { dollarPriceText, dollarText } from "./dollars.ts";
import { moneyText, priceText } from "./format.ts";
import { money, shownCents } from "./money.ts";

it.each([
  ["0.005", "$0.01"],
  ["0.015", "$0.02"],
  ["0.125", "$0.13"],
  ["-0.125", "-$0.13"],
  ["0.0049", "$0.00"],
  ["-0.0049", "$0.00"],
  ["5998.675", "$5,998.68"],
  ["1234567.885", "$1,234,567.89"],
  ["999.995", "$1,000.00"],
  ["-4823.02", "-$4,823.02"],
])("%s is told as %s: half a cent goes away from zero", (amount, text) => expect(dollarText(money(amount))).toBe(text));

it("an amount reads in the details of gates as on screens and in mails, halves of a cent among them", () => {
  const amount = fc
    .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.constantFrom("0", "4", "49", "5", "50", "51", "9"))
    .map(([cents, rest]) => `${Math.trunc(cents / 100)}.${String(Math.abs(cents % 100)).padStart(2, "0")}${rest}`);
  fc.assert(
    fc.property(amount, (value) => {
      const text = dollarText(money(value));
      expect(text).toBe(moneyText(Number(value)));
      expect(text).toBe(moneyText(shownCents(money(value)).toNumber()));
    }),
    { numRuns: 2000 },
  );
});

it("a price reads as on screens, in all its digits", () => {
  for (const price of ["137.5", "0.1234", "1204", "0.000000001"])
    expect(dollarPriceText(money(price))).toBe(priceText(price));
});
