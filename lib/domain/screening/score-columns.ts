import type { FeatureColumns, FeatureRow } from "./features.ts";

/** The features that scores read; NaN where a value is missing. */
export const SCORE_FEATURES = [
  "close",
  "sma50",
  "sma200",
  "rsi14",
  "high252",
  "adv20",
  "momentum12",
  "momentum6",
  "sigma60",
  "sigma126",
  "sigma252",
] as const satisfies (keyof FeatureRow)[];

/** One place a symbol; no bars where there is no row. */
export type ScoreFeatures = Pick<FeatureColumns, "barCount" | (typeof SCORE_FEATURES)[number]>;

export function openScoreFeatures(count: number): ScoreFeatures {
  const column = () => new Float64Array(count);
  return {
    barCount: new Int32Array(count),
    close: column(),
    sma50: column(),
    sma200: column(),
    rsi14: column(),
    high252: column(),
    adv20: column(),
    momentum12: column(),
    momentum6: column(),
    sigma60: column(),
    sigma126: column(),
    sigma252: column(),
  };
}

export function scoreFeaturesOf(rows: readonly { features: FeatureRow }[]): ScoreFeatures {
  const columns = openScoreFeatures(rows.length);
  for (let i = 0; i < rows.length; i++) columns.barCount[i] = rows[i]!.features.barCount;
  for (const name of SCORE_FEATURES) {
    const column = columns[name];
    for (let i = 0; i < rows.length; i++) column[i] = rows[i]!.features[name] ?? Number.NaN;
  }
  return columns;
}
