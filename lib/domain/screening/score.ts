import type { Policy } from "../policy.ts";
import type { FeatureRow } from "./features.ts";
import { percentileRanks, zScores } from "./percentile.ts";
import { sentimentScores } from "./sentiment.ts";

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
  if (!(row.lastPrice >= rules.min_price)) return "price_below_minimum";
  if (features.barCount < rules.min_bars) return "too_few_bars";
  if (features.adv20 === null || features.adv20 < rules.min_adv) return "volume_below_minimum";
  if (row.spreadBps !== null && row.spreadBps > rules.max_spread_bps) return "spread_above_maximum";
  return null;
}

/** 0 at ≤ 30, rising to 1 at 50, 1 until 65, falling to 0 at 85; 0 when missing. */
export function rsiBand(rsi: number | null, policy: Policy): number {
  const { rsi_low, rsi_band_from, rsi_band_to, rsi_high } = policy.selector_top50;
  if (rsi === null || rsi <= rsi_low || rsi >= rsi_high) return 0;
  if (rsi < rsi_band_from) return (rsi - rsi_low) / (rsi_band_from - rsi_low);
  return rsi <= rsi_band_to ? 1 : (rsi_high - rsi) / (rsi_high - rsi_band_to);
}

/** Share of three: close above both averages, the short above the long. A missing average counts as not above. */
export function trendShare({ close, sma50, sma200 }: FeatureRow): number {
  const isAbove50 = sma50 !== null && close > sma50;
  const isAbove200 = sma200 !== null && close > sma200;
  const isRising = sma50 !== null && sma200 !== null && sma50 > sma200;
  return (Number(isAbove50) + Number(isAbove200) + Number(isRising)) / 3;
}

function ratio(top: number | null, bottom: number | null): number {
  return top === null || bottom === null || bottom <= 0 ? Number.NaN : top / bottom;
}

/** A missing value scores 0: less evidence never scores higher. */
function orZero(value: number | undefined): number {
  return value === undefined || Number.isNaN(value) ? 0 : value;
}

interface Eligible extends ScreenedSymbol {
  features: FeatureRow;
  lastPrice: number;
}

function liquidityScores(rows: Eligible[], policy: Policy): Float64Array {
  const { winsor_fraction, liquidity_volume_share: share } = policy.selector_top50;
  const volume = percentileRanks(
    Float64Array.from(rows, ({ features }) => Math.log(features.adv20 ?? 1)),
    winsor_fraction,
  );
  const hasQuotes = rows.some(({ spreadBps }) => spreadBps !== null);
  if (!hasQuotes) return volume.map((rank) => 100 * rank);
  const spread = percentileRanks(
    Float64Array.from(rows, ({ spreadBps }) => spreadBps ?? Number.NaN),
    winsor_fraction,
  );
  // Where others have quotes, a symbol without one gets nothing for its spread.
  return volume.map((rank, i) => 100 * (share * rank + (1 - share) * orZero(1 - spread[i]!)));
}

/** Percentile 0 … 1 of ½·z(R12-1/σ252) + ½·z(R6-1/σ126). */
function momentumRanks(rows: Eligible[], policy: Policy): Float64Array {
  const long = zScores(Float64Array.from(rows, ({ features: f }) => ratio(f.momentum12, f.sigma252)));
  const short = zScores(Float64Array.from(rows, ({ features: f }) => ratio(f.momentum6, f.sigma126)));
  return percentileRanks(
    long.map((z, i) => 0.5 * z + 0.5 * short[i]!),
    policy.selector_top50.winsor_fraction,
  );
}

function technicalScores(rows: Eligible[], momentum: Float64Array, policy: Policy): Float64Array {
  const { winsor_fraction } = policy.selector_top50;
  const proximity = percentileRanks(
    Float64Array.from(rows, ({ features: f }) => ratio(f.close, f.high252)),
    winsor_fraction,
  );
  const volatility = percentileRanks(
    Float64Array.from(rows, ({ features: f }) => f.sigma60 ?? Number.NaN),
    winsor_fraction,
  );
  return Float64Array.from(rows, ({ features }, i) => {
    const parts =
      orZero(momentum[i]) +
      trendShare(features) +
      orZero(proximity[i]) +
      rsiBand(features.rsi14, policy) +
      orZero(1 - volatility[i]!);
    return (100 * parts) / 5;
  });
}

/** Ties: higher composite → incumbent → higher dollar volume → symbol A–Z. */
function byScore(isIncumbent: (symbol: string) => boolean) {
  return (a: Score, b: Score): number =>
    b.composite - a.composite ||
    Number(isIncumbent(b.symbol)) - Number(isIncumbent(a.symbol)) ||
    b.adv - a.adv ||
    (a.symbol < b.symbol ? -1 : 1);
}

/**
 * Scores of every symbol that passes the hard filters, ranked, and the count of exclusions by reason. Independent of the
 * input's order. `news` is null when the source is away: then the factor is missing for every symbol.
 */
export function scoreUniverse(
  universe: readonly ScreenedSymbol[],
  news: readonly NewsScore[] | null,
  isIncumbent: (symbol: string) => boolean,
  policy: Policy,
): { scores: Score[]; exclusions: Record<string, number> } {
  const exclusions: Record<string, number> = {};
  const exclude = (reason: ExclusionReason) => {
    exclusions[reason] = (exclusions[reason] ?? 0) + 1;
  };
  const rows: Eligible[] = [];
  for (const row of universe) {
    const reason = hardFilter(row, policy);
    if (reason === null) rows.push(row as Eligible);
    else exclude(reason);
  }
  rows.sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const { weight_technical, weight_liquidity, weight_sentiment, min_coverage } = policy.selector_top50;
  const liquidity = liquidityScores(rows, policy);
  const momentum = momentumRanks(rows, policy);
  const technical = technicalScores(rows, momentum, policy);
  const sentiment = news === null ? null : sentimentScores(news, policy);
  const coverage = weight_technical + weight_liquidity + (sentiment === null ? 0 : weight_sentiment);
  const scores: Score[] = [];
  for (const [i, { symbol, sector, features, lastPrice }] of rows.entries()) {
    // 0.45 + 0.25 is 0.7 but for the last bit.
    if (coverage < min_coverage - 1e-9) {
      exclude("low_coverage");
      continue;
    }
    const mood = sentiment === null ? null : (sentiment.get(symbol) ?? 50);
    const rank = momentum[i]!;
    scores.push({
      symbol,
      sector,
      rank: 0,
      composite: weight_technical * technical[i]! + weight_liquidity * liquidity[i]! + weight_sentiment * (mood ?? 0),
      liquidity: liquidity[i]!,
      technical: technical[i]!,
      sentiment: mood,
      coverage,
      momentumPercentile: Number.isNaN(rank) ? null : 100 * rank,
      adv: features.adv20 ?? 0,
      barCount: features.barCount,
      lastPrice,
    });
  }
  scores.sort(byScore(isIncumbent));
  scores.forEach((score, i) => {
    score.rank = i + 1;
  });
  return { scores, exclusions };
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
