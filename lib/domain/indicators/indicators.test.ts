import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adx } from "./adx.ts";
import { atr } from "./atr.ts";
import { bollinger } from "./bollinger.ts";
import { dollarVolumeAt } from "./dollar-volume.ts";
import { ema } from "./ema.ts";
import { donchian, proximityAt } from "./extremes.ts";
import { macd } from "./macd.ts";
import { momentumAt } from "./momentum.ts";
import { rsi } from "./rsi.ts";
import { sma } from "./sma.ts";
import { volatilityAt } from "./volatility.ts";
import { volumeRatioAt } from "./volume-ratio.ts";

interface Bars {
  open: Float64Array;
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  volume: Float64Array;
}

/** Every indicator as a series, by the name that the golden vectors use. */
const SERIES: Record<string, (bars: Bars) => Float64Array> = {
  sma50: ({ close }) => sma(close, 50),
  sma200: ({ close }) => sma(close, 200),
  ema20: ({ close }) => ema(close, 20),
  rsi14: ({ close }) => rsi(close, 14),
  rsi2: ({ close }) => rsi(close, 2),
  atr14: ({ high, low, close }) => atr(high, low, close, 14),
  plusDI14: ({ high, low, close }) => adx(high, low, close, 14).plus,
  minusDI14: ({ high, low, close }) => adx(high, low, close, 14).minus,
  dx14: ({ high, low, close }) => adx(high, low, close, 14).dx,
  adx14: ({ high, low, close }) => adx(high, low, close, 14).adx,
  bbMid: ({ close }) => bollinger(close).middle,
  bbUp: ({ close }) => bollinger(close).upper,
  bbLow: ({ close }) => bollinger(close).lower,
  macd: ({ close }) => macd(close).line,
  macdSignal: ({ close }) => macd(close).signal,
  macdHist: ({ close }) => macd(close).histogram,
  donchHigh20prev: ({ high, low }) => donchian(high, low, 20).upper,
  donchLow10prev: ({ high, low }) => donchian(high, low, 10).lower,
  volRatio20prev: ({ volume }) => volume.map((_, i) => volumeRatioAt(volume, i)),
  mom_252_21: ({ close }) => close.map((_, i) => momentumAt(close, i, 252)),
};

const vectors = JSON.parse(readFileSync("../shared/vectors/indicators.json", "utf8")) as {
  bars: Record<keyof Bars, number[]>;
  expected: Record<string, (number | null)[]>;
};
const golden: Bars = {
  open: Float64Array.from(vectors.bars.open),
  high: Float64Array.from(vectors.bars.high),
  low: Float64Array.from(vectors.bars.low),
  close: Float64Array.from(vectors.bars.close),
  volume: Float64Array.from(vectors.bars.volume),
};

function cut(bars: Bars, from: number, to: number): Bars {
  return {
    open: bars.open.slice(from, to),
    high: bars.high.slice(from, to),
    low: bars.low.slice(from, to),
    close: bars.close.slice(from, to),
    volume: bars.volume.slice(from, to),
  };
}

/** A random walk from a seed: the same seed gives the same bars. */
function walk(length: number, seed: number): Bars {
  let state = seed >>> 0;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  const bars: Bars = {
    open: new Float64Array(length),
    high: new Float64Array(length),
    low: new Float64Array(length),
    close: new Float64Array(length),
    volume: new Float64Array(length),
  };
  let close = 50 + 100 * random();
  for (let i = 0; i < length; i++) {
    const open = close * (1 + 0.01 * (random() - 0.5));
    close = open * (1 + 0.04 * (random() - 0.49));
    bars.open[i] = open;
    bars.close[i] = close;
    bars.high[i] = Math.max(open, close) * (1 + 0.01 * random());
    bars.low[i] = Math.min(open, close) * (1 - 0.01 * random());
    bars.volume[i] = 1e6 * (0.5 + random());
  }
  return bars;
}

describe("golden vectors", () => {
  it("every vector has its indicator", () => {
    expect(Object.keys(vectors.expected).sort()).toEqual(Object.keys(SERIES).sort());
  });

  it.each(Object.keys(SERIES))("%s agrees to 1e-6 at every bar, and begins where the vector begins", (name) => {
    const got = SERIES[name]!(golden);
    const expected = vectors.expected[name]!;
    expect(got.length).toBe(expected.length);
    for (const [i, value] of expected.entries()) {
      if (value === null) expect(got[i], `${name}[${i}]`).toBeNaN();
      else expect(Math.abs(got[i]! - value), `${name}[${i}]`).toBeLessThanOrEqual(1e-6);
    }
  });
});

describe("properties", () => {
  const at: Record<string, (bars: Bars) => Float64Array> = {
    ...SERIES,
    proximity: ({ close, high }) => close.map((_, i) => proximityAt(close, high, i)),
    sigma60: ({ close }) => close.map((_, i) => volatilityAt(close, i, 60)),
    adv20: ({ close, volume }) => close.map((_, i) => dollarVolumeAt(close, volume, i)),
  };

  it("truncation: later bars never change an earlier value", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 299 }), (seed, t) => {
        const bars = walk(300, seed);
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
        const long = walk(600, seed);
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
