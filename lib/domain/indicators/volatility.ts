/** Annualised standard deviation (ddof 1) of the last `n` log returns up to bar i, as a fraction. NaN before index n. */
export function volatilityAt(close: Float64Array, i: number, n: number): number {
  if (i < n || n < 2) return Number.NaN;
  const start = close[i - n]!;
  // The mean of log returns telescopes, so one pass for the squares is enough.
  const mean = Math.log(close[i]! / start) / n;
  let squares = 0;
  let prior = start;
  for (let j = i - n + 1; j <= i; j++) {
    const current = close[j]!;
    squares += (Math.log(current / prior) - mean) ** 2;
    prior = current;
  }
  return Math.sqrt((squares / (n - 1)) * 252);
}
