import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays } from "../time.ts";
import { adjustForSplits, adjustForTotalReturn } from "./adjust.ts";
import { computeFeatures, FEATURE_BARS_MIN } from "./compute-features.ts";
import type { BarSeries, CorporateEvent } from "./features.ts";

function series(closes: number[], symbol = "AAA"): BarSeries {
  return {
    symbol,
    dates: closes.map((_, i) => addDays("2019-01-01", i)),
    open: Float64Array.from(closes),
    high: Float64Array.from(closes, (close) => close * 1.01),
    low: Float64Array.from(closes, (close) => close * 0.99),
    close: Float64Array.from(closes),
    volume: Float64Array.from(closes, () => 1e6),
  };
}

function event(date: string, kind: "split" | "dividend", value: number, symbol = "AAA"): CorporateEvent {
  return { symbol, date, kind, value };
}

function featuresOf(bars: BarSeries, events: CorporateEvent[]) {
  return computeFeatures([bars], () => events)[0] ?? null;
}

describe("adjustment", () => {
  it("divides prices and multiplies volume before a split, from its own session on nothing", () => {
    const got = adjustForSplits(series([100, 102, 26, 27]), [event("2019-01-03", "split", 4)]);
    expect([...got.close]).toEqual([25, 25.5, 26, 27]);
    expect([...got.volume]).toEqual([4e6, 4e6, 1e6, 1e6]);
  });

  it("ignores events after the last bar, of other symbols and dividends, and gives the same series back", () => {
    const bars = series([10, 11, 12]);
    const events = [
      event("2019-01-04", "split", 2),
      event("2019-01-02", "split", 2, "BBB"),
      event("2019-01-02", "dividend", 1),
    ];
    expect(adjustForSplits(bars, events)).toBe(bars);
  });

  it("an event on a day without a bar applies before the next bar", () => {
    const bars = series([100, 50]);
    bars.dates = ["2019-01-01", "2019-01-05"];
    expect([...adjustForSplits(bars, [event("2019-01-03", "split", 2)]).close]).toEqual([50, 50]);
  });

  it("takes a dividend out of the prices before its ex-date, as 1 − D/close", () => {
    const got = adjustForTotalReturn(series([100, 98, 99]), [event("2019-01-02", "dividend", 2)]);
    expect(got.close[0]).toBeCloseTo(98, 12);
    expect(got.close[1]).toBe(98);
  });

  it("total return does not see a split that changes nothing, whatever its ratio", () => {
    fc.assert(
      fc.property(fc.constantFrom(2, 4, 0.1, 1.062, 0.3333), fc.integer({ min: 1, max: 29 }), (ratio, at) => {
        const plain = series(Array.from({ length: 30 }, (_, i) => 100 + i));
        const split = series([...plain.close].map((close, i) => (i < at ? close * ratio : close)));
        const got = adjustForTotalReturn(split, [event(plain.dates[at]!, "split", ratio)]);
        for (const [i, close] of plain.close.entries()) expect(got.close[i]).toBeCloseTo(close, 9);
      }),
    );
  });
});

describe("features", () => {
  it(`needs ${FEATURE_BARS_MIN} bars and a last close that is a price`, () => {
    expect(featuresOf(series(new Array(FEATURE_BARS_MIN - 1).fill(10)), [])).toBeNull();
    expect(featuresOf(series(new Array(FEATURE_BARS_MIN).fill(10)), [])?.close).toBe(10);
    expect(featuresOf(series([...new Array(30).fill(10), Number.NaN]), [])).toBeNull();
  });

  it("is plain JSON: what is not defined is null, never NaN", () => {
    const row = featuresOf(series(new Array(60).fill(10)), [])!;
    expect(JSON.parse(JSON.stringify(row))).toEqual(row);
    expect(row).toMatchObject({
      barCount: 60,
      sma20: 10,
      sma200: null,
      momentum12: null,
      high252: null,
      volumeRatio: 1,
      adv20: 1e7,
      gap: 0,
    });
  });

  it("12-1 momentum skips the last month and counts dividends", () => {
    const closes = Array.from({ length: 260 }, () => 100);
    for (let i = 260 - 22; i < 260; i++) closes[i] = 110;
    const bars = series(closes);
    expect(featuresOf(bars, [])?.momentum12).toBeCloseTo(0.1, 12);
    const paid = featuresOf(bars, [event(bars.dates[100]!, "dividend", 5)]);
    expect(paid?.momentum12).toBeCloseTo(1.1 / 0.95 - 1, 12);
    expect(paid?.close).toBe(110);
  });

  it("does not change with events after the last bar", () => {
    const bars = series(Array.from({ length: 300 }, (_, i) => 50 + Math.sin(i) * 5));
    expect(featuresOf(bars, [event("2030-01-01", "split", 3)])).toEqual(featuresOf(bars, []));
  });

  /** Closes in cents whose last is exactly the mean of the last `n`: `n` − 1 of them in pairs about it. */
  function tiedAt(close: number, n: number, seed: number): number[] {
    const cents = Math.round(close * 100);
    const away = Array.from({ length: n >> 1 }, (_, i) => ((i * 37 + seed) % 300) + 1);
    const pairs = away.flatMap((step) => [cents + step, cents - step]);
    const window = [...pairs.slice(n % 2 === 0 ? 2 : 0), ...(n % 2 === 0 ? [cents] : []), cents];
    const before = Array.from({ length: 260 - n }, (_, i) => cents + ((i * 53 + seed) % 400) - 200);
    return [...before, ...window].map((value) => value / 100);
  }

  it.each([
    ["HPQ on 3 January 2018", 21.37, 50],
    ["BSX on 27 February 2018", 27.45, 200],
    ["GD on 10 October 2018", 197.82, 50],
  ] as const)("a close that equals its average is not above it: %s", (_, close, n) => {
    for (let seed = 0; seed < 100; seed++) {
      const closes = tiedAt(close, n, seed);
      expect(closes.at(-1)).toBe(close);
      const row = featuresOf(series(closes), [])!;
      expect(n === 50 ? row.sma50 : row.sma200).toBe(close);
    }
  });
});
