/**
 * The next close that stands exactly on the mean of itself and the n − 1 closes before it, which is the mean of those: a close
 * beyond it lies on the same side of the average that it helps to make. Null with too few closes.
 */
export function nextCloseOnMean(closes: Float64Array, n: number): number | null {
  const before = closes.subarray(Math.max(0, closes.length - (n - 1)));
  return before.length < n - 1 ? null : before.reduce((total, close) => total + close, 0) / before.length;
}

/** The lowest of the last n; null with fewer. */
export function lowestOfLast(lows: Float64Array, n: number): number | null {
  return lows.length < n ? null : Math.min(...lows.subarray(lows.length - n));
}

/** " 2 sessions in a row (1 so far)"; nothing where once is enough. */
export function timesInARow(times: number, counted: number, word: string): string {
  if (times <= 1) return "";
  return `, ${times} ${word}s in a row${counted > 0 ? ` (${Math.min(counted, times)} so far)` : ""}`;
}
