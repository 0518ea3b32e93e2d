/** Value at fraction `q` of the first `count` values of an ascending array, linear between neighbours (Hyndman & Fan type 7). */
function quantile(sorted: Float64Array, count: number, q: number): number {
  const place = (count - 1) * q;
  const below = Math.floor(place);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, count - 1)]!;
  return low + (high - low) * (place - below);
}

/** Room to sort some values in; it holds nothing that a later sort reads. */
export interface SortRoom {
  /** Places by ascending value; of what has no value nothing. */
  order: Int32Array;
  /** The values in that order. */
  sorted: Float64Array;
  /** The bucket of each place. */
  bucketOf: Int32Array;
  /** Where the next value of each bucket goes. */
  next: Int32Array;
}

export function sortRoom(count: number): SortRoom {
  return {
    order: new Int32Array(count),
    sorted: new Float64Array(count),
    bucketOf: new Int32Array(count),
    next: new Int32Array(count + 1),
  };
}

/**
 * Puts the places that have a value in `room.order`, ascending by it, and answers their number. As many buckets as values
 * from the least to the greatest put nearly every value where it belongs; insertion does the rest.
 */
function sortPlaces(values: Float64Array, { order, sorted, bucketOf, next }: SortRoom): number {
  const { length } = values;
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let place = 0; place < length; place++) {
    const value = values[place]!;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  const scale = greatest > least ? (length - 1) / (greatest - least) : 0;
  next.fill(0);
  for (let place = 0; place < length; place++) {
    const value = values[place]!;
    if (value !== value) continue;
    // An infinite least or greatest gives no number, which is the first bucket.
    const bucket = ((value - least) * scale) | 0;
    bucketOf[place] = bucket;
    next[bucket + 1]!++;
  }
  for (let bucket = 1; bucket <= length; bucket++) next[bucket]! += next[bucket - 1]!;
  const count = next[length]!;
  for (let place = 0; place < length; place++) {
    const value = values[place]!;
    if (value !== value) continue;
    const at = next[bucketOf[place]!]!++;
    sorted[at] = value;
    order[at] = place;
  }
  for (let k = 1; k < count; k++) {
    const value = sorted[k]!;
    if (sorted[k - 1]! <= value) continue;
    const place = order[k]!;
    let at = k;
    for (; at > 0 && sorted[at - 1]! > value; at--) {
      sorted[at] = sorted[at - 1]!;
      order[at] = order[at - 1]!;
    }
    sorted[at] = value;
    order[at] = place;
  }
  return count;
}

/** Orders places by ascending value into `room.order` and answers how many have one. `tie` orders two places of equal value. */
export function orderPlaces(values: Float64Array, room: SortRoom, tie: (a: number, b: number) => number): number {
  const { order, sorted } = room;
  const n = sortPlaces(values, room);
  for (let first = 0, after = 0; first < n; first = after) {
    do after++;
    while (after < n && sorted[after] === sorted[first]);
    if (after - first > 1) order.subarray(first, after).sort(tie);
  }
  return n;
}

/**
 * Percentile ranks 0 … 1, into `ranks`: (rank − 0.5)/n with average ties, after winsorising at `winsor` and 1 − `winsor`. NaN
 * marks a missing value: it is not ranked and gets NaN; the others are finite.
 */
export function percentileRanks(
  values: Float64Array,
  winsor: number,
  room: SortRoom,
  ranks: Float64Array,
): Float64Array {
  const { order, sorted } = room;
  const n = sortPlaces(values, room);
  const low = quantile(sorted, n, winsor);
  const high = quantile(sorted, n, 1 - winsor);
  if (n < values.length) ranks.fill(Number.NaN);
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
