import { expect, it } from "vitest";
import { money } from "./money.ts";
import type { BarSeries } from "./screening/features.ts";
import { dayChange, inBasisOf, sessionOfPrice } from "./symbol-price.ts";

const bars = (dates: string[], closes: number[]): BarSeries => {
  const column = Float64Array.from(closes);
  return { symbol: "HD", dates, open: column, high: column, low: column, close: column, volume: column };
};
const WEEK = bars(["2020-01-30", "2020-01-31"], [100, 110]);

it.each([
  ["2020-02-03T14:29:59.000Z", "2020-01-31"],
  ["2020-02-03T14:30:00.000Z", "2020-02-03"],
  ["2020-02-03T23:00:00.000Z", "2020-02-03"],
  ["2020-02-02T17:00:00.000Z", "2020-01-31"],
])("a price of %s belongs to the session of %s", (at, session) => {
  expect(sessionOfPrice(at)).toBe(session);
});

it("the change of a day counts from the close before it, over a weekend too", () => {
  expect(dayChange(money("112.2"), "2020-02-03T15:00:00.000Z", WEEK, [])).toMatchObject({
    percent: 2,
    since: "2020-01-31",
  });
  expect(dayChange(money("110"), "2020-01-31T22:00:00.000Z", WEEK, [])).toMatchObject({
    percent: 10,
    since: "2020-01-30",
  });
});

it("without the close of that very session there is no change of a day", () => {
  expect(dayChange(money("112"), "2020-02-04T15:00:00.000Z", WEEK, [])).toBeNull();
  expect(dayChange(money("112"), "2020-02-03T15:00:00.000Z", bars([], []), [])).toBeNull();
});

it("a split between the two is no change, and one that is only announced changes nothing", () => {
  const split = { symbol: "HD", date: "2020-02-03", kind: "split" as const, value: 2 };
  const change = dayChange(money("55"), "2020-02-03T15:00:00.000Z", WEEK, [split]);
  expect(change?.amount.toString()).toBe("0");
  expect(dayChange(money("110"), "2020-02-03T14:00:00.000Z", WEEK, [split])?.percent).toBeCloseTo(10);
  expect([...inBasisOf(WEEK, [split], "2020-02-03").close]).toEqual([50, 55]);
  expect(inBasisOf(WEEK, [split], "2020-01-31")).toBe(WEEK);
});
