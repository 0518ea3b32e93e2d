import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { referenceValues } from "../../proof/indicators/reference.ts";
import { type Bars, differences, exampleBars, randomWalk, SERIES } from "../../proof/indicators/series.ts";
import { atr } from "./atr.ts";
import { bollinger } from "./bollinger.ts";
import { dollarVolumesInto } from "./dollar-volume.ts";
import { ema } from "./ema.ts";
import { donchian, proximityAt } from "./extremes.ts";
import { rsi } from "./rsi.ts";
import { sma } from "./sma.ts";
import { volatilityAt } from "./volatility.ts";

function cut(bars: Bars, from: number, to: number): Bars {
  return {
    open: bars.open.slice(from, to),
    high: bars.high.slice(from, to),
    low: bars.low.slice(from, to),
    close: bars.close.slice(from, to),
    volume: bars.volume.slice(from, to),
  };
}

describe("the reference implementation", () => {
  const bars = exampleBars();
  const expected = referenceValues(bars);

  it("knows every indicator", () => {
    expect(Object.keys(expected).sort()).toEqual(Object.keys(SERIES).sort());
  });

  it.each(Object.keys(SERIES))("agrees on %s to 1e-9 at every bar, and on where it begins", (name) => {
    expect(expected[name]!.filter((value) => value !== null).length).toBeGreaterThan(40);
    expect(differences(bars, expected, name, 1e-9)).toEqual([]);
  });
});

it("values worked by hand", () => {
  const of = (...values: number[]) => Float64Array.from(values);
  const none = Number.NaN;
  expect([...sma(of(1, 2, 4, 8), 2)]).toEqual([none, 1.5, 3, 6]);
  // Seed (2 + 4) / 2, k = 2/3: 2/3 · 6 + 1/3 · 3, then 2/3 · 8 + 1/3 · 5.
  expect([...ema(of(2, 4, 6, 8), 2)].map((value) => Math.round(value * 1e9) / 1e9)).toEqual([none, 3, 5, 7]);
  // Changes +1, −1, +2: averages ½ and ½, then (½ + 2) / 2 and ½ / 2.
  expect(rsi(of(10, 11, 10, 12), 2)[2]).toBeCloseTo(50, 9);
  expect(rsi(of(10, 11, 10, 12), 2)[3]).toBeCloseTo(100 - 100 / 6, 9);
  // True ranges 3, 2 and, over night, 4: their mean 2.5, then (2.5 + 4) / 2.
  expect([...atr(of(10, 12, 13, 12), of(8, 9, 11, 8), of(9, 11, 12, 9), 2)]).toEqual([none, none, 2.5, 3.25]);
  const { upper, lower } = donchian(of(5, 7, 6, 9), of(1, 3, 2, 4), 2);
  expect([...upper]).toEqual([none, none, 7, 7]);
  expect([...lower]).toEqual([none, none, 1, 2]);
});

describe("properties", () => {
  const at: Record<string, (bars: Bars) => Float64Array> = {
    ...SERIES,
    proximity: ({ close, high }) => close.map((_, i) => proximityAt(close, high, i)),
    sigma60: ({ close }) => close.map((_, i) => volatilityAt(close, i, 60)),
    adv20: ({ close, volume }) => {
      const out = new Float64Array(close.length);
      dollarVolumesInto(out, close, volume, 0, 0, 1);
      return out;
    },
  };

  it("truncation: later bars never change an earlier value", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 299 }), (seed, t) => {
        const bars = randomWalk(300, seed);
        for (const [name, indicator] of Object.entries(at)) {
          const whole = indicator(bars)[t];
          expect(indicator(cut(bars, 0, t + 1))[t], `${name} at ${t}`).toBe(whole);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("warm-up: 200 more bars before 400 change no value by 1e-6 relative", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const long = randomWalk(600, seed);
        const short = cut(long, 200, 600);
        for (const [name, indicator] of Object.entries(at)) {
          const a = indicator(long)[599]!;
          const b = indicator(short)[399]!;
          expect(Math.abs(a - b), name).toBeLessThanOrEqual(1e-6 * Math.max(1, Math.abs(a)));
        }
      }),
      { numRuns: 15 },
    );
  });

  it("RSI: no losses is 100, no movement is 50, always within 0 … 100", () => {
    expect(rsi(Float64Array.from([1, 2, 3, 4]), 2)[3]).toBe(100);
    expect(rsi(Float64Array.from([5, 5, 5, 5]), 2)[3]).toBe(50);
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.01, max: 1e6, noNaN: true }), { minLength: 20, maxLength: 60 }),
        (closes) => {
          for (const value of rsi(Float64Array.from(closes), 14).slice(14)) {
            expect(value).toBeGreaterThanOrEqual(0);
            expect(value).toBeLessThanOrEqual(100);
          }
        },
      ),
    );
  });

  it("Bollinger bands of a flat series are undefined", () => {
    const { middle, upper } = bollinger(new Float64Array(25).fill(7));
    expect(middle[24]).toBe(7);
    expect(upper[24]).toBeNaN();
  });
});
