import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adx } from "./adx.ts";
import { atr } from "./atr.ts";
import { dollarVolumeAt, dollarVolumesInto } from "./dollar-volume.ts";
import { highestInto, highestOf } from "./extremes.ts";
import { lastWilderValues } from "./last-values.ts";
import { rsi } from "./rsi.ts";
import { sma, smaAt } from "./sma.ts";
import { lastVolatilities, squaredReturnsInto, volatilitiesInto, volatilityAt } from "./volatility.ts";

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

describe("last values", () => {
  it("equal the series bit for bit, whatever the length and the bars", () => {
    fc.assert(
      fc.property(anyBars, ({ high, low, close }) => {
        const strength = adx(high, low, close, 14).adx;
        const at = (values: Float64Array, back = 1) => values[values.length - back] ?? Number.NaN;
        // toStrictEqual compares with Object.is: no digit may differ.
        expect(lastWilderValues(high, low, close)).toStrictEqual({
          rsi2: at(rsi(close, 2)),
          rsi14: at(rsi(close, 14)),
          atr14: at(atr(high, low, close, 14)),
          atr20: at(atr(high, low, close, 20)),
          adx14: at(strength),
          adx14Prior: at(strength, 2),
        });
        const last = close.length - 1;
        const squares = squaredReturnsInto(new Float64Array(close.length), close, 0);
        const none = { sigma60: 0, sigma126: 0, sigma252: 0 };
        expect(lastVolatilities(close)).toStrictEqual(volatilitiesInto(none, close, squares, last));
      }),
      { numRuns: 300 },
    );
  });

  it.each([27, 28, 29, 30, 60, 61, 126, 127, 252, 253])("equal the series on %i bars", (length) => {
    const close = Float64Array.from({ length }, (_, i) => 50 + Math.sin(i) * 5 + i / 9);
    const high = close.map((value, i) => value + (i % 5) / 4);
    const low = close.map((value, i) => value - (i % 3) / 4);
    const strength = adx(high, low, close, 14).adx;
    const got = lastWilderValues(high, low, close);
    expect(got.rsi2).toBe(rsi(close, 2)[length - 1]);
    expect(got.rsi14).toBe(rsi(close, 14)[length - 1]);
    expect(got.atr14).toBe(atr(high, low, close, 14)[length - 1]);
    expect(got.atr20).toBe(atr(high, low, close, 20)[length - 1]);
    expect(got.adx14).toBe(strength[length - 1]);
    expect(got.adx14Prior).toBe(strength[length - 2]);
    for (const n of [5, 20, 50, 200]) expect(smaAt(close, length - 1, n)).toBe(sma(close, n)[length - 1]);
  });

  it("the median dollar volume is that of the sorted window, a missing bar counting as the largest", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.integer({ min: 0, max: 50 }), fc.constant(Number.NaN)), { minLength: 20, maxLength: 20 }),
        (values) => {
          const sorted = Float64Array.from(values).sort();
          const ones = new Float64Array(20).fill(1);
          expect(dollarVolumeAt(ones, Float64Array.from(values), 19)).toBe((sorted[9]! + sorted[10]!) / 2);
        },
      ),
    );
  });
});

describe("series that run on from bar to bar", () => {
  it("highest values equal those of each window", () => {
    fc.assert(
      fc.property(anyBars, fc.constantFrom(1, 2, 20, 252), ({ high }, n) => {
        const out = highestInto(new Float64Array(high.length), high, n, new Int32Array(high.length));
        expect([...out]).toStrictEqual(Array.from(high, (_, i) => highestOf(high, i - n + 1, i + 1)));
      }),
    );
  });

  it("median dollar volumes equal those of each window, bars that are no numbers included", () => {
    fc.assert(
      fc.property(anyBars, fc.nat(60), fc.constantFrom(1, 5, 20), ({ close, high }, from, n) => {
        const out = dollarVolumesInto(new Float64Array(close.length), close, high, from, n);
        const expected = Array.from(close, (_, i) => (i < from ? 0 : dollarVolumeAt(close, high, i, n)));
        expect([...out]).toStrictEqual(expected);
      }),
    );
  });

  it("averages equal those of each window bit for bit, whatever came before it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 260 }),
        fc.constantFrom(1, 5, 20, 50, 200),
        (prices, n) => {
          const values = Float64Array.from(prices);
          expect([...sma(values, n)]).toStrictEqual(prices.map((_, i) => smaAt(prices, i, n)));
        },
      ),
    );
  });

  it("volatilities equal those of each window to 12 digits, calm after a storm, without any change and with gaps", () => {
    const calm = fc.constantFrom(1, 1e-2, 1e-4);
    fc.assert(
      fc.property(anyBars, calm, ({ close }, scale) => {
        const series = close.map((value, i) => 1000 + (value - 1000) * (i > 100 ? scale : 1));
        const squares = squaredReturnsInto(new Float64Array(series.length), series, 0);
        for (let i = 0; i < series.length; i++) {
          const got = volatilitiesInto({ sigma60: 0, sigma126: 0, sigma252: 0 }, series, squares, i);
          for (const [n, value] of [
            [60, got.sigma60],
            [126, got.sigma126],
            [252, got.sigma252],
          ] as const) {
            const expected = volatilityAt(series, i, n);
            if (Number.isNaN(expected)) expect(value).toBeNaN();
            else expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-12 * expected);
          }
        }
      }),
    );
  });
});
