/**
 * Simple moving average of `n` values, same length as the input; NaN before index n − 1.
 * The running sum is compensated (Kahan), so that the value does not depend on how long ago the series began.
 */
export function sma(values: Float64Array, n: number): Float64Array {
  return smaInto(new Float64Array(values.length), values, n);
}

/** `sma` into an array of the same length, for an indicator that keeps several series in one buffer. */
export function smaInto(out: Float64Array, values: Float64Array, n: number): Float64Array {
  const length = values.length;
  const warm = Math.min(n, length);
  let total = 0;
  let lost = 0;
  for (let i = 0; i < warm; i++) {
    const entering = values[i]! - lost;
    const next = total + entering;
    lost = next - total - entering;
    total = next;
  }
  out.fill(Number.NaN, 0, warm);
  if (length >= n) out[n - 1] = total / n;
  for (let i = n; i < length; i++) {
    const entering = values[i]! - lost;
    const between = total + entering;
    lost = between - total - entering;
    const leaving = -values[i - n]! - lost;
    total = between + leaving;
    lost = total - between - leaving;
    out[i] = total / n;
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
