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

/** Squared log returns of the bars from `from` on, at their own places; the first bar has none. */
function squaredReturns(close: Float64Array, from: number): Float64Array {
  const out = new Float64Array(close.length);
  if (from <= 0) out[0] = Number.NaN;
  for (let i = Math.max(1, from); i < close.length; i++) {
    const change = Math.log(close[i]! / close[i - 1]!);
    out[i] = change * change;
  }
  return out;
}

/** Sum of an even number of values up to and including `last`, odd and even places apart: two sums run beside each other. */
function sumBack(values: Float64Array, last: number, count: number): number {
  let odd = 0;
  let even = 0;
  for (let i = last; i > last - count; i -= 2) {
    odd += values[i]!;
    even += values[i - 1]!;
  }
  return odd + even;
}

/** A sum of squares about the mean that is less than this part of the sum of squares has lost too many digits. */
const CANCELLED = 0.01;

function volatilityFrom(squares: number, close: Float64Array, i: number, n: number): number {
  const total = Math.log(close[i]! / close[i - n]!);
  const about = squares - (total * total) / n;
  return about >= CANCELLED * squares ? Math.sqrt((about / (n - 1)) * 252) : volatilityAt(close, i, n);
}

/**
 * `volatilityAt` of bars `from` and later for 60, 126 and 252 returns, equal to 12 digits: the sum of squares less that of the
 * mean, from squares taken once. The three of bar i go side by side to place `at` + i·`step`.
 */
export function volatilitiesInto(out: Float64Array, close: Float64Array, from: number, at: number, step: number): void {
  const squares = squaredReturns(close, from - 251);
  for (let i = from; i < close.length; i++) {
    const place = at + i * step;
    const of60 = i < 60 ? Number.NaN : sumBack(squares, i, 60);
    const of126 = i < 126 ? Number.NaN : of60 + sumBack(squares, i - 60, 66);
    const of252 = i < 252 ? Number.NaN : of126 + sumBack(squares, i - 126, 126);
    out[place] = i < 60 ? Number.NaN : volatilityFrom(of60, close, i, 60);
    out[place + 1] = i < 126 ? Number.NaN : volatilityFrom(of126, close, i, 126);
    out[place + 2] = i < 252 ? Number.NaN : volatilityFrom(of252, close, i, 252);
  }
}
