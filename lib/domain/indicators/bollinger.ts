import { smaInto } from "./sma.ts";

/** Bollinger bands: mean ± width · population standard deviation. NaN before index n − 1 and where the deviation is 0. */
export function bollinger(
  close: Float64Array,
  n = 20,
  width = 2,
): { middle: Float64Array; upper: Float64Array; lower: Float64Array } {
  const length = close.length;
  // One buffer for all three: making an array costs more than filling it.
  const buffer = new Float64Array(3 * length);
  const middle = smaInto(buffer.subarray(0, length), close, n);
  const upper = buffer.subarray(length, 2 * length).fill(Number.NaN, 0, n - 1);
  const lower = buffer.subarray(2 * length).fill(Number.NaN, 0, n - 1);
  for (let i = n - 1; i < length; i += 2) {
    // Two windows at a time share what they read of the same bars; each sum keeps its own order.
    const mean = middle[i]!;
    const nextMean = i + 1 < length ? middle[i + 1]! : Number.NaN;
    const first = close[i - n + 1]! - mean;
    let squares = first * first;
    let nextSquares = 0;
    for (let j = i - n + 2; j <= i; j++) {
      const value = close[j]!;
      const away = value - mean;
      const nextAway = value - nextMean;
      squares += away * away;
      nextSquares += nextAway * nextAway;
    }
    const deviation = Math.sqrt(squares / n);
    upper[i] = deviation === 0 ? Number.NaN : mean + width * deviation;
    lower[i] = deviation === 0 ? Number.NaN : mean - width * deviation;
    if (i + 1 === length) break;
    const last = close[i + 1]! - nextMean;
    const nextDeviation = Math.sqrt((nextSquares + last * last) / n);
    upper[i + 1] = nextDeviation === 0 ? Number.NaN : nextMean + width * nextDeviation;
    lower[i + 1] = nextDeviation === 0 ? Number.NaN : nextMean - width * nextDeviation;
  }
  return { middle, upper, lower };
}
