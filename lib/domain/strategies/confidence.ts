import type { SeatView } from "../engine/plan.ts";
import type { StrategyName } from "../enums.ts";
import type { Policy } from "../policy.ts";
import type { FeatureRow } from "../screening/features.ts";
import { STRATEGIES } from "./strategies.ts";

/**
 * The strategy's own percentile of a seat, 0 … 100: where its strength is none yet, the seats are ranked among themselves,
 * (rank − 0.5)/n with average ties.
 */
export function ownPercentile(
  strategy: StrategyName,
  seat: SeatView,
  features: FeatureRow | null,
  field: readonly (number | null)[],
): number | null {
  const { strength, isStrengthPercentile } = STRATEGIES[strategy];
  const own = strength(seat, features);
  if (own === null || isStrengthPercentile) return own;
  let below = 0;
  let same = 0;
  let count = 0;
  for (const other of field) {
    if (other === null) continue;
    count++;
    if (other < own) below++;
    else if (other === own) same++;
  }
  return count === 0 ? null : (100 * (below + same / 2)) / count;
}

/** The strengths of all seats, to rank one among them. */
export function strengthsOf(
  strategy: StrategyName,
  seats: readonly SeatView[],
  featuresOf: (symbol: string) => FeatureRow | null,
): (number | null)[] {
  const { strength, isStrengthPercentile } = STRATEGIES[strategy];
  return isStrengthPercentile ? [] : seats.map((seat) => strength(seat, featuresOf(seat.symbol)));
}

/** Confidence ∈ [0, 1] = w · composite/100 + (1 − w) · own percentile/100; a percentile that is not known counts 0. */
export function confidenceOf(composite: number, percentile: number | null, policy: Policy): number {
  const weight = policy.signals_confidence.composite_weight;
  const value = (weight * composite + (1 - weight) * (percentile ?? 0)) / 100;
  return Math.min(1, Math.max(0, value));
}
