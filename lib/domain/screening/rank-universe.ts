import type { Policy } from "../policy.ts";
import type { FeatureRow } from "./features.ts";
import { rankColumns, type Ranking, rankScratch } from "./rank-columns.ts";
import { hardFilter, type NewsScore, type ScreenedSymbol } from "./score.ts";
import { scoreFeaturesOf } from "./score-columns.ts";
import { sentimentScores } from "./sentiment.ts";

interface Eligible extends ScreenedSymbol {
  features: FeatureRow;
  lastPrice: number;
}

/**
 * The ranking of every symbol that passes the hard filters, and the count of exclusions by reason. Independent of the input's
 * order. `news` is null when the source is unavailable: then the factor is missing for every symbol.
 */
export function rankUniverse(
  universe: readonly ScreenedSymbol[],
  news: readonly NewsScore[] | null,
  isIncumbent: (symbol: string) => boolean,
  policy: Policy,
): { ranking: Ranking; exclusions: Record<string, number> } {
  const exclusions: Record<string, number> = {};
  const rows: Eligible[] = [];
  for (const row of universe) {
    const reason = hardFilter(row, policy);
    if (reason === null) rows.push(row as Eligible);
    else exclusions[reason] = (exclusions[reason] ?? 0) + 1;
  }
  rows.sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const hasQuotes = rows.some(({ spreadBps }) => spreadBps !== null);
  const sentiment = news === null ? null : sentimentScores(news, policy);
  const places = new Map(rows.map(({ symbol }, place) => [symbol, place]));
  const ranking = rankColumns(
    {
      listed: rows,
      placeOf: (symbol) => places.get(symbol),
      features: scoreFeaturesOf(rows),
      eligible: new Uint8Array(rows.length).fill(1),
      lastPrice: Float64Array.from(rows, ({ lastPrice }) => lastPrice),
      spreadBps: hasQuotes ? Float64Array.from(rows, ({ spreadBps }) => spreadBps ?? Number.NaN) : null,
      sentiment: sentiment === null ? null : Float64Array.from(rows, ({ symbol }) => sentiment.get(symbol) ?? 50),
      isIncumbent,
      policy,
    },
    rankScratch(rows.length),
  );
  if (ranking.count < rows.length) exclusions.low_coverage = rows.length;
  return { ranking, exclusions };
}
