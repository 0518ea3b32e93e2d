import { adx } from "../../domain/indicators/adx.ts";
import { atr } from "../../domain/indicators/atr.ts";
import { bollinger } from "../../domain/indicators/bollinger.ts";
import { ema } from "../../domain/indicators/ema.ts";
import { donchian } from "../../domain/indicators/extremes.ts";
import { macd } from "../../domain/indicators/macd.ts";
import { momentumAt } from "../../domain/indicators/momentum.ts";
import { rsi } from "../../domain/indicators/rsi.ts";
import { sma } from "../../domain/indicators/sma.ts";
import { volumeRatioAt } from "../../domain/indicators/volume-ratio.ts";

export interface Bars {
  open: Float64Array;
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  volume: Float64Array;
}

/** Every indicator of the product as a series, by the names of the reference and of the golden vectors. */
export const SERIES: Record<string, (bars: Bars) => Float64Array> = {
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

/** A random walk from a seed: the same seed gives the same bars. */
export function randomWalk(length: number, seed: number): Bars {
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

/** 300 bars in cents and whole shares, for the comparison with other implementations. */
export function exampleBars(): Bars {
  const { open, high, low, close, volume } = randomWalk(300, 12);
  const cents = (prices: Float64Array) => prices.map((price) => Math.round(price * 100) / 100);
  return { open: cents(open), high: cents(high), low: cents(low), close: cents(close), volume: volume.map(Math.round) };
}

/** What is wrong with the product's series against expected values, null where none is expected. */
export function differences(
  bars: Bars,
  expected: Record<string, readonly (number | null)[]>,
  name: string,
  tolerance: number,
): string[] {
  const got = SERIES[name]!(bars);
  const values = expected[name]!;
  if (got.length !== values.length) return [`${got.length} values instead of ${values.length}`];
  return [...values.entries()].flatMap(([i, value]) => {
    const isSame = value === null ? Number.isNaN(got[i]) : Math.abs(got[i]! - value) <= tolerance;
    return isSame ? [] : [`${name}[${i}] is ${got[i]}, not ${value}`];
  });
}
