/** True range of bar i ≥ 1: the largest of high − low and both distances from the prior close. */
export function trueRangeAt(high: Float64Array, low: Float64Array, close: Float64Array, i: number): number {
  const prior = close[i - 1]!;
  return Math.max(high[i]!, prior) - Math.min(low[i]!, prior);
}

/** Wilder's average true range, seed = mean of TR₁ … TRₙ (TA-Lib's convention: TR₀ is undefined). NaN before index n. */
export function atr(high: Float64Array, low: Float64Array, close: Float64Array, n: number): Float64Array {
  const out = new Float64Array(close.length).fill(Number.NaN, 0, n);
  if (close.length <= n) return out;
  let current = 0;
  for (let i = 1; i <= n; i++) current += trueRangeAt(high, low, close, i);
  current /= n;
  out[n] = current;
  for (let i = n + 1; i < close.length; i++) {
    current = (current * (n - 1) + trueRangeAt(high, low, close, i)) / n;
    out[i] = current;
  }
  return out;
}
