import { expect, it } from "vitest";
import { benchmarkPeriod, comparisonPeriod, figureText, toneOf } from "./figure-text.ts";

it.each([
  ["timeWeightedReturn", 0.00004, "0.00%", ""],
  ["timeWeightedReturn", -0.00004, "0.00%", ""],
  ["timeWeightedReturn", 0.0001, "+0.01%", "text-gain"],
  ["periodPnl", -0.004, "$0.00", ""],
  ["periodPnl", -0.01, "-$0.01", "text-loss"],
  ["winRate", 0.6, "60.0%", ""],
])("%s of %d reads %s and is coloured by that", (id, value, text, tone) => {
  expect(figureText(id, value)).toBe(text);
  expect(toneOf(id, value)).toBe(tone);
});

it("an account that was added during its first session is not said to begin with the close before it, as SPY does", () => {
  const comparison = { value: 0, spy: -0.078, firstSession: "2020-03-09", lastSession: "2020-03-10", at: null };
  const spy = "from the close before 9 Mar 2020 to the close of 10 Mar 2020";
  expect(benchmarkPeriod({ ...comparison, hasOwnStart: true })).toBe(spy);
  expect(comparisonPeriod({ ...comparison, hasOwnStart: false })).toBe(`both ${spy}`);
  expect(comparisonPeriod({ ...comparison, hasOwnStart: true })).toBe(
    "the account from its beginning, SPY from the close before 9 Mar 2020, both to the close of 10 Mar 2020",
  );
});
