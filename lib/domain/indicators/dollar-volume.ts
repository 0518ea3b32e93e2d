/** Median dollar volume of the `n` bars up to bar i, USD: one block day must not qualify a name. NaN before index n − 1. */
export function dollarVolumeAt(close: Float64Array, volume: Float64Array, i: number, n = 20): number {
  if (i < n - 1) return Number.NaN;
  const window = new Float64Array(n);
  for (let j = 0; j < n; j++) window[j] = close[i - j]! * volume[i - j]!;
  window.sort();
  const middle = n >> 1;
  return n % 2 === 1 ? window[middle]! : (window[middle - 1]! + window[middle]!) / 2;
}
