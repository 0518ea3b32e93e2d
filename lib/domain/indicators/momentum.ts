/**
 * Momentum at bar i, skipping the last month: C[i − 21]/C[i − months back] − 1 (Jegadeesh & Titman 1993).
 * `lookback` 252 is 12-1, 126 is 6-1. NaN before index `lookback`.
 */
export function momentumAt(close: Float64Array, i: number, lookback: number, skip = 21): number {
  if (i < lookback) return Number.NaN;
  return close[i - skip]! / close[i - lookback]! - 1;
}
