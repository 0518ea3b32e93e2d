import type { PositionReview } from "../engine/plan.ts";
import type { Policy } from "../policy.ts";
import type { FeatureRow } from "../screening/features.ts";
import { quantityText as number } from "../format.ts";
import { nextCloseOnMean, timesInARow } from "./exit-levels.ts";
import type { Strategy } from "./strategy.ts";

/**
 * Cross-sectional momentum (Jegadeesh & Titman 1993; S&P and MSCI momentum indices). Decided on closed bars; the
 * regime is asked by its own gate, so that a refusal says "regime".
 */
export const momentum = {
  label: "Momentum",
  adjective: "momentum",
  describe: ({ signals_confidence: rules, exits }) => ({
    does: [
      `Buys stocks whose rise over the past 6 and 12 months, measured against their swings, is ahead of that of ${number(rules.momentum_enter_percentile)}% of the market, in an up-trend and at most ${number(100 * rules.momentum_high_distance)}% below their 52-week high.`,
      "Keeps them as long as they go on rising.",
    ],
    trades:
      "Such a rise lasts, so there is often something to buy when a place is free. Nothing is bought while the market is falling or nervous.",
    holds: `No time limit. Sold when it closes more than ${number(exits.momentum_trail_atr)} usual daily ranges (ATR) below its highest close, below its 200-day average${timesInARow(exits.trend_closes, 0, "session")}, or when its rise falls behind that of ${number(100 - rules.momentum_keep_percentile)}% of the market${timesInARow(exits.momentum_weak_reviews, 0, "session")}.`,
    struggles:
      "When the market turns quickly: what rose most can fall fastest. In a market without direction rises break off early.",
  }),
  signal: ({ seat, features, policy }, { atLeast }) => {
    const rules = policy.signals_confidence;
    const { close, sma50, sma200, momentum12, high252 } = features;
    const ofHigh = high252 === null ? null : close / high252;
    return (
      atLeast("momentum percentile", seat.momentumPercentile, rules.momentum_enter_percentile, 1) &&
      atLeast("close over SMA200", sma200 === null ? null : close / sma200, 1, 4, true) &&
      atLeast("SMA50 over SMA200", sma50 === null || sma200 === null ? null : sma50 / sma200, 1, 4, true) &&
      atLeast("12-1 momentum", momentum12, 0, 4, true) &&
      atLeast("part of the 52-week high", ofHigh, 1 - rules.momentum_high_distance, 4)
    );
  },
  strength: (seat) => seat.momentumPercentile,
  isStrengthPercentile: true,
  regime: ({ regime, word }) => ({ isAllowed: regime.label !== "risk_off", detail: word }),
  isForOneSession: false,
  atr: ({ atr14 }) => atr14,
  stop: ({ exits }) => exits.momentum_stop_atr,
  edge: ({ orders_execution }) => orders_execution.expected_edge_bps_momentum,
  // The book is scaled down to its volatility target, never up (Barroso & Santa-Clara 2015).
  sizeScale: ({ bookVolatility }, policy) =>
    bookVolatility === null || bookVolatility <= 0
      ? 1
      : Math.min(1, policy.portfolio_limits.momentum_book_volatility / bookVolatility),
  trail: ({ exits }) => ({ atr: exits.momentum_trail_atr, fromR: null }),
  exit: ({ belowTrend, weakReviews }, _, { exits }) =>
    belowTrend >= exits.trend_closes
      ? "trend_broken"
      : weakReviews >= exits.momentum_weak_reviews
        ? "momentum_faded"
        : null,
  exitLines: ({ closes, review: { belowTrend, weakReviews }, policy: { exits, signals_confidence } }) => [
    {
      price: nextCloseOnMean(closes, 200),
      side: "below",
      text: (at) => `it closes below its 200-day average${at}${timesInARow(exits.trend_closes, belowTrend, "session")}`,
    },
    {
      price: null,
      side: "below",
      text: () =>
        `its rise falls behind that of ${100 - signals_confidence.momentum_keep_percentile}% of the market${timesInARow(exits.momentum_weak_reviews, weakReviews, "session")}`,
    },
  ],
} as const satisfies Strategy;

export interface MomentumCounts {
  weakReviews: number;
  belowTrend: number;
}

/** Counts after one more session's review. A value that is not known counts as weak: it must not keep a position alive forever. */
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
