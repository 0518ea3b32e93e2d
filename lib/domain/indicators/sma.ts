/**
 * Simple moving average of `n` values, same length as the input; NaN before index n − 1.
 * The running sum is compensated (Kahan), so that the value does not depend on how long ago the series began.
 */
export function sma(values: Float64Array, n: number): Float64Array {
  const out = new Float64Array(values.length).fill(Number.NaN);
  let total = 0;
  let lost = 0;
  for (let i = 0; i < values.length; i++) {
    const entering = values[i]! - lost;
    let next = total + entering;
    lost = next - total - entering;
    total = next;
    if (i >= n) {
      const leaving = -values[i - n]! - lost;
      next = total + leaving;
      lost = next - total - leaving;
      total = next;
    }
    if (i >= n - 1) out[i] = total / n;
  }
  return out;
}

/** Mean of `values[from..to)`; NaN when the window is empty or begins before the series. */
export function meanOf(values: Float64Array, from: number, to: number): number {
  if (from < 0 || to <= from) return Number.NaN;
  let total = 0;
  for (let i = from; i < to; i++) total += values[i]!;
  return total / (to - from);
}
