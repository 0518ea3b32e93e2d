import type { SeatView } from "../engine/plan.ts";
import type { StrategyName } from "../enums.ts";
import type { Policy } from "../policy.ts";
import type { FeatureRow } from "../screening/features.ts";
import { breakoutEntry } from "./breakout.ts";
import { meanReversionEntry } from "./mean-reversion.ts";
import { momentumEntry } from "./momentum.ts";
import type { EntrySignal, SignalInput } from "./signal.ts";

const ENTRIES: Record<StrategyName, (input: SignalInput) => EntrySignal> = {
  MOMENTUM: momentumEntry,
  MEAN_REVERSION: meanReversionEntry,
  BREAKOUT: breakoutEntry,
};

export function entrySignal(strategy: StrategyName, input: SignalInput): EntrySignal {
  return ENTRIES[strategy](input);
}

/** The ATR that a strategy's stop speaks of, in the price basis of the features. */
export function strategyAtr(strategy: StrategyName, features: FeatureRow | null): number | null {
  if (features === null) return null;
  return strategy === "BREAKOUT" ? features.atr20 : features.atr14;
}

/** Distance of the strategy's initial stop, in ATR. */
export function stopMultiple(strategy: StrategyName, policy: Policy): number {
  const multiples: Record<StrategyName, number> = {
    MOMENTUM: policy.exits.momentum_stop_atr,
    MEAN_REVERSION: policy.exits.reversion_stop_atr,
    BREAKOUT: policy.exits.breakout_stop_atr,
  };
  return multiples[strategy];
}

/** What a strategy ranks its own candidates by; higher is stronger, null when not known. */
function ownStrength(strategy: StrategyName, seat: SeatView, features: FeatureRow | null): number | null {
  if (strategy === "MOMENTUM") return seat.momentumPercentile;
  if (features === null) return null;
  if (strategy === "MEAN_REVERSION") return features.rsi2 === null ? null : -features.rsi2;
  return features.volumeRatio;
}

/**
 * The strategy's own percentile of a seat, 0 … 100: momentum carries its percentile among the eligible universe; the
 * others rank the seats among themselves, (rank − 0.5)/n with average ties (most oversold, strongest volume).
 */
export function ownPercentile(
  strategy: StrategyName,
  seat: SeatView,
  features: FeatureRow | null,
  field: readonly (number | null)[],
): number | null {
  const own = ownStrength(strategy, seat, features);
  if (own === null || strategy === "MOMENTUM") return own;
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
  if (strategy === "MOMENTUM") return [];
  return seats.map((seat) => ownStrength(strategy, seat, featuresOf(seat.symbol)));
}

/** Confidence ∈ [0, 1] = w · composite/100 + (1 − w) · own percentile/100; a percentile that is not known counts 0. */
export function confidenceOf(composite: number, percentile: number | null, policy: Policy): number {
  const weight = policy.signals_confidence.composite_weight;
  const value = (weight * composite + (1 - weight) * (percentile ?? 0)) / 100;
  return Math.min(1, Math.max(0, value));
}
