import { meanOf } from "./sma.ts";

/** Volume of bar i over the mean of the `n` bars before it. NaN before index n and where that mean is 0. */
export function volumeRatioAt(volume: Float64Array, i: number, n = 20): number {
  const mean = meanOf(volume, i - n, i);
  return mean > 0 ? volume[i]! / mean : Number.NaN;
}
