/** Log return of every bar from `from` on, in the place of its bar; NaN before. */
export function logReturns(close: Float64Array, from = 1): Float64Array {
  const returns = new Float64Array(close.length).fill(Number.NaN);
  for (let i = Math.max(1, from); i < close.length; i++) returns[i] = Math.log(close[i]! / close[i - 1]!);
  return returns;
}

/**
 * Annualised standard deviation (ddof 1) of the last `n` log returns up to bar i, as a fraction. NaN before index n.
 * `returns` are the log returns in the place of their bars, for a caller that asks for several windows.
 */
export function volatilityAt(close: Float64Array, i: number, n: number, returns?: Float64Array): number {
  if (i < n || n < 2) return Number.NaN;
  // The mean of log returns telescopes, so one pass for the squares is enough.
  const mean = Math.log(close[i]! / close[i - n]!) / n;
  let squares = 0;
  for (let j = i - n + 1; j <= i; j++) {
    const change = returns === undefined ? Math.log(close[j]! / close[j - 1]!) : returns[j]!;
    squares += (change - mean) ** 2;
  }
  return Math.sqrt((squares / (n - 1)) * 252);
}
