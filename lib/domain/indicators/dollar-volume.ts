/** To the hundredth of a cent: a product of doubles carries digits that mean nothing. */
function clean(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Median dollar volume of the `n` bars up to bar i, USD: one block day must not qualify a name. NaN before index n − 1. */
export function dollarVolumeAt(close: Float64Array, volume: Float64Array, i: number, n = 20): number {
  if (i < n - 1) return Number.NaN;
  // Sorted by insertion: for a month of bars that is faster than a typed array and its sort.
  const sorted: number[] = [];
  for (let j = 0; j < n; j++) {
    const value = close[i - j]! * volume[i - j]!;
    let place = j;
    // What is no number goes behind the numbers, as in a typed array.
    for (; place > 0 && (sorted[place - 1]! > value || Number.isNaN(sorted[place - 1]!)); place--) {
      sorted[place] = sorted[place - 1]!;
    }
    sorted[place] = value;
  }
  const middle = n >> 1;
  return clean(n % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2);
}

/**
 * `dollarVolumeAt` for every bar from `from` on, into `out`: the window stays sorted from bar to bar. Bars before `from` are
 * left as they are.
 */
export function dollarVolumesInto(
  out: Float64Array,
  close: Float64Array,
  volume: Float64Array,
  from: number,
  n = 20,
): Float64Array {
  const sorted = new Float64Array(n);
  const middle = n >> 1;
  // Bars since the window was last known to be whole; a value that is no number makes it begin again.
  let filled = 0;
  for (let i = Math.max(0, from - n + 1); i < close.length; i++) {
    const entering = close[i]! * volume[i]!;
    if (Number.isNaN(entering)) {
      filled = 0;
      if (i >= from) out[i] = dollarVolumeAt(close, volume, i, n);
      continue;
    }
    let place = filled;
    if (filled === n) {
      const leaving = close[i - n]! * volume[i - n]!;
      for (place = 0; sorted[place]! !== leaving;) place++;
      for (; place < n - 1 && sorted[place + 1]! < entering; place++) sorted[place] = sorted[place + 1]!;
    } else filled++;
    for (; place > 0 && sorted[place - 1]! > entering; place--) sorted[place] = sorted[place - 1]!;
    sorted[place] = entering;
    if (i < from) continue;
    if (filled < n) out[i] = dollarVolumeAt(close, volume, i, n);
    else out[i] = clean(n % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2);
  }
  return out;
}
