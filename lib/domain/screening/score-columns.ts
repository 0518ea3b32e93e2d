import type { FeatureRow } from "./features.ts";

const SCORE_FEATURES = [
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

/** The features that scores read, a column each, one place a symbol; NaN where a value is missing, no bars where a row is. */
export type ScoreFeatures = { barCount: Int32Array } & Record<(typeof SCORE_FEATURES)[number], Float64Array>;

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
