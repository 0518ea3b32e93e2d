import { relativeStrength } from "./rsi.ts";

/** The bar on which ADX 14 has its seed: 2·14 − 1. */
const ADX_SEEDED = 27;

/** Wilder's smoothing of the values of bars 1, 2, …: a sum before bar n, their mean at bar n, then (mean·(n − 1) + value)/n. */
function smoothed(mean: number, value: number, bar: number, n: number): number {
  if (bar > n) return (mean * (n - 1) + value) / n;
  return bar === n ? (mean + value) / n : mean + value;
}

/**
 * RSI 14 and 2, ATR 14 and 20, ADX 14 and ADX 14 of the bar before, of bars `from` and later (`from` ≥ 20), bit for bit those
 * of `rsi`, `atr` and `adx`. The six of bar i go side by side to place `at` + i·`step`. One loop keeps all recurrences: each
 * waits for its own last division, and the others fill that time.
 */
export function wilderInto(
  out: Float64Array,
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  from: number,
  at: number,
  step: number,
): void {
  const keep = 1 - 1 / 14;
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
  for (let i = 1; i < close.length; i++) {
    const before = close[i - 1]!;
    const difference = close[i]! - before;
    const change = Number.isNaN(difference) ? 0 : difference;
    const size = Math.abs(change);
    // max(change, 0) and max(−change, 0) without a branch that cannot be predicted; halving is exact.
    const gain = (size + change) * 0.5;
    const loss = (size - change) * 0.5;
    const top = high[i]!;
    const bottom = low[i]!;
    const range = Math.max(top, before) - Math.min(bottom, before);
    const rise = top - high[i - 1]!;
    const fall = low[i - 1]! - bottom;
    const isSeeded = i > ADX_SEEDED;
    const decay = i <= 14 ? 1 : keep;
    up *= decay;
    down *= decay;
    if (rise > fall) {
      if (rise > 0) up += rise;
    } else if (fall > rise && fall > 0) down += fall;
    const moved = up + down;
    const strength = moved === 0 ? 0 : (100 * Math.abs(up - down)) / moved;
    prior = mean;
    if (isSeeded) {
      gain2 = (gain2 + gain) * 0.5;
      loss2 = (loss2 + loss) * 0.5;
      gain14 = (gain14 * 13 + gain) / 14;
      loss14 = (loss14 * 13 + loss) / 14;
      range14 = (range14 * 13 + range) / 14;
      range20 = (range20 * 19 + range) / 20;
      mean = (mean * 13 + strength) / 14;
    } else {
      gain2 = smoothed(gain2, gain, i, 2);
      loss2 = smoothed(loss2, loss, i, 2);
      gain14 = smoothed(gain14, gain, i, 14);
      loss14 = smoothed(loss14, loss, i, 14);
      range14 = smoothed(range14, range, i, 14);
      range20 = smoothed(range20, range, i, 20);
      if (i >= 14) mean = smoothed(mean, strength, i - 13, 14);
    }
    if (i < from) continue;
    const place = at + i * step;
    out[place] = relativeStrength(gain14, loss14);
    out[place + 1] = relativeStrength(gain2, loss2);
    out[place + 2] = range14;
    out[place + 3] = range20;
    out[place + 4] = i < ADX_SEEDED ? Number.NaN : mean;
    out[place + 5] = isSeeded ? prior : Number.NaN;
  }
}
