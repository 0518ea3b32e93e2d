import { uniforms } from "../backtest/noise.ts";
import { SHARPE_RETURNS_MIN } from "../metrics.ts";

/** Mean length of the blocks, sessions: two weeks, beyond which daily differences hardly know each other. */
export const BLOCK_SESSIONS = 10;
export const RESAMPLES = 2_000;
/** What the band leaves out on each side. */
export const TAIL = 0.05;

export interface Resampling {
  seed: number;
  /** Mean length of a block; 1 draws each value by itself. */
  blockSessions?: number;
  resamples?: number;
}

/**
 * Means of resampled series, ascending: the stationary bootstrap (Politis & Romano 1994). Blocks begin anywhere, have a
 * geometric length and run on from the end to the beginning, so that what comes in spells stays in spells.
 */
export function resampledMeans(
  values: readonly number[],
  { seed, blockSessions = BLOCK_SESSIONS, resamples = RESAMPLES }: Resampling,
): Float64Array {
  const count = values.length;
  // Sums up to each place of the series twice over: a block is one subtraction, also across the end.
  const sums = new Float64Array(2 * count + 1);
  for (let i = 0; i < 2 * count; i++) sums[i + 1] = sums[i]! + values[i % count]!;
  const next = uniforms(seed);
  const stays = Math.log(1 - 1 / blockSessions);
  const means = new Float64Array(resamples);
  for (let sample = 0; sample < resamples; sample++) {
    let total = 0;
    for (let left = count; left > 0;) {
      const start = Math.floor(next() * count);
      const length = Math.min(left, 1 + Math.floor(Math.log(1 - next()) / stays));
      total += sums[start + length]! - sums[start]!;
      left -= length;
    }
    means[sample] = total / count;
  }
  return means.sort();
}

/** How much of a mean of daily differences luck may have made. Fractions a year of 252 sessions. */
export interface LuckBand {
  /** 252 times the mean. */
  estimate: number;
  /** Bounds of the band around it. */
  low: number;
  high: number;
  /** Share of resampled series without skill that did at least as well; a tie counts half. */
  luck: number;
}

/**
 * The band by reflection, [2m − q95, 2m − q05] of the resampled means, and the share of means, centred at zero, that reach m:
 * zero lies below the band exactly where that share is at most 5 %. Null below 60 values.
 */
export function luckBand(differences: readonly number[], resampling: Resampling): LuckBand | null {
  const count = differences.length;
  if (count < SHARPE_RETURNS_MIN) return null;
  const mean = differences.reduce((total, value) => total + value, 0) / count;
  const means = resampledMeans(differences, resampling);
  const least = Math.round(means.length * TAIL);
  let [above, ties] = [0, 0];
  for (const value of means) {
    if (value > 2 * mean) above++;
    else if (value === 2 * mean) ties++;
  }
  return {
    estimate: 252 * mean,
    low: 252 * (2 * mean - means[means.length - 1 - least]!),
    high: 252 * (2 * mean - means[least]!),
    luck: (above + ties / 2) / means.length,
  };
}
