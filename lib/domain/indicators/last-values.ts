import { adx } from "./adx.ts";
import { atr, trueRangeAt } from "./atr.ts";
import { relativeStrength, rsi } from "./rsi.ts";

/** Wilder's indicators of a feature row at the last bar, and ADX at the bar before it. NaN where the series are. */
export interface LastWilderValues {
  rsi2: number;
  rsi14: number;
  atr14: number;
  atr20: number;
  adx14: number;
  adx14Prior: number;
}

/** The last bar on which one of these indicators still takes its seed: ADX 14 at 2·14 − 1. */
const SEEDED = 27;

function lastOf(values: Float64Array, back = 1): number {
  return values[values.length - back] ?? Number.NaN;
}

function fromSeries(high: Float64Array, low: Float64Array, close: Float64Array): LastWilderValues {
  const strength = adx(high, low, close, 14).adx;
  return {
    rsi2: lastOf(rsi(close, 2)),
    rsi14: lastOf(rsi(close, 14)),
    atr14: lastOf(atr(high, low, close, 14)),
    atr20: lastOf(atr(high, low, close, 20)),
    adx14: lastOf(strength),
    adx14Prior: lastOf(strength, 2),
  };
}

/**
 * The last values of RSI 2 and 14, ATR 14 and 20 and ADX 14, bit for bit those of `rsi`, `atr` and `adx`: the same seeds and
 * the same order of operations. One loop keeps all recurrences, because each waits for its own last division and the
 * others fill that time; no series is kept.
 */
export function lastWilderValues(high: Float64Array, low: Float64Array, close: Float64Array): LastWilderValues {
  const count = close.length;
  if (count < SEEDED + 2) return fromSeries(high, low, close);
  let gain2 = 0;
  let loss2 = 0;
  let gain14 = 0;
  let loss14 = 0;
  let range14 = 0;
  let range20 = 0;
  let up = 0;
  let down = 0;
  let mean = 0;
  let prior = 0;
  const keep = 1 - 1 / 14;
  for (let i = 1; i <= SEEDED; i++) {
    const change = close[i]! - close[i - 1]!;
    const gain = (Math.abs(change) + change) * 0.5;
    const loss = (Math.abs(change) - change) * 0.5;
    const range = trueRangeAt(high, low, close, i);
    const rise = high[i]! - high[i - 1]!;
    const fall = low[i - 1]! - low[i]!;
    gain2 = i <= 2 ? gain2 + gain : (gain2 + gain) / 2;
    loss2 = i <= 2 ? loss2 + loss : (loss2 + loss) / 2;
    gain14 = i <= 14 ? gain14 + gain : (gain14 * 13 + gain) / 14;
    loss14 = i <= 14 ? loss14 + loss : (loss14 * 13 + loss) / 14;
    range14 = i <= 14 ? range14 + range : (range14 * 13 + range) / 14;
    range20 = i <= 20 ? range20 + range : (range20 * 19 + range) / 20;
    const decay = i <= 14 ? 1 : keep;
    up = up * decay + (rise > fall && rise > 0 ? rise : 0);
    down = down * decay + (fall > rise && fall > 0 ? fall : 0);
    if (i === 2) {
      gain2 /= 2;
      loss2 /= 2;
    }
    if (i === 14) {
      gain14 /= 14;
      loss14 /= 14;
      range14 /= 14;
    }
    if (i === 20) range20 /= 20;
    if (i >= 14) mean += up + down === 0 ? 0 : (100 * Math.abs(up - down)) / (up + down);
  }
  mean /= 14;
  for (let i = SEEDED + 1; i < count; i++) {
    const before = close[i - 1]!;
    const change = close[i]! - before;
    const size = Math.abs(change);
    // max(change, 0) and max(−change, 0) without a branch that nobody can predict; exact, because only halves are taken.
    const gain = (size + change) * 0.5;
    const loss = (size - change) * 0.5;
    gain2 = (gain2 + gain) * 0.5;
    loss2 = (loss2 + loss) * 0.5;
    gain14 = (gain14 * 13 + gain) / 14;
    loss14 = (loss14 * 13 + loss) / 14;
    const top = high[i]!;
    const bottom = low[i]!;
    const range = Math.max(top, before) - Math.min(bottom, before);
    range14 = (range14 * 13 + range) / 14;
    range20 = (range20 * 19 + range) / 20;
    const rise = top - high[i - 1]!;
    const fall = low[i - 1]! - bottom;
    up *= keep;
    down *= keep;
    if (rise > fall) {
      if (rise > 0) up += rise;
    } else if (fall > rise && fall > 0) down += fall;
    const moved = up + down;
    prior = mean;
    mean = (mean * 13 + (moved === 0 ? 0 : (100 * Math.abs(up - down)) / moved)) / 14;
  }
  // A bar that is no number is skipped by some of the series and not by these loops.
  if (Number.isNaN(gain2 + loss2 + gain14 + loss14)) return fromSeries(high, low, close);
  return {
    rsi2: relativeStrength(gain2, loss2),
    rsi14: relativeStrength(gain14, loss14),
    atr14: range14,
    atr20: range20,
    adx14: mean,
    adx14Prior: prior,
  };
}
