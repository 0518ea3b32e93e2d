import { expect, it } from "vitest";
import { CAST, MERGER_DAY, REVERSE_SPLIT_DAY, SPIN_OFF_DAY, SPLIT_DAY } from "./cast.ts";
import { fixtureMarket } from "./fixture-market.ts";
import { fixtureTape, tapeRows } from "./fixture-tape.ts";
import { CRASH } from "./index-path.ts";

const market = fixtureMarket();
const barsOf = (symbol: string) => market.bars.filter((bar) => bar.symbol === symbol);

/** The close of the session before a date over the opening of that date: what a split divides the price by. */
function fallAt(symbol: string, date: string): number {
  const bars = barsOf(symbol);
  const at = bars.findIndex((bar) => bar.date === date);
  return bars[at - 1]!.close / bars[at]!.open;
}

it("is the same market every time", () => {
  expect(tapeRows(fixtureMarket())).toEqual(tapeRows(market));
});

it("falls by 12 % on the day of the crash, with a VIX above 60 at its close", () => {
  const spy = barsOf("SPY");
  const at = spy.findIndex(({ date }) => date === CRASH);
  expect(spy[at]!.close / spy[at - 1]!.close - 1).toBeCloseTo(-0.12, 4);
  expect(market.vix.find(({ date }) => date === CRASH)!.close).toBeGreaterThan(60);
});

it("has splits of 4:1, 5:1 and 1:10 in its raw prices, and dividends", () => {
  expect(fallAt("FOUR", SPLIT_DAY) / 4).toBeCloseTo(1, 1);
  expect(fallAt("FIVE", SPLIT_DAY) / 5).toBeCloseTo(1, 1);
  expect(fallAt("TENTH", REVERSE_SPLIT_DAY) * 10).toBeCloseTo(1, 1);
  for (const { symbol, split } of CAST)
    if (split !== undefined)
      expect(market.splits).toContainEqual({ symbol, date: split.date, ratio: String(split.ratio) });
  expect(market.dividends).toContainEqual({ symbol: "FOUR", date: "2020-02-07", amount: "0.77" });
});

it("has a company that is spun off from another, and one whose shares end in a merger", () => {
  expect(barsOf("PART")[0]!.date).toBe(SPIN_OFF_DAY);
  expect(1 - 1 / fallAt("WHOLE", SPIN_OFF_DAY)).toBeCloseTo(0.125, 1);
  expect(barsOf("TAKEN").at(-1)!.date < MERGER_DAY).toBe(true);
  expect(barsOf("TAKEN").at(-1)!.close).toBe(52);
});

// That it is sound: lib/tape/check.test.ts.
it("is a tape that is written once", () => {
  const tape = fixtureTape();
  expect(fixtureTape()).toBe(tape);
});
