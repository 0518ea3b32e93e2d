import type { PositionReview } from "../engine/plan.ts";
import type { Policy } from "../policy.ts";
import type { FeatureRow } from "../screening/features.ts";
import { atLeast, type EntrySignal, type SignalInput, signalFrom } from "./signal.ts";

/**
 * Cross-sectional momentum (Jegadeesh & Titman 1993; S&P and MSCI momentum indices). Decided on closed bars; the
 * regime is asked by its own gate, so that a refusal says "regime".
 */
export function momentumEntry({ seat, features, policy }: SignalInput): EntrySignal {
  const rules = policy.signals_confidence;
  const { close, sma50, sma200, momentum12, high252 } = features;
  return signalFrom("MOMENTUM", [
    atLeast("momentum percentile", seat.momentumPercentile, rules.momentum_enter_percentile, 1),
    atLeast("close over SMA200", sma200 === null ? null : close / sma200, 1, 4, true),
    atLeast("SMA50 over SMA200", sma50 === null || sma200 === null ? null : sma50 / sma200, 1, 4, true),
    atLeast("12-1 momentum", momentum12, 0, 4, true),
    atLeast("part of the 52-week high", high252 === null ? null : close / high252, 1 - rules.momentum_high_distance, 4),
  ]);
}

export interface MomentumCounts {
  weakReviews: number;
  belowTrend: number;
}

/** Counts after one more session's review. A value that is not known counts as weak: it must not keep a position alive for ever. */
export function momentumReview(
  review: PositionReview,
  features: FeatureRow | null,
  momentumPercentile: number | null,
  policy: Policy,
): MomentumCounts {
  const keep = policy.signals_confidence.momentum_keep_percentile;
  const isWeak = momentumPercentile === null || momentumPercentile < keep;
  const isBelow = features !== null && features.sma200 !== null && features.close < features.sma200;
  return { weakReviews: isWeak ? review.weakReviews + 1 : 0, belowTrend: isBelow ? review.belowTrend + 1 : 0 };
}
