/** Value at fraction `q` of the first `count` values of an ascending array, linear between neighbours (Hyndman & Fan type 7). */
function quantile(sorted: Float64Array, count: number, q: number): number {
  const place = (count - 1) * q;
  const below = Math.floor(place);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, count - 1)]!;
  return low + (high - low) * (place - below);
}

/** The order in which values stood when they were last ranked, and room for the answer. */
export interface RankMemory {
  /** Places by ascending value; places without a value behind the others. */
  order: Int32Array;
  /** The values in that order. */
  sorted: Float64Array;
  ranks: Float64Array;
  spareOrder: Int32Array;
  spareValues: Float64Array;
}

export function rankMemory(count: number): RankMemory {
  return {
    order: Int32Array.from({ length: count }, (_, i) => i),
    sorted: new Float64Array(count),
    ranks: new Float64Array(count),
    spareOrder: new Int32Array(count),
    spareValues: new Float64Array(count),
  };
}

/** Runs of this length are sorted by insertion, then merged. */
const RUN = 16;

/**
 * Puts the places that have a value in front, ascending by it, and answers their number. It begins with the order of the
 * last call: values that changed little since then are sorted in about one pass.
 */
function sortPlaces(values: Float64Array, memory: RankMemory): number {
  const { order, sorted, spareOrder } = memory;
  let count = 0;
  for (let k = 0; k < values.length; k++) {
    const place = order[k]!;
    const value = values[place]!;
    if (Number.isNaN(value)) {
      spareOrder[k - count] = place;
      continue;
    }
    let at = count++;
    for (const first = at - (at % RUN); at > first && sorted[at - 1]! > value; at--) {
      sorted[at] = sorted[at - 1]!;
      order[at] = order[at - 1]!;
    }
    sorted[at] = value;
    order[at] = place;
  }
  for (let k = count; k < values.length; k++) order[k] = spareOrder[k - count]!;
  for (let run = RUN; run < count; run *= 2)
    for (let low = 0; low + run < count; low += 2 * run) merge(memory, low, low + run, Math.min(low + 2 * run, count));
  return count;
}

/** Merges two sorted runs that lie side by side. What changed little overlaps little: the first place that moves is looked for from the middle. */
function merge({ order, sorted, spareOrder, spareValues }: RankMemory, low: number, middle: number, high: number) {
  const least = sorted[middle]!;
  let at = middle;
  while (at > low && sorted[at - 1]! > least) at--;
  const moved = middle - at;
  for (let k = 0; k < moved; k++) {
    spareValues[k] = sorted[at + k]!;
    spareOrder[k] = order[at + k]!;
  }
  for (let left = 0, right = middle; left < moved; at++) {
    if (right < high && sorted[right]! < spareValues[left]!) {
      sorted[at] = sorted[right]!;
      order[at] = order[right++]!;
    } else {
      sorted[at] = spareValues[left]!;
      order[at] = spareOrder[left++]!;
    }
  }
}

/** Orders places by ascending value into `memory.order` and answers how many have one. `tie` orders two places of equal value. */
export function orderPlaces(values: Float64Array, memory: RankMemory, tie: (a: number, b: number) => number): number {
  const { order, sorted } = memory;
  const n = sortPlaces(values, memory);
  for (let first = 0, after = 0; first < n; first = after) {
    do after++;
    while (after < n && sorted[after] === sorted[first]);
    if (after - first > 1) order.subarray(first, after).sort(tie);
  }
  return n;
}

/**
 * Percentile ranks 0 … 1, in `memory.ranks`: (rank − 0.5)/n with average ties, after winsorising at `winsor` and 1 − `winsor`. NaN
 * marks a missing value: it is not ranked and gets NaN; the others are finite. What `memory` holds from earlier calls changes no rank.
 */
export function percentileRanks(values: Float64Array, winsor: number, memory: RankMemory): Float64Array {
  const { order, sorted, ranks } = memory;
  const n = sortPlaces(values, memory);
  const low = quantile(sorted, n, winsor);
  const high = quantile(sorted, n, 1 - winsor);
  for (let first = 0, after = 0; first < n; first = after) {
    const value = sorted[first]!;
    after++;
    // What lies beyond the outermost quantiles counts as equal to them.
    if (value >= high || low >= high) after = n;
    else if (value <= low) while (after < n && sorted[after]! <= low) after++;
    else while (after < n && sorted[after]! === value) after++;
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
