/**
 * The indicators a second time, written from their definitions and for nothing but to be read: every value is computed
 * from the bars by itself, moving averages as weighted sums over all that came before. Sources: J. W. Wilder, New Concepts
 * in Technical Trading Systems (1978), for RSI, ATR, DI and ADX; J. Bollinger, Bollinger on Bollinger Bands (2001);
 * G. Appel, Technical Analysis (2005), for MACD; seeds as TA-Lib sets them. null where a value is not defined.
 */
import type { Bars } from "./series.ts";

type Column = ArrayLike<number>;
type Values = (number | null)[];

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const window = (values: Column, from: number, to: number) => Array.from(values).slice(from, to + 1);
const each = (values: Column, valueAt: (t: number) => number | null): Values =>
  Array.from(values, (_, t) => valueAt(t));
const undefinedAsNull = (value: number) => (Number.isFinite(value) ? value : null);

/** A whole column that each of many values is made of: worked out once for its bars. */
const columns = new WeakMap<object, Map<string, number[]>>();
function once(of: object, name: string, make: () => Values): number[] {
  const known = columns.get(of) ?? new Map<string, number[]>();
  columns.set(of, known);
  const column = known.get(name) ?? make().map((value) => value ?? 0);
  known.set(name, column);
  return column;
}

/**
 * A seed at bar `first` that fades by `keep` a bar, and every later value with weight `add`, fading likewise:
 * keepᵗ⁻ᶠ · seed + Σ add · keepᵗ⁻ⁱ · xᵢ.
 */
function faded(seed: number, values: Column, first: number, t: number, add: number, keep: number): number {
  let total = seed * keep ** (t - first);
  for (let i = first + 1; i <= t; i += 1) total += add * keep ** (t - i) * values[i]!;
  return total;
}

const smaAt = (values: Column, n: number, t: number) => (t < n - 1 ? null : mean(window(values, t - n + 1, t)));

/** EMA(n): the mean of the first n values from bar `start` on, then k = 2 / (n + 1). */
function emaAt(values: Column, n: number, t: number, start = 0): number | null {
  const first = start + n - 1;
  if (t < first) return null;
  const k = 2 / (n + 1);
  return faded(mean(window(values, start, first)), values, first, t, k, 1 - k);
}

const changes = (values: Column) => Array.from(values, (value, t) => (t === 0 ? 0 : value - values[t - 1]!));

/** 100 · U / (U + D) of Wilder's averages of gains and losses, seeded on the first n changes. */
function rsiAt(close: Column, n: number, t: number): number | null {
  if (t < n) return null;
  const average = (moves: number[]) => faded(mean(window(moves, 1, n)), moves, n, t, 1 / n, 1 - 1 / n);
  const gain = average(changes(close).map((change) => Math.max(0, change)));
  const loss = average(changes(close).map((change) => Math.max(0, -change)));
  return gain + loss === 0 ? 50 : (100 * gain) / (gain + loss);
}

/** The range of a bar with the close before it: the largest of H − L, |H − C₋₁|, |L − C₋₁|. */
const trueRanges = ({ high, low, close }: Bars) =>
  Array.from(high, (_, t) =>
    t === 0 ? 0 : Math.max(high[t]! - low[t]!, Math.abs(high[t]! - close[t - 1]!), Math.abs(low[t]! - close[t - 1]!)),
  );

const atrAt = (bars: Bars, n: number, t: number) =>
  t < n ? null : faded(mean(window(trueRanges(bars), 1, n)), trueRanges(bars), n, t, 1 / n, 1 - 1 / n);

/** The larger of the two moves beyond the bar before, when it is one: +DM upwards, −DM downwards. */
function directionalMoves({ high, low }: Bars, side: "plus" | "minus"): number[] {
  return Array.from(high, (_, t) => {
    if (t === 0) return 0;
    const up = high[t]! - high[t - 1]!;
    const down = low[t - 1]! - low[t]!;
    const [own, other] = side === "plus" ? [up, down] : [down, up];
    return own > other && own > 0 ? own : 0;
  });
}

/** 100 · Wilder's sum of directional moves over his sum of true ranges, both seeded on bars 1 … n. */
function directionalIndexAt(bars: Bars, side: "plus" | "minus", n: number, t: number): number | null {
  if (t < n) return null;
  const sum = (values: number[]) => faded(n * mean(window(values, 1, n)), values, n, t, 1, 1 - 1 / n);
  return (100 * sum(directionalMoves(bars, side))) / sum(trueRanges(bars));
}

function dxAt(bars: Bars, n: number, t: number): number | null {
  const plus = directionalIndexAt(bars, "plus", n, t);
  const minus = directionalIndexAt(bars, "minus", n, t);
  return plus === null || minus === null ? null : (100 * Math.abs(plus - minus)) / (plus + minus);
}

/** Wilder's average of DX, seeded with the mean of its first n values. */
function adxAt(bars: Bars, n: number, t: number): number | null {
  const first = 2 * n - 1;
  if (t < first) return null;
  const dx = once(bars, `dx ${n}`, () => each(bars.close, (i) => dxAt(bars, n, i)));
  return faded(mean(window(dx, n, first)), dx, first, t, 1 / n, 1 - 1 / n);
}

/** The middle and `widths` population standard deviations beside it. */
function bollingerAt(close: Column, n: number, widths: number, t: number): number | null {
  const middle = smaAt(close, n, t);
  if (middle === null) return null;
  const deviation = Math.sqrt(mean(window(close, t - n + 1, t).map((value) => (value - middle) ** 2)));
  return deviation === 0 ? null : middle + widths * deviation;
}

function macdAt(close: Column, t: number): number | null {
  const [fast, slow] = [emaAt(close, 12, t), emaAt(close, 26, t)];
  return fast === null || slow === null ? null : fast - slow;
}

/** EMA(9) of the MACD line, which begins at bar 25. */
function macdSignalAt(close: Column, t: number): number | null {
  const line = once(close, "macd", () => each(close, (i) => macdAt(close, i)));
  return emaAt(line, 9, t, 25);
}

function macdHistogramAt(close: Column, t: number): number | null {
  const [line, signal] = [macdAt(close, t), macdSignalAt(close, t)];
  return line === null || signal === null ? null : line - signal;
}

/** The extreme of the n bars before this one. */
const before = (values: Column, n: number, t: number, extreme: (...values: number[]) => number) =>
  t < n ? null : extreme(...window(values, t - n, t - 1));

/** Every indicator at every bar, by the names of `SERIES`. */
export function referenceValues(bars: Bars): Record<string, Values> {
  const { high, low, close, volume } = bars;
  const of = (valueAt: (t: number) => number | null) =>
    each(close, (t) => {
      const value = valueAt(t);
      return value === null ? null : undefinedAsNull(value);
    });
  return {
    sma50: of((t) => smaAt(close, 50, t)),
    sma200: of((t) => smaAt(close, 200, t)),
    ema20: of((t) => emaAt(close, 20, t)),
    rsi14: of((t) => rsiAt(close, 14, t)),
    rsi2: of((t) => rsiAt(close, 2, t)),
    atr14: of((t) => atrAt(bars, 14, t)),
    plusDI14: of((t) => directionalIndexAt(bars, "plus", 14, t)),
    minusDI14: of((t) => directionalIndexAt(bars, "minus", 14, t)),
    dx14: of((t) => dxAt(bars, 14, t)),
    adx14: of((t) => adxAt(bars, 14, t)),
    bbMid: of((t) => smaAt(close, 20, t)),
    bbUp: of((t) => bollingerAt(close, 20, 2, t)),
    bbLow: of((t) => bollingerAt(close, 20, -2, t)),
    macd: of((t) => macdAt(close, t)),
    macdSignal: of((t) => macdSignalAt(close, t)),
    macdHist: of((t) => macdHistogramAt(close, t)),
    donchHigh20prev: of((t) => before(high, 20, t, Math.max)),
    donchLow10prev: of((t) => before(low, 10, t, Math.min)),
    volRatio20prev: of((t) => (t < 20 ? null : volume[t]! / mean(window(volume, t - 20, t - 1)))),
    mom_252_21: of((t) => (t < 252 ? null : close[t - 21]! / close[t - 252]! - 1)),
  };
}
