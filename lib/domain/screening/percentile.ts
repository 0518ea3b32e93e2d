/** Value at fraction `q` of an ascending array, linear between neighbours (Hyndman & Fan type 7). */
function quantile(sorted: Float64Array, q: number): number {
  const place = (sorted.length - 1) * q;
  const below = Math.floor(place);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (place - below);
}

/**
 * Percentile ranks 0 … 1: (rank − 0.5)/n with average ties, after winsorising at `winsor` and 1 − `winsor`. NaN marks a
 * missing value: it is not ranked and gets NaN.
 */
export function percentileRanks(values: Float64Array, winsor: number): Float64Array {
  const out = new Float64Array(values.length).fill(Number.NaN);
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  const n = sorted.length;
  if (n === 0) return out;
  const low = quantile(sorted, winsor);
  const high = quantile(sorted, 1 - winsor);
  for (let i = 0; i < n; i++) sorted[i] = Math.min(high, Math.max(low, sorted[i]!));
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    const clamped = Math.min(high, Math.max(low, value));
    const first = firstAtLeast(sorted, clamped);
    const after = firstAbove(sorted, clamped, first);
    // Ranks first+1 … after share their mean.
    out[i] = ((first + 1 + after) / 2 - 0.5) / n;
  }
  return out;
}

function firstAtLeast(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** First index above `value`, at or after `from`, where it occurs. Most values occur once, so the next place is asked first. */
function firstAbove(sorted: Float64Array, value: number, from: number): number {
  let low = from + 1;
  if (low >= sorted.length || sorted[low]! > value) return low;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** z-scores (SD with ddof 1), clipped at ±limit as S&P and MSCI do. NaN stays NaN; no spread gives 0. */
export function zScores(values: Float64Array, limit = 3): Float64Array {
  let n = 0;
  let total = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    n++;
    total += value;
  }
  const mean = total / n;
  let squares = 0;
  for (const value of values) if (!Number.isNaN(value)) squares += (value - mean) ** 2;
  const deviation = n > 1 ? Math.sqrt(squares / (n - 1)) : 0;
  return values.map((value) => {
    if (Number.isNaN(value)) return value;
    return deviation === 0 ? 0 : Math.min(limit, Math.max(-limit, (value - mean) / deviation));
  });
}
