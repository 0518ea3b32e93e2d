/** Value at fraction `q` of the first `count` values of an ascending array, linear between neighbours (Hyndman & Fan type 7). */
function quantile(sorted: Float64Array, count: number, q: number): number {
  const place = (count - 1) * q;
  const below = Math.floor(place);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, count - 1)]!;
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
  const low = quantile(sorted, n, winsor);
  const high = quantile(sorted, n, 1 - winsor);
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

/** The order in which values stood when they were last ranked, and room for the answer: what a day changes little is sorted soon. */
export interface RankMemory {
  /** Places by ascending value; places without a value anywhere. */
  order: Int32Array;
  /** The values in that order. */
  sorted: Float64Array;
  ranks: Float64Array;
}

export function rankMemory(count: number): RankMemory {
  return {
    order: Int32Array.from({ length: count }, (_, i) => i),
    sorted: new Float64Array(count),
    ranks: new Float64Array(count),
  };
}

/**
 * Puts the places that have a value in front, ascending by it, by insertion into the order they had before; answers their
 * number. Where that order says nothing about the values it gives up and sorts afresh.
 */
function sortAgain(values: Float64Array, { order, sorted }: RankMemory): number {
  let count = 0;
  let movesLeft = 32 * values.length;
  for (let k = 0; k < values.length; k++) {
    const place = order[k]!;
    const value = values[place]!;
    if (Number.isNaN(value)) continue;
    // A place without a value may stand at the end of what is sorted: it changes seats with this one.
    order[k] = order[count]!;
    let at = count++;
    for (; at > 0 && sorted[at - 1]! > value; at--) {
      sorted[at] = sorted[at - 1]!;
      order[at] = order[at - 1]!;
    }
    movesLeft -= count - 1 - at;
    sorted[at] = value;
    order[at] = place;
    if (movesLeft < 0) return sortAfresh(values, order, sorted);
  }
  return count;
}

function sortAfresh(values: Float64Array, order: Int32Array, sorted: Float64Array): number {
  let count = 0;
  let rest = values.length;
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i]!)) order[--rest] = i;
    else order[count++] = i;
  }
  order.subarray(0, count).sort((a, b) => values[a]! - values[b]!);
  for (let k = 0; k < count; k++) sorted[k] = values[order[k]!]!;
  return count;
}

/**
 * Orders places by ascending value into `memory.order` and answers how many have one. `tie` orders two places of equal value.
 */
export function orderAgain(values: Float64Array, memory: RankMemory, tie: (a: number, b: number) => number): number {
  const { order, sorted } = memory;
  const n = sortAgain(values, memory);
  for (let first = 0, after = 0; first < n; first = after) {
    do after++;
    while (after < n && sorted[after] === sorted[first]);
    if (after - first > 1) order.subarray(first, after).sort(tie);
  }
  return n;
}

/** `percentileRanks` for a caller that ranks the same places again and again: the same answer, in `memory.ranks`. */
export function rankAgain(values: Float64Array, winsor: number, memory: RankMemory): Float64Array {
  const { order, sorted, ranks } = memory;
  const n = sortAgain(values, memory);
  const low = quantile(sorted, n, winsor);
  const high = quantile(sorted, n, 1 - winsor);
  for (let first = 0, after = 0; first < n; first = after) {
    // What lies beyond the outermost quantiles counts as equal to them.
    const value = Math.min(high, Math.max(low, sorted[first]!));
    do after++;
    while (after < n && Math.min(high, Math.max(low, sorted[after]!)) === value);
    const rank = ((first + 1 + after) / 2 - 0.5) / n;
    for (let k = first; k < after; k++) ranks[order[k]!] = rank;
  }
  for (let k = n; k < ranks.length; k++) ranks[order[k]!] = Number.NaN;
  return ranks;
}

/** z-scores (SD with ddof 1), clipped at ±limit as S&P and MSCI do. NaN stays NaN; no spread gives 0. */
export function zScores(
  values: Float64Array,
  limit = 3,
  out: Float64Array = new Float64Array(values.length),
): Float64Array {
  let n = 0;
  let total = 0;
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i]!)) continue;
    n++;
    total += values[i]!;
  }
  const mean = total / n;
  let squares = 0;
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i]!)) squares += (values[i]! - mean) ** 2;
  const deviation = n > 1 ? Math.sqrt(squares / (n - 1)) : 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) out[i] = value;
    else out[i] = deviation === 0 ? 0 : Math.min(limit, Math.max(-limit, (value - mean) / deviation));
  }
  return out;
}
