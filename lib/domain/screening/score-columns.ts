import type { FeatureRow } from "./features.ts";

/** The features that scores read, a column each, one place a symbol; NaN where a value is missing, no bars where a row is. */
export interface ScoreFeatures {
  barCount: Int32Array;
  close: Float64Array;
  sma50: Float64Array;
  sma200: Float64Array;
  rsi14: Float64Array;
  high252: Float64Array;
  adv20: Float64Array;
  momentum12: Float64Array;
  momentum6: Float64Array;
  sigma60: Float64Array;
  sigma126: Float64Array;
  sigma252: Float64Array;
}

export function emptyScoreFeatures(count: number): ScoreFeatures {
  const column = () => new Float64Array(count).fill(Number.NaN);
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

/** A run of places of the columns, without copying them. */
export function sliceScoreFeatures(columns: ScoreFeatures, from: number, to: number): ScoreFeatures {
  return {
    barCount: columns.barCount.subarray(from, to),
    close: columns.close.subarray(from, to),
    sma50: columns.sma50.subarray(from, to),
    sma200: columns.sma200.subarray(from, to),
    rsi14: columns.rsi14.subarray(from, to),
    high252: columns.high252.subarray(from, to),
    adv20: columns.adv20.subarray(from, to),
    momentum12: columns.momentum12.subarray(from, to),
    momentum6: columns.momentum6.subarray(from, to),
    sigma60: columns.sigma60.subarray(from, to),
    sigma126: columns.sigma126.subarray(from, to),
    sigma252: columns.sigma252.subarray(from, to),
  };
}

export function scoreFeaturesOf(rows: readonly { features: FeatureRow }[]): ScoreFeatures {
  const columns = emptyScoreFeatures(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!.features;
    columns.barCount[i] = row.barCount;
    columns.close[i] = row.close;
    columns.sma50[i] = row.sma50 ?? Number.NaN;
    columns.sma200[i] = row.sma200 ?? Number.NaN;
    columns.rsi14[i] = row.rsi14 ?? Number.NaN;
    columns.high252[i] = row.high252 ?? Number.NaN;
    columns.adv20[i] = row.adv20 ?? Number.NaN;
    columns.momentum12[i] = row.momentum12 ?? Number.NaN;
    columns.momentum6[i] = row.momentum6 ?? Number.NaN;
    columns.sigma60[i] = row.sigma60 ?? Number.NaN;
    columns.sigma126[i] = row.sigma126 ?? Number.NaN;
    columns.sigma252[i] = row.sigma252 ?? Number.NaN;
  }
  return columns;
}
