/** Highest of `values[from..to)`; NaN when the window begins before the series or is empty. */
export function highestOf(values: Float64Array, from: number, to: number): number {
  if (from < 0 || to <= from) return Number.NaN;
  let best = values[from]!;
  for (let i = from + 1; i < to; i++) if (values[i]! > best) best = values[i]!;
  return best;
}

/** Lowest of `values[from..to)`; NaN when the window begins before the series or is empty. */
export function lowestOf(values: Float64Array, from: number, to: number): number {
  if (from < 0 || to <= from) return Number.NaN;
  let best = values[from]!;
  for (let i = from + 1; i < to; i++) if (values[i]! < best) best = values[i]!;
  return best;
}

/**
 * The highest of the `n` values up to each bar, into `out` (first valid n − 1, NaN before); as `highestOf` on values that are
 * numbers. `queue` holds the bars that may still become the highest: at least as long as the series.
 */
export function highestInto(out: Float64Array, values: Float64Array, n: number, queue: Int32Array): Float64Array {
  let head = 0;
  let tail = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    while (tail > head && !(values[queue[tail - 1]!]! > value)) tail--;
    queue[tail++] = i;
    if (queue[head]! <= i - n) head++;
    out[i] = i < n - 1 ? Number.NaN : values[queue[head]!]!;
  }
  return out;
}

/** Donchian channel: extremes of the previous `n` bars, never the current one. NaN before index n. */
export function donchian(
  high: Float64Array,
  low: Float64Array,
  n: number,
): { upper: Float64Array; lower: Float64Array } {
  return {
    upper: high.map((_, i) => highestOf(high, i - n, i)),
    lower: low.map((_, i) => lowestOf(low, i - n, i)),
  };
}

/** 52-week proximity at bar i: close over the highest high of `n` bars, this one included. NaN before index n − 1. */
export function proximityAt(close: Float64Array, high: Float64Array, i: number, n = 252): number {
  return close[i]! / highestOf(high, i - n + 1, i + 1);
}
