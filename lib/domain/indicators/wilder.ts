import { trueRangeAt } from "./atr.ts";
import { relativeStrength } from "./rsi.ts";

/** Wilder's indicators among the features, and ADX at the bar before. */
export interface WilderColumns {
  rsi2: Float64Array;
  rsi14: Float64Array;
  atr14: Float64Array;
  atr20: Float64Array;
  adx14: Float64Array;
  adx14Prior: Float64Array;
}

/** The bar on which ADX 14 has its seed: 2·14 − 1. */
const ADX_SEEDED = 27;

/** Wilder's smoothing of the values of bars 1, 2, …: a sum before bar n, their mean at bar n, then (mean·(n − 1) + value)/n. */
function smoothed(mean: number, value: number, bar: number, n: number): number {
  if (bar > n) return (mean * (n - 1) + value) / n;
  return bar === n ? (mean + value) / n : mean + value;
}

/**
 * RSI 2 and 14, ATR 14 and 20 and ADX 14 of bars `from` and later (`from` ≥ 20), bit for bit those of `rsi`, `atr` and `adx`.
 * Bar i is written to place i + `shift`. One loop keeps all recurrences: each waits for its own last division, and the
 * others fill that time.
 */
export function wilderInto(
  { rsi2, rsi14, atr14, atr20, adx14, adx14Prior }: WilderColumns,
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  from: number,
  shift: number,
): void {
  const keep = 1 - 1 / 14;
  let [gain2, loss2, gain14, loss14] = [0, 0, 0, 0];
  let [range14, range20] = [0, 0];
  let [up, down, mean, prior] = [0, 0, 0, 0];
  for (let i = 1; i < close.length; i++) {
    const difference = close[i]! - close[i - 1]!;
    const change = Number.isNaN(difference) ? 0 : difference;
    const size = Math.abs(change);
    // max(change, 0) and max(−change, 0) without a branch that cannot be predicted; halving is exact.
    const gain = (size + change) * 0.5;
    const loss = (size - change) * 0.5;
    gain2 = smoothed(gain2, gain, i, 2);
    loss2 = smoothed(loss2, loss, i, 2);
    gain14 = smoothed(gain14, gain, i, 14);
    loss14 = smoothed(loss14, loss, i, 14);
    const range = trueRangeAt(high, low, close, i);
    range14 = smoothed(range14, range, i, 14);
    range20 = smoothed(range20, range, i, 20);
    const rise = high[i]! - high[i - 1]!;
    const fall = low[i - 1]! - low[i]!;
    const decay = i <= 14 ? 1 : keep;
    up *= decay;
    down *= decay;
    if (rise > fall) {
      if (rise > 0) up += rise;
    } else if (fall > rise && fall > 0) down += fall;
    if (i >= 14) {
      const moved = up + down;
      prior = mean;
      mean = smoothed(mean, moved === 0 ? 0 : (100 * Math.abs(up - down)) / moved, i - 13, 14);
    }
    if (i < from) continue;
    const place = i + shift;
    rsi2[place] = relativeStrength(gain2, loss2);
    rsi14[place] = relativeStrength(gain14, loss14);
    atr14[place] = range14;
    atr20[place] = range20;
    adx14[place] = i < ADX_SEEDED ? Number.NaN : mean;
    adx14Prior[place] = i <= ADX_SEEDED ? Number.NaN : prior;
  }
}
