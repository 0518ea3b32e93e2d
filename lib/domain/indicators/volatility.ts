/**
 * Annualised standard deviation (ddof 1) of the last `n` log returns up to bar i, as a fraction. NaN before index n.
 */
export function volatilityAt(close: Float64Array, i: number, n: number): number {
  if (i < n || n < 2) return Number.NaN;
  // The mean of log returns telescopes, so one pass for the squares is enough.
  const mean = Math.log(close[i]! / close[i - n]!) / n;
  let squares = 0;
  for (let j = i - n + 1; j <= i; j++) {
    const change = Math.log(close[j]! / close[j - 1]!);
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

/** Running sums of a series' log returns: of returns, and of their squares with what rounding lost of them (Kahan). */
export interface ReturnSums {
  total: Float64Array;
  squares: Float64Array;
  lost: Float64Array;
  /** The last bar up to each whose return is no number; 0, the first bar, has none. */
  broken: Int32Array;
}

export function returnSums(length: number): ReturnSums {
  return {
    total: new Float64Array(length),
    squares: new Float64Array(length),
    lost: new Float64Array(length),
    broken: new Int32Array(length),
  };
}

/** Fills the sums for a series no longer than they are. */
export function sumReturns(sums: ReturnSums, close: Float64Array): void {
  const { total, squares, lost, broken } = sums;
  let [sum, square, slip, bad] = [0, 0, 0, 0];
  total[0] = squares[0] = lost[0] = broken[0] = 0;
  for (let i = 1; i < close.length; i++) {
    const change = Math.log(close[i]! / close[i - 1]!);
    if (Number.isFinite(change)) {
      sum += change;
      const entering = change * change - slip;
      const next = square + entering;
      slip = next - square - entering;
      square = next;
    } else bad = i;
    total[i] = sum;
    squares[i] = square;
    lost[i] = slip;
    broken[i] = bad;
  }
}

/** A sum of squares about the mean that is less than this part of the sum of squares has lost too many digits. */
const CANCELLED = 0.01;

/** `volatilityAt` from running sums, in the same time for every `n`: equal to 12 digits. */
export function volatilityFrom(sums: ReturnSums, close: Float64Array, i: number, n: number): number {
  if (i < n || n < 2) return Number.NaN;
  const start = i - n;
  if (sums.broken[i]! > start) return volatilityAt(close, i, n);
  const total = sums.total[i]! - sums.total[start]!;
  const squares = sums.squares[i]! - sums.squares[start]! - (sums.lost[i]! - sums.lost[start]!);
  const about = squares - (total * total) / n;
  return about < CANCELLED * squares ? volatilityAt(close, i, n) : Math.sqrt((about / (n - 1)) * 252);
}
