import { trueRangeAt } from "./atr.ts";

/**
 * Wilder's directional movement: sums seeded on bars 1 … n, then smoothed by 1 − 1/n; ADX is seeded with the mean of
 * the first n DX. First valid: n for ±DI and DX, 2n − 1 for ADX. No range → DI 0; no movement → DX 0.
 */
export function adx(
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
  n: number,
): { plus: Float64Array; minus: Float64Array; dx: Float64Array; adx: Float64Array } {
  const length = close.length;
  // One buffer for all four: making an array costs more than filling it.
  const buffer = new Float64Array(4 * length);
  const plus = buffer.subarray(0, length).fill(Number.NaN, 0, n);
  const minus = buffer.subarray(length, 2 * length).fill(Number.NaN, 0, n);
  const dx = buffer.subarray(2 * length, 3 * length).fill(Number.NaN, 0, n);
  const average = buffer.subarray(3 * length).fill(Number.NaN, 0, 2 * n - 1);
  const keep = 1 - 1 / n;
  let range = 0;
  let up = 0;
  let down = 0;
  let mean = 0;
  for (let i = 1; i < length; i++) {
    const rise = high[i]! - high[i - 1]!;
    const fall = low[i - 1]! - low[i]!;
    const decay = i <= n ? 1 : keep;
    range = range * decay + trueRangeAt(high, low, close, i);
    up *= decay;
    down *= decay;
    if (rise > fall) {
      if (rise > 0) up += rise;
    } else if (fall > rise && fall > 0) down += fall;
    if (i < n) continue;
    const moved = up + down;
    const strength = moved === 0 ? 0 : (100 * Math.abs(up - down)) / moved;
    plus[i] = range === 0 ? 0 : (100 * up) / range;
    minus[i] = range === 0 ? 0 : (100 * down) / range;
    dx[i] = strength;
    if (i < 2 * n - 1) mean += strength;
    else {
      mean = i === 2 * n - 1 ? (mean + strength) / n : (mean * (n - 1) + strength) / n;
      average[i] = mean;
    }
  }
  return { plus, minus, dx, adx: average };
}
