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

/**
 * `volatilityAt` at the last bar for 60, 126 and 252 returns, bit for bit: every logarithm is taken once, each sum keeps its
 * own order, and the three run beside each other.
 */
export function lastVolatilities(close: Float64Array): { sigma60: number; sigma126: number; sigma252: number } {
  const last = close.length - 1;
  const meanOver = (n: number) => (last < n ? Number.NaN : Math.log(close[last]! / close[last - n]!) / n);
  const mean60 = meanOver(60);
  const mean126 = meanOver(126);
  const mean252 = meanOver(252);
  let squares60 = 0;
  let squares126 = 0;
  let squares252 = 0;
  for (let i = Math.max(1, last - 251); i <= last; i++) {
    const change = Math.log(close[i]! / close[i - 1]!);
    squares252 += (change - mean252) ** 2;
    if (i > last - 126) squares126 += (change - mean126) ** 2;
    if (i > last - 60) squares60 += (change - mean60) ** 2;
  }
  const annual = (squares: number, n: number) => (last < n ? Number.NaN : Math.sqrt((squares / (n - 1)) * 252));
  return { sigma60: annual(squares60, 60), sigma126: annual(squares126, 126), sigma252: annual(squares252, 252) };
}
