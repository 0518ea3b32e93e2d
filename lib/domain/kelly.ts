import type { StrategyName } from "./enums.ts";
import type { Money } from "./money.ts";
import type { Policy } from "./policy.ts";

/** Closed round trips of one strategy in an account. Plain JSON: part of a decision's record. */
export interface TripRecord {
  strategy: StrategyName;
  /** Closed round trips whose initial risk is known, in all. */
  count: number;
  /** Latest ones left out, because their initial risk is not known. */
  unrated: number;
  /** R of the latest ones, newest last: P&L after fees over initial risk. */
  r: number[];
}

/** As many R as a policy can ask for (the upper bound of `kelly_window_trips`). */
export const TRIPS_KEPT = 500;

/** R of a round trip, to six places: P&L over the amount lost if the first stop had been hit. Null where that is not positive. */
export function riskMultiple(pnl: Money, initialRisk: Money): number | null {
  return initialRisk.gt(0) ? pnl.div(initialRisk).toDecimalPlaces(6).toNumber() : null;
}

/** A record from the R of closed round trips, oldest first; null for one whose initial risk is not known. */
export function tripRecord(strategy: StrategyName, multiples: readonly (number | null)[]): TripRecord {
  const r: number[] = [];
  const from = Math.max(0, multiples.length - TRIPS_KEPT);
  for (let i = from; i < multiples.length; i++) if (multiples[i] !== null) r.push(multiples[i]!);
  const unrated = multiples.length - from - r.length;
  return { strategy, count: multiples.length - unrated, unrated, r };
}

/** Weights by the number of trips since, for the half-life that was last asked for. */
const aged: { halfLife: number; weights: number[] } = { halfLife: 0, weights: [] };

function weightsFor(trips: number, halfLife: number): readonly number[] {
  if (aged.halfLife !== halfLife) Object.assign(aged, { halfLife, weights: [] });
  const { weights } = aged;
  while (weights.length < trips) weights.push(0.5 ** (weights.length / halfLife));
  return weights;
}

/**
 * Lower one-sided bound of the Kelly fraction f = mean(R)/mean(R²), the part of equity at risk that maximises
 * E ln(1 + f·R) to second order (Kelly 1956; Thorp 2006). With pᵢ the weights (halving every `halfLife` trips, adding up to 1),
 * a = Σpᵢ·Rᵢ and b = Σpᵢ·Rᵢ²: f̂ = a/b, and bound = f̂ − z·√(n/(n − 1)·Σpᵢ²·eᵢ²) with eᵢ = (Rᵢ − f̂·Rᵢ²)/b.
 *
 * The variance is that of a ratio of means by linearisation (Cochran 1977, Sampling Techniques, ch. 6), n = 1/Σpᵢ² the
 * effective number of trips (Kish 1965). The ratio is asymptotically normal (central limit theorem and delta method), so z is
 * the normal quantile: 1.28 for 90 %. From 100 trips with a half-life of 60, n is 90 and more. `r` is newest last; 0 where
 * there is nothing to estimate from.
 */
export function kellyLowerBound(r: readonly number[], halfLife: number, z: number): number {
  let total = 0;
  let first = 0;
  let second = 0;
  let squares = 0;
  const weights = weightsFor(r.length, halfLife);
  const newest = r.length - 1;
  for (let i = 0; i < r.length; i++) {
    const value = r[i]!;
    const weight = weights[newest - i]!;
    total += weight;
    first += weight * value;
    second += weight * value * value;
    squares += weight * weight;
  }
  const effective = (total * total) / squares;
  if (!(second > 0) || effective <= 1) return 0;
  const estimate = first / second;
  let variance = 0;
  for (let i = 0; i < r.length; i++) {
    const value = r[i]!;
    const weight = weights[newest - i]!;
    variance += ((weight * (value - estimate * value * value)) / second) ** 2;
  }
  // Σpᵢ²·eᵢ²: the weights' total cancels against that of the second moment.
  return estimate - z * Math.sqrt((effective / (effective - 1)) * variance);
}

function riskFraction({ r }: TripRecord, { portfolio_limits: limits }: Policy): number {
  const recent = r.slice(-limits.kelly_window_trips);
  const bound = kellyLowerBound(recent, limits.kelly_half_life_trips, limits.kelly_z);
  return Math.max(limits.kelly_probe, limits.kelly_fraction * bound);
}

/**
 * The most that one position of the strategy may put at risk (distance to the stop × shares), as a part of equity: a
 * quarter of the Kelly bound, and never less than the probe, so that no record is one that new evidence cannot leave
 * (engine.md §8). Null with fewer round trips than the policy asks for, and for another strategy than the record's.
 */
export function kellyRiskFraction(trips: TripRecord, strategy: StrategyName, policy: Policy): number | null {
  if (trips.strategy !== strategy || trips.count < policy.portfolio_limits.kelly_min_trips) return null;
  return riskFraction(trips, policy);
}
