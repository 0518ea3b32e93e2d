/**
 * Wilder's relative strength index (New Concepts, 1978), 0 … 100; seed = mean of the first `n` changes.
 * No losses → 100, neither gains nor losses → 50. NaN before index n.
 */
export function rsi(close: Float64Array, n: number): Float64Array {
  const out = new Float64Array(close.length).fill(Number.NaN, 0, n);
  if (close.length <= n) return out;
  let gain = 0;
  let loss = 0;
  for (let i = 1; i <= n; i++) {
    const change = close[i]! - close[i - 1]!;
    if (change > 0) gain += change;
    else if (change < 0) loss -= change;
  }
  gain /= n;
  loss /= n;
  out[n] = relativeStrength(gain, loss);
  for (let i = n + 1; i < close.length; i++) {
    const change = close[i]! - close[i - 1]!;
    gain = (gain * (n - 1) + (change > 0 ? change : 0)) / n;
    loss = (loss * (n - 1) + (change < 0 ? -change : 0)) / n;
    out[i] = relativeStrength(gain, loss);
  }
  return out;
}

/** The index from the smoothed gain and loss of one bar. */
export function relativeStrength(gain: number, loss: number): number {
  if (loss === 0) return gain === 0 ? 50 : 100;
  return (100 * gain) / (gain + loss);
}
