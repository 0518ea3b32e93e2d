/**
 * A price in two parts that add without rounding: multiples of 2⁻¹⁰ and of 2⁻⁵⁰ (what is smaller is dropped). Sums of each
 * part are exact up to totals of 2⁴³, so that a window has one sum, however it was reached.
 */
const COARSE = 1.5 * 2 ** 42;
const FINE = 1.5 * 2 ** 2;

/**
 * A mean to nine decimal places, the places that prices are stored in: the mean of equal prices is that price, and a mean
 * that equals a price in decimals equals it here.
 */
function priceOf(total: number, n: number): number {
  const mean = total / n;
  return Math.abs(mean) < PLACES_MOST ? Math.round(mean * 1e9) / 1e9 : mean;
}

/** Above this a double has no ninth decimal place. */
const PLACES_MOST = 1e6;

/** Simple moving average of `n` prices, same length as the input; NaN before index n − 1. To nine decimal places. */
export function sma(values: Float64Array, n: number): Float64Array {
  return smaInto(new Float64Array(values.length), values, n);
}

/** `sma` of bars `from` and later, bar i into place `at` + i·`step`: a column of a table, or one of several series in a buffer. */
export function smaInto(out: Float64Array, values: Float64Array, n: number, from = 0, at = 0, step = 1): Float64Array {
  const start = Math.max(0, from - n + 1);
  let coarse = 0;
  let fine = 0;
  for (let i = start; i < values.length; i++) {
    const entering = values[i]!;
    const part = entering + COARSE - COARSE;
    coarse += part;
    fine += entering - part + FINE - FINE;
    if (i < from) continue;
    if (i >= start + n) {
      const leaving = values[i - n]!;
      const gone = leaving + COARSE - COARSE;
      coarse -= gone;
      fine -= leaving - gone + FINE - FINE;
    }
    out[at + i * step] = i < n - 1 ? Number.NaN : priceOf(coarse + fine, n);
  }
  return out;
}

/** The value of `sma` at bar i, bit for bit; NaN before index n − 1. */
export function smaAt(values: ArrayLike<number>, i: number, n: number): number {
  if (i < n - 1) return Number.NaN;
  let coarse = 0;
  let fine = 0;
  for (let j = i - n + 1; j <= i; j++) {
    const value = values[j]!;
    const part = value + COARSE - COARSE;
    coarse += part;
    fine += value - part + FINE - FINE;
  }
  return priceOf(coarse + fine, n);
}

/** Mean of `values[from..to)`; NaN when the window is empty or begins before the series. */
export function meanOf(values: Float64Array, from: number, to: number): number {
  if (from < 0 || to <= from) return Number.NaN;
  let total = 0;
  for (let i = from; i < to; i++) total += values[i]!;
  return total / (to - from);
}
