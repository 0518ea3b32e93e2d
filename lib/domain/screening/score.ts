import type { Policy } from "../policy.ts";
import type { FeatureRow } from "./features.ts";

export interface ScreenedSymbol {
  symbol: string;
  name: string;
  sector: string;
  isTradable: boolean;
  isHalted: boolean;
  quarantine: string | null;
  features: FeatureRow | null;
  /** Median quoted spread; null without quotes. */
  spreadBps: number | null;
  lastPrice: number | null;
}

export interface NewsScore {
  symbol: string;
  /** −1 … 1 */
  score: number;
  ageDays: number;
}

export interface Score {
  symbol: string;
  sector: string;
  /** 1-based among the eligible, after ties are broken. */
  rank: number;
  composite: number;
  liquidity: number;
  technical: number;
  sentiment: number | null;
  /** Sum of the weights whose factor is present. */
  coverage: number;
  /** 0 … 100 */
  momentumPercentile: number | null;
  adv: number;
  barCount: number;
  lastPrice: number;
}

export const EXCLUSION_REASONS = [
  "not_tradable",
  "halted",
  "quarantined",
  "no_features",
  "price_below_minimum",
  "too_few_bars",
  "volume_below_minimum",
  "spread_above_maximum",
  "low_coverage",
] as const;
export type ExclusionReason = (typeof EXCLUSION_REASONS)[number];

/** The first hard filter that a symbol fails (engine.md §3); null when it passes all. */
export function hardFilter(row: ScreenedSymbol, policy: Policy): ExclusionReason | null {
  const rules = policy.selector_top50;
  const { features } = row;
  if (!row.isTradable) return "not_tradable";
  if (row.isHalted) return "halted";
  if (row.quarantine !== null) return "quarantined";
  if (features === null || row.lastPrice === null) return "no_features";
  const ofFeatures = featureFilter(row.lastPrice, features.barCount, features.adv20 ?? Number.NaN, policy);
  if (ofFeatures !== null) return ofFeatures;
  if (row.spreadBps !== null && row.spreadBps > rules.max_spread_bps) return "spread_above_maximum";
  return null;
}

/** The hard filters that read features: price, number of bars and dollar volume (USD; NaN when it is not known). */
export function featureFilter(
  lastPrice: number,
  barCount: number,
  adv20: number,
  policy: Policy,
): ExclusionReason | null {
  const { min_price, min_bars, min_adv } = policy.selector_top50;
  if (!(lastPrice >= min_price)) return "price_below_minimum";
  if (barCount < min_bars) return "too_few_bars";
  return adv20 >= min_adv ? null : "volume_below_minimum";
}

/** 0 at ≤ 30, rising to 1 at 50, 1 until 65, falling to 0 at 85; 0 when missing (NaN). */
export function rsiBand(rsi: number, policy: Policy): number {
  const { rsi_low, rsi_band_from, rsi_band_to, rsi_high } = policy.selector_top50;
  if (!(rsi > rsi_low && rsi < rsi_high)) return 0;
  if (rsi < rsi_band_from) return (rsi - rsi_low) / (rsi_band_from - rsi_low);
  return rsi <= rsi_band_to ? 1 : (rsi_high - rsi) / (rsi_high - rsi_band_to);
}

/** Share of three: close above both averages, the short above the long. A missing average (NaN) counts as not above. */
export function trendShare(close: number, sma50: number, sma200: number): number {
  return (Number(close > sma50) + Number(close > sma200) + Number(sma50 > sma200)) / 3;
}

/** The two or three largest contributions weight·(score − 50), in words with the number. */
export function contributionReasons(score: Score, policy: Policy): string[] {
  const { weight_technical, weight_liquidity, weight_sentiment } = policy.selector_top50;
  const parts: [string, number, number | null][] = [
    ["Technical strength", weight_technical, score.technical],
    ["Liquidity", weight_liquidity, score.liquidity],
    ["News sentiment", weight_sentiment, score.sentiment],
  ];
  return parts
    .map(([name, weight, value]) => ({ name, value, points: value === null ? null : weight * (value - 50) }))
    .filter(
      (part): part is { name: string; value: number; points: number } =>
        part.points !== null && Math.abs(part.points) >= 0.05,
    )
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points))
    .map(
      ({ name, value, points }) =>
        `${name} ${value.toFixed(0)} of 100 (${points < 0 ? "−" : "+"}${Math.abs(points).toFixed(1)} points)`,
    );
}
