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
 * `highestOf` the `n` values up to each bar from `from` on, or up to `lag` bars before it, bar i into place `at` + i·`step`. The
 * window is read again only when its highest value has left it.
 */
export function highestInto(
  out: Float64Array,
  values: Float64Array,
  n: number,
  lag: number,
  from: number,
  at: number,
  step: number,
): void {
  let best = Number.NaN;
  for (let i = from; i < values.length; i++) {
    const last = i - lag;
    if (i > from && values[last - n]! < best) best = values[last]! > best ? values[last]! : best;
    else best = highestOf(values, last - n + 1, last + 1);
    out[at + i * step] = best;
  }
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
