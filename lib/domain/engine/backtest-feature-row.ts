import { adx } from "../indicators/adx.ts";
import { atr } from "../indicators/atr.ts";
import { highestOf, lowestOf } from "../indicators/extremes.ts";
import { rsi } from "../indicators/rsi.ts";
import { smaAt } from "../indicators/sma.ts";
import { volumeRatioAt } from "../indicators/volume-ratio.ts";
import type { BarSeries, FeatureRow } from "../screening/features.ts";
import type { ScoreFeatures } from "../screening/score-columns.ts";

interface WilderSeries {
  rsi2: Float64Array;
  atr14: Float64Array;
  atr20: Float64Array;
  adx14: Float64Array;
}

interface Stretch {
  /** Bars before this index, and since the stretch before, are read in this basis. */
  end: number;
  /** Adjusted to the basis of the stretch's last bar, from the first bar of all. */
  bars: BarSeries;
  wilder: WilderSeries | null;
}

/** What the rows of one symbol are made from, and the one made last: a session asks for the same row several times. */
export interface DetailSource {
  stretches: Stretch[];
  lastCell: number;
  lastRow: FeatureRow | null;
}

export function openDetails(): DetailSource {
  return { stretches: [], lastCell: -1, lastRow: null };
}

function wilderOf(stretch: Stretch): WilderSeries {
  const { high, low, close } = stretch.bars;
  stretch.wilder ??= {
    rsi2: rsi(close, 2),
    atr14: atr(high, low, close, 14),
    atr20: atr(high, low, close, 20),
    adx14: adx(high, low, close, 14).adx,
  };
  return stretch.wilder;
}

function orNull(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : value;
}

/** The row of a cell of the columns: as `computeFeatures` on the bars up to it. */
export function featureRowAt(source: DetailSource, columns: ScoreFeatures, cell: number): FeatureRow {
  if (source.lastRow !== null && source.lastCell === cell) return source.lastRow;
  const count = columns.barCount[cell]!;
  const last = count - 1;
  const stretch = source.stretches.find(({ end }) => last < end)!;
  const { open, high, low, close, volume } = stretch.bars;
  const wilder = wilderOf(stretch);
  const row: FeatureRow = {
    barCount: count,
    close: close[last]!,
    sma20: orNull(smaAt(close, last, 20)),
    sma50: orNull(columns.sma50[cell]),
    sma200: orNull(columns.sma200[cell]),
    sma5: orNull(smaAt(close, last, 5)),
    rsi2: orNull(wilder.rsi2[last]),
    rsi14: orNull(columns.rsi14[cell]),
    atr14: orNull(wilder.atr14[last]),
    atr20: orNull(wilder.atr20[last]),
    adx14: orNull(wilder.adx14[last]),
    adx14Prior: orNull(wilder.adx14[last - 1]),
    high20Prior: orNull(highestOf(high, last - 20, last)),
    high55Prior: orNull(highestOf(high, last - 55, last)),
    low10Prior: orNull(lowestOf(low, last - 10, last)),
    high252: orNull(columns.high252[cell]),
    momentum12: orNull(columns.momentum12[cell]),
    momentum6: orNull(columns.momentum6[cell]),
    sigma60: orNull(columns.sigma60[cell]),
    sigma252: orNull(columns.sigma252[cell]),
    sigma126: orNull(columns.sigma126[cell]),
    volumeRatio: orNull(volumeRatioAt(volume, last)),
    adv20: orNull(columns.adv20[cell]),
    dayReturn: orNull(close[last]! / close[last - 1]! - 1),
    gap: orNull(open[last]! - close[last - 1]!),
  };
  source.lastCell = cell;
  source.lastRow = row;
  return row;
}
