/** Median dollar volume of the `n` bars up to bar i, USD: one block day must not qualify a name. NaN before index n − 1. */
export function dollarVolumeAt(close: Float64Array, volume: Float64Array, i: number, n = 20): number {
  if (i < n - 1) return Number.NaN;
  // Sorted by insertion: for a month of bars that is faster than a typed array and its sort.
  const sorted: number[] = [];
  for (let j = 0; j < n; j++) {
    const value = close[i - j]! * volume[i - j]!;
    let place = j;
    // What is no number goes behind the numbers, as in a typed array.
    for (; place > 0 && (sorted[place - 1]! > value || Number.isNaN(sorted[place - 1]!)); place--) {
      sorted[place] = sorted[place - 1]!;
    }
    sorted[place] = value;
  }
  const middle = n >> 1;
  return n % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
