/**
 * Momentum at bar i, skipping the last month: C[i − 21]/C[i − months back] − 1 (Jegadeesh & Titman 1993).
 * `lookback` 252 is 12-1, 126 is 6-1. NaN before index `lookback`.
 */
export function momentumAt(close: Float64Array, i: number, lookback: number, skip = 21): number {
  if (i < lookback) return Number.NaN;
  return close[i - skip]! / close[i - lookback]! - 1;
}

/** `momentumAt` on total-return closes, from raw closes and what a share has grown to (`shareGrowth`). */
export function totalMomentumAt(
  close: Float64Array,
  growth: Float64Array | null,
  i: number,
  lookback: number,
  skip = 21,
): number {
  if (growth === null || i < lookback) return momentumAt(close, i, lookback, skip);
  const [to, from] = [i - skip, i - lookback];
  return (close[to]! * growth[to]!) / (close[from]! * growth[from]!) - 1;
}
