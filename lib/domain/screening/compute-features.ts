import { dollarVolumesInto } from "../indicators/dollar-volume.ts";
import { highestInto, lowestOf } from "../indicators/extremes.ts";
import { totalMomentumAt } from "../indicators/momentum.ts";
import { smaInto } from "../indicators/sma.ts";
import { volatilitiesInto } from "../indicators/volatility.ts";
import { volumeRatioAt } from "../indicators/volume-ratio.ts";
import { wilderInto } from "../indicators/wilder.ts";
import { adjustForSplits, shareGrowth } from "./adjust.ts";
import type { BarSeries, CorporateEvent, FeatureRow } from "./features.ts";
import type { ScoreFeatures } from "./score-columns.ts";

/** Fewer closed bars than this say nothing about liquidity, so there is no row. */
export const FEATURE_BARS_MIN = 21;

/** Places of the features within a row of a table: what scores read comes first, what one loop writes lies side by side. */
const AT = {
  barCount: 0,
  close: 1,
  sma50: 2,
  sma200: 3,
  high252: 4,
  adv20: 5,
  momentum12: 6,
  momentum6: 7,
  sigma60: 8,
  sigma126: 9,
  sigma252: 10,
  rsi14: 11,
  rsi2: 12,
  atr14: 13,
  atr20: 14,
  adx14: 15,
  adx14Prior: 16,
  sma5: 17,
  sma20: 18,
  high20Prior: 19,
  high55Prior: 20,
  low10Prior: 21,
  volumeRatio: 22,
  dayReturn: 23,
  gap: 24,
} as const satisfies Record<keyof FeatureRow, number>;

const ROW = Object.keys(AT).length;

/** A table of features with room for `rows`, one after the other; NaN or an infinity where a value is missing. */
export function openFeatures(rows: number): Float64Array {
  return new Float64Array(rows * ROW);
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
  if (events.length === 0) return [dates.length];
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

/** The features that read adjusted prices, of bars `from` and later; bar i has the row at `base` + i·ROW. */
function fillAdjusted(table: Float64Array, bars: BarSeries, from: number, base: number): void {
  const { open, high, low, close, volume } = bars;
  smaInto(table, close, 5, from, base + AT.sma5, ROW);
  smaInto(table, close, 20, from, base + AT.sma20, ROW);
  smaInto(table, close, 50, from, base + AT.sma50, ROW);
  smaInto(table, close, 200, from, base + AT.sma200, ROW);
  wilderInto(table, high, low, close, from, base + AT.rsi14, ROW);
  highestInto(table, high, 20, 1, from, base + AT.high20Prior, ROW);
  highestInto(table, high, 55, 1, from, base + AT.high55Prior, ROW);
  highestInto(table, high, 252, 0, from, base + AT.high252, ROW);
  volatilitiesInto(table, close, from, base + AT.sigma60, ROW);
  dollarVolumesInto(table, close, volume, from, base + AT.adv20, ROW);
  for (let i = from; i < close.length; i++) {
    const row = base + i * ROW;
    table[row + AT.close] = close[i]!;
    table[row + AT.low10Prior] = lowestOf(low, i - 10, i);
    table[row + AT.volumeRatio] = volumeRatioAt(volume, i);
    table[row + AT.dayReturn] = close[i]! / close[i - 1]! - 1;
    table[row + AT.gap] = open[i]! - close[i - 1]!;
  }
}

/**
 * Features of one symbol (engine.md §2) after each bar from `from` on, into the rows from `place` on: from raw bars and the events
 * known by each bar, in the price basis of that bar. Live there is one row a symbol, for its last bar; a backtest asks for all
 * sessions. A row is empty (`barCount` 0) with fewer than FEATURE_BARS_MIN bars or a close that is no price.
 */
export function fillFeatures(
  table: Float64Array,
  place: number,
  bars: BarSeries,
  events: CorporateEvent[],
  from: number,
): void {
  const base = (place - from) * ROW;
  const growth = shareGrowth(bars, events);
  let bar = Math.max(from, FEATURE_BARS_MIN - 1);
  for (const end of stretchEnds(bars.dates, events)) {
    if (bar >= end) continue;
    fillAdjusted(table, adjustForSplits(firstBars(bars, end), events), bar, base);
    for (; bar < end; bar++) {
      const row = base + bar * ROW;
      table[row + AT.barCount] = bars.close[bar]! > 0 ? bar + 1 : 0;
      table[row + AT.momentum12] = totalMomentumAt(bars.close, growth, bar, 252);
      table[row + AT.momentum6] = totalMomentumAt(bars.close, growth, bar, 126);
    }
  }
}

/** What scores read of a row, into place `at` of their columns. */
export function readScoreFeatures(table: Float64Array, place: number, out: ScoreFeatures, at: number): void {
  const row = place * ROW;
  out.barCount[at] = table[row + AT.barCount]!;
  out.close[at] = table[row + AT.close]!;
  out.sma50[at] = finite(table[row + AT.sma50]!);
  out.sma200[at] = finite(table[row + AT.sma200]!);
  out.high252[at] = finite(table[row + AT.high252]!);
  out.adv20[at] = finite(table[row + AT.adv20]!);
  out.momentum12[at] = finite(table[row + AT.momentum12]!);
  out.momentum6[at] = finite(table[row + AT.momentum6]!);
  out.sigma60[at] = finite(table[row + AT.sigma60]!);
  out.sigma126[at] = finite(table[row + AT.sigma126]!);
  out.sigma252[at] = finite(table[row + AT.sigma252]!);
  out.rsi14[at] = finite(table[row + AT.rsi14]!);
}

function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** The row of a place; null where it has none. */
export function featureRow(table: Float64Array, place: number): FeatureRow | null {
  const row = place * ROW;
  const barCount = table[row + AT.barCount]!;
  if (barCount === 0) return null;
  return {
    barCount,
    close: table[row + AT.close]!,
    sma20: orNull(table[row + AT.sma20]!),
    sma50: orNull(table[row + AT.sma50]!),
    sma200: orNull(table[row + AT.sma200]!),
    sma5: orNull(table[row + AT.sma5]!),
    rsi2: orNull(table[row + AT.rsi2]!),
    rsi14: orNull(table[row + AT.rsi14]!),
    atr14: orNull(table[row + AT.atr14]!),
    atr20: orNull(table[row + AT.atr20]!),
    adx14: orNull(table[row + AT.adx14]!),
    adx14Prior: orNull(table[row + AT.adx14Prior]!),
    high20Prior: orNull(table[row + AT.high20Prior]!),
    high55Prior: orNull(table[row + AT.high55Prior]!),
    low10Prior: orNull(table[row + AT.low10Prior]!),
    high252: orNull(table[row + AT.high252]!),
    momentum12: orNull(table[row + AT.momentum12]!),
    momentum6: orNull(table[row + AT.momentum6]!),
    sigma60: orNull(table[row + AT.sigma60]!),
    sigma252: orNull(table[row + AT.sigma252]!),
    sigma126: orNull(table[row + AT.sigma126]!),
    volumeRatio: orNull(table[row + AT.volumeRatio]!),
    adv20: orNull(table[row + AT.adv20]!),
    dayReturn: orNull(table[row + AT.dayReturn]!),
    gap: orNull(table[row + AT.gap]!),
  };
}

/** The rows of many symbols at their last bars, each from bars closed by T and the events known by T. */
export function computeFeatures(
  series: readonly BarSeries[],
  eventsOf: (symbol: string) => CorporateEvent[],
): (FeatureRow | null)[] {
  const table = openFeatures(series.length);
  return series.map((bars, place) => {
    fillFeatures(table, place, bars, eventsOf(bars.symbol), bars.dates.length - 1);
    return featureRow(table, place);
  });
}
