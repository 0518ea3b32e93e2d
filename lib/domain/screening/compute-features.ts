import { dollarVolumesInto } from "../indicators/dollar-volume.ts";
import { highestInto, lowestOf } from "../indicators/extremes.ts";
import { totalMomentumAt } from "../indicators/momentum.ts";
import { smaInto } from "../indicators/sma.ts";
import { volatilitiesInto } from "../indicators/volatility.ts";
import { volumeRatioAt } from "../indicators/volume-ratio.ts";
import { wilderInto } from "../indicators/wilder.ts";
import { adjustForSplits, shareGrowth } from "./adjust.ts";
import type { BarSeries, CorporateEvent, FeatureColumns, FeatureRow } from "./features.ts";

/** Fewer closed bars than this say nothing about liquidity, so there is no row. */
export const FEATURE_BARS_MIN = 21;

/** The columns, with room for `places` rows. */
export function openFeatures(places: number): FeatureColumns {
  const column = () => new Float64Array(places);
  return {
    barCount: new Int32Array(places),
    close: column(),
    sma5: column(),
    sma20: column(),
    sma50: column(),
    sma200: column(),
    rsi2: column(),
    rsi14: column(),
    atr14: column(),
    atr20: column(),
    adx14: column(),
    adx14Prior: column(),
    high20Prior: column(),
    high55Prior: column(),
    low10Prior: column(),
    high252: column(),
    momentum12: column(),
    momentum6: column(),
    sigma60: column(),
    sigma252: column(),
    sigma126: column(),
    volumeRatio: column(),
    adv20: column(),
    dayReturn: column(),
    gap: column(),
  };
}

export function firstBars(bars: BarSeries, count: number): BarSeries {
  const { symbol, dates, open, high, low, close, volume } = bars;
  if (dates.length === count) return bars;
  return {
    symbol,
    dates: dates.slice(0, count),
    open: open.subarray(0, count),
    high: high.subarray(0, count),
    low: low.subarray(0, count),
    close: close.subarray(0, count),
    volume: volume.subarray(0, count),
  };
}

/** Ends of the stretches of bars within which the same splits are in the past: there the adjustment factors are the same. */
function stretchEnds(dates: readonly string[], events: readonly CorporateEvent[]): number[] {
  const ends = new Set<number>([dates.length]);
  for (const { kind, date } of events) {
    if (kind !== "split") continue;
    const before = dates.findIndex((day) => day >= date);
    if (before > 0) ends.add(before);
  }
  return [...ends].sort((a, b) => a - b);
}

/** What is not a number counts as missing. */
function finite(value: number): number {
  return Number.isFinite(value) ? value : Number.NaN;
}

/** The columns that read adjusted prices, of bars `from` and later. */
function fillAdjusted(columns: FeatureColumns, bars: BarSeries, from: number, shift: number): void {
  const { open, high, low, close, volume } = bars;
  smaInto(columns.sma5, close, 5, from, shift);
  smaInto(columns.sma20, close, 20, from, shift);
  smaInto(columns.sma50, close, 50, from, shift);
  smaInto(columns.sma200, close, 200, from, shift);
  wilderInto(columns, high, low, close, from, shift);
  highestInto(columns.high20Prior, high, 20, 1, from, shift);
  highestInto(columns.high55Prior, high, 55, 1, from, shift);
  highestInto(columns.high252, high, 252, 0, from, shift);
  volatilitiesInto(columns, close, from, shift);
  dollarVolumesInto(columns.adv20, close, volume, from, shift);
  for (let i = from; i < close.length; i++) {
    const place = i + shift;
    columns.close[place] = close[i]!;
    columns.low10Prior[place] = lowestOf(low, i - 10, i);
    columns.volumeRatio[place] = volumeRatioAt(volume, i);
    columns.dayReturn[place] = close[i]! / close[i - 1]! - 1;
    columns.gap[place] = open[i]! - close[i - 1]!;
  }
}

/**
 * Features of one symbol (engine.md §2) after each bar from `from` on, the first of them at place `at`: from raw bars and the events
 * known by each bar, in the price basis of that bar. Live there is one place a symbol, for its last bar; a backtest asks for all
 * sessions. A place has no row (`barCount` 0) with fewer than FEATURE_BARS_MIN bars or a close that is no price.
 */
export function fillFeatures(
  columns: FeatureColumns,
  at: number,
  bars: BarSeries,
  events: CorporateEvent[],
  from: number,
): void {
  const shift = at - from;
  const growth = shareGrowth(bars, events);
  let bar = Math.max(from, FEATURE_BARS_MIN - 1);
  for (const end of stretchEnds(bars.dates, events)) {
    if (bar >= end) continue;
    fillAdjusted(columns, adjustForSplits(firstBars(bars, end), events), bar, shift);
    for (; bar < end; bar++) {
      const place = bar + shift;
      columns.barCount[place] = bars.close[bar]! > 0 ? bar + 1 : 0;
      columns.momentum12[place] = finite(totalMomentumAt(bars.close, growth, bar, 252));
      columns.momentum6[place] = finite(totalMomentumAt(bars.close, growth, bar, 126));
      columns.sigma60[place] = finite(columns.sigma60[place]!);
      columns.sigma126[place] = finite(columns.sigma126[place]!);
      columns.sigma252[place] = finite(columns.sigma252[place]!);
    }
  }
}

function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** The row of a place; null where it has none. */
export function featureRow(columns: FeatureColumns, place: number): FeatureRow | null {
  const barCount = columns.barCount[place]!;
  if (barCount === 0) return null;
  return {
    barCount,
    close: columns.close[place]!,
    sma20: orNull(columns.sma20[place]!),
    sma50: orNull(columns.sma50[place]!),
    sma200: orNull(columns.sma200[place]!),
    sma5: orNull(columns.sma5[place]!),
    rsi2: orNull(columns.rsi2[place]!),
    rsi14: orNull(columns.rsi14[place]!),
    atr14: orNull(columns.atr14[place]!),
    atr20: orNull(columns.atr20[place]!),
    adx14: orNull(columns.adx14[place]!),
    adx14Prior: orNull(columns.adx14Prior[place]!),
    high20Prior: orNull(columns.high20Prior[place]!),
    high55Prior: orNull(columns.high55Prior[place]!),
    low10Prior: orNull(columns.low10Prior[place]!),
    high252: orNull(columns.high252[place]!),
    momentum12: orNull(columns.momentum12[place]!),
    momentum6: orNull(columns.momentum6[place]!),
    sigma60: orNull(columns.sigma60[place]!),
    sigma252: orNull(columns.sigma252[place]!),
    sigma126: orNull(columns.sigma126[place]!),
    volumeRatio: orNull(columns.volumeRatio[place]!),
    adv20: orNull(columns.adv20[place]!),
    dayReturn: orNull(columns.dayReturn[place]!),
    gap: orNull(columns.gap[place]!),
  };
}

/** The rows of many symbols at their last bars, each from bars closed by T and the events known by T. */
export function computeFeatures(
  series: readonly BarSeries[],
  eventsOf: (symbol: string) => CorporateEvent[],
): (FeatureRow | null)[] {
  const columns = openFeatures(series.length);
  return series.map((bars, place) => {
    fillFeatures(columns, place, bars, eventsOf(bars.symbol), bars.dates.length - 1);
    return featureRow(columns, place);
  });
}
