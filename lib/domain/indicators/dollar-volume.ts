/** To the hundredth of a cent: a product of doubles carries digits that mean nothing. */
function clean(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function valueAt(close: Float64Array, volume: Float64Array, i: number): number {
  const value = close[i]! * volume[i]!;
  return Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
}

/**
 * Median dollar volume of the `n` bars up to each bar from `from` on, USD: one block day must not qualify a name. Bar i is
 * written to place `at` + i·`step`; NaN before index n − 1. The window stays sorted from bar to bar; a missing value counts as
 * the largest.
 */
export function dollarVolumesInto(
  out: Float64Array,
  close: Float64Array,
  volume: Float64Array,
  from: number,
  at: number,
  step: number,
  n = 20,
): void {
  // An array of numbers is made sooner than a typed array.
  const sorted: number[] = [];
  const middle = n >> 1;
  let filled = 0;
  for (let i = Math.max(0, from - n + 1); i < close.length; i++) {
    const entering = valueAt(close, volume, i);
    let place = filled;
    if (filled === n) {
      const leaving = valueAt(close, volume, i - n);
      for (place = 0; sorted[place]! !== leaving;) place++;
      for (; place < n - 1 && sorted[place + 1]! < entering; place++) sorted[place] = sorted[place + 1]!;
    } else filled++;
    for (; place > 0 && sorted[place - 1]! > entering; place--) sorted[place] = sorted[place - 1]!;
    sorted[place] = entering;
    if (i < from) continue;
    const median = n % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
    out[at + i * step] = filled < n || median === Number.POSITIVE_INFINITY ? Number.NaN : clean(median);
  }
}
