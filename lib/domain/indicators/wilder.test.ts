import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adx } from "./adx.ts";
import { atr } from "./atr.ts";
import { dollarVolumesInto } from "./dollar-volume.ts";
import { highestInto, highestOf } from "./extremes.ts";
import { rsi } from "./rsi.ts";
import { sma, smaAt, smaInto } from "./sma.ts";
import { volatilitiesInto, volatilityAt } from "./volatility.ts";
import { wilderInto } from "./wilder.ts";

/** The first bar that features are made of. */
const FIRST = 20;

/** Bars around every seed, whole cents among them (equal closes), with or without one bar that is no number. */
const anyBars = fc
  .record({
    changes: fc.array(fc.integer({ min: -300, max: 300 }), { maxLength: 300 }),
    isFlat: fc.boolean(),
    missing: fc.option(fc.nat(299)),
  })
  .map(({ changes, isFlat, missing }) => {
    let cents = 100_000;
    const close = Float64Array.from(changes, (change) => (cents += isFlat ? Math.sign(change) : change) / 100);
    const high = close.map((value, i) => value + Math.abs(changes[i]! % 7) / 3);
    const low = close.map((value, i) => value - Math.abs(changes[i]! % 11) / 3);
    if (missing !== null && missing < close.length) close[missing] = Number.NaN;
    return { high, low, close };
  });

/** A column of the bars from `from` on, as an indicator writes it. */
function columnOf(length: number, from: number, fill: (out: Float64Array) => unknown): number[] {
  const out = new Float64Array(Math.max(0, length - from)).fill(-1);
  fill(out);
  return [...out];
}

describe("columns of bars from one on", () => {
  it("Wilder's indicators equal their series bit for bit, whatever the length and the bars", () => {
    fc.assert(
      fc.property(anyBars, fc.integer({ min: FIRST, max: 300 }), ({ high, low, close }, from) => {
        const strength = adx(high, low, close, 14).adx;
        const series = [rsi(close, 14), rsi(close, 2), atr(high, low, close, 14), atr(high, low, close, 20), strength];
        const got = new Float64Array(6 * Math.max(0, close.length - from));
        wilderInto(got, high, low, close, from, -6 * from, 6);
        const column = (place: number) => [...got].filter((_, i) => i % 6 === place);
        // toStrictEqual compares with Object.is: no digit may differ.
        for (const [place, values] of series.entries()) expect(column(place)).toStrictEqual([...values.slice(from)]);
        if (close.length > from) expect(column(5)).toStrictEqual([...strength.slice(from - 1, -1)]);
      }),
      { numRuns: 300 },
    );
  });

  it("highest values equal those of each window, of the bars before as well", () => {
    fc.assert(
      fc.property(
        anyBars,
        fc.constantFrom(1, 2, 20, 252),
        fc.constantFrom(0, 1),
        fc.nat(60),
        ({ high }, n, lag, from) => {
          const got = columnOf(high.length, from, (out) => highestInto(out, high, n, lag, from, -from, 1));
          const expected = Array.from(high, (_, i) => highestOf(high, i - lag - n + 1, i - lag + 1)).slice(from);
          expect(got).toStrictEqual(expected);
        },
      ),
    );
  });

  it("median dollar volumes are those of each sorted window, a missing value counting as the largest", () => {
    fc.assert(
      fc.property(anyBars, fc.nat(60), fc.constantFrom(1, 5, 20), ({ close, high }, from, n) => {
        const got = columnOf(close.length, from, (out) => dollarVolumesInto(out, close, high, from, -from, 1, n));
        const expected = Array.from(close, (_, i) => {
          if (i < n - 1) return Number.NaN;
          const window = Float64Array.from({ length: n }, (_v, k) => close[i - k]! * high[i - k]!).sort();
          const median = n % 2 === 1 ? window[n >> 1]! : (window[(n >> 1) - 1]! + window[n >> 1]!) / 2;
          return Math.round(median * 10_000) / 10_000;
        }).slice(from);
        expect(got).toStrictEqual(expected);
      }),
    );
  });

  it("averages equal those of each window bit for bit, whatever came before it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 260 }),
        fc.constantFrom(1, 5, 20, 50, 200),
        fc.nat(260),
        (prices, n, from) => {
          const values = Float64Array.from(prices);
          const expected = prices.map((_, i) => smaAt(prices, i, n));
          expect([...sma(values, n)]).toStrictEqual(expected);
          expect(columnOf(prices.length, from, (out) => smaInto(out, values, n, from, -from))).toStrictEqual(
            expected.slice(from),
          );
        },
      ),
    );
  });

  it("volatilities have the same bits from whichever bar on, and equal those of each window to 12 digits", () => {
    const calm = fc.constantFrom(1, 1e-2, 1e-4);
    fc.assert(
      fc.property(anyBars, calm, fc.nat(300), ({ close }, scale, from) => {
        const series = close.map((value, i) => 1000 + (value - 1000) * (i > 100 ? scale : 1));
        const whole = new Float64Array(3 * series.length);
        volatilitiesInto(whole, series, 0, 0, 3);
        const later = new Float64Array(3 * Math.max(0, series.length - from));
        volatilitiesInto(later, series, from, -3 * from, 3);
        expect([...later]).toStrictEqual([...whole.slice(3 * from)]);
        for (const [place, n] of [60, 126, 252].entries()) {
          for (let i = 0; i < series.length; i++) {
            const got = whole[3 * i + place]!;
            const expected = volatilityAt(series, i, n);
            if (Number.isNaN(expected)) expect(got).toBeNaN();
            else expect(Math.abs(got - expected)).toBeLessThanOrEqual(1e-12 * expected);
          }
        }
      }),
    );
  });
});
