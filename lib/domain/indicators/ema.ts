import { meanOf } from "./sma.ts";

/**
 * Exponential moving average, k = 2/(n + 1), seeded with the mean of the first `n` values from `start`.
 * NaN before index start + n − 1.
 */
export function ema(values: Float64Array, n: number, start = 0): Float64Array {
  return emaInto(new Float64Array(values.length), values, n, start);
}

/** `ema` into an array of the same length, for an indicator that keeps several series in one buffer. */
export function emaInto(out: Float64Array, values: Float64Array, n: number, start: number): Float64Array {
  const first = start + n - 1;
  out.fill(Number.NaN, 0, first);
  if (first >= values.length) return out;
  const k = 2 / (n + 1);
  let current = meanOf(values, start, start + n);
  out[first] = current;
  for (let i = first + 1; i < values.length; i++) {
    current += k * (values[i]! - current);
    out[i] = current;
  }
  return out;
}
