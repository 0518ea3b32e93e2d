import { sma } from "./sma.ts";

/** Bollinger bands: mean ± width · population standard deviation. NaN before index n − 1 and where the deviation is 0. */
export function bollinger(
  close: Float64Array,
  n = 20,
  width = 2,
): { middle: Float64Array; upper: Float64Array; lower: Float64Array } {
  const middle = sma(close, n);
  const upper = new Float64Array(close.length).fill(Number.NaN);
  const lower = new Float64Array(close.length).fill(Number.NaN);
  for (let i = n - 1; i < close.length; i++) {
    const mean = middle[i]!;
    let squares = 0;
    for (let j = i - n + 1; j <= i; j++) squares += (close[j]! - mean) ** 2;
    const deviation = Math.sqrt(squares / n);
    if (deviation === 0) continue;
    upper[i] = mean + width * deviation;
    lower[i] = mean - width * deviation;
  }
  return { middle, upper, lower };
}
