import { dollarVolumesInto } from "../indicators/dollar-volume.ts";
import { highestInto, highestOf, lowestOf } from "../indicators/extremes.ts";
import { totalMomentumAt } from "../indicators/momentum.ts";
import { smaAt, smaInto } from "../indicators/sma.ts";
import { volatilitiesInto } from "../indicators/volatility.ts";
import { volumeRatioAt } from "../indicators/volume-ratio.ts";
import { wilderInto } from "../indicators/wilder.ts";
import { adjustForSplits, shareGrowth } from "./adjust.ts";
import type { BarSeries, CorporateEvent, FeatureRow } from "./features.ts";
import type { ScoreFeatures } from "./score-columns.ts";

/** Fewer closed bars than this say nothing about liquidity, so there is no row. */
export const FEATURE_BARS_MIN = 21;

/**
 * Places of the features within a row of a table: those that a recurrence or a long window makes, what scores read first. The short
 * windows are read off the bars when somebody asks for a whole row.
 */
const AT = {
  close: 0,
  sma50: 1,
  sma200: 2,
  high252: 3,
  adv20: 4,
  momentum12: 5,
  momentum6: 6,
  sigma60: 7,
  sigma126: 8,
  sigma252: 9,
  rsi14: 10,
  rsi2: 11,
  atr14: 12,
  atr20: 13,
  adx14: 14,
  adx14Prior: 15,
} as const satisfies Partial<Record<keyof FeatureRow, number>>;

const ROW = Object.keys(AT).length;

/** A table of features with room for `rows`, one after the other; NaN or an infinity where a value is missing. */
export function openFeatures(rows: number): Float64Array {
  return new Float64Array(rows * ROW);
}

/** Bars in the price basis of the last of them: what the rows of a stretch are made of. */
export interface Stretch {
  /** The bar after the last one of the stretch. */
  end: number;
  bars: BarSeries;
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
  const { high, low, close, volume } = bars;
  smaInto(table, close, 50, from, base + AT.sma50, ROW);
  smaInto(table, close, 200, from, base + AT.sma200, ROW);
  wilderInto(table, high, low, close, from, base + AT.rsi14, ROW);
  highestInto(table, high, 252, 0, from, base + AT.high252, ROW);
  volatilitiesInto(table, close, from, base + AT.sigma60, ROW);
  dollarVolumesInto(table, close, volume, from, base + AT.adv20, ROW);
}

/**
 * Features of one symbol (engine.md §2) after each bar from `from` on, into the rows from `place` on: from raw bars and the events
 * known by each bar, in the price basis of that bar. Live there is one row a symbol, for its last bar; a backtest asks for all
 * sessions. A row is empty (`close` 0) with fewer than FEATURE_BARS_MIN bars or a close that is no price. Answers the adjusted
 * bars, which `featureRow` reads.
 */
export function fillFeatures(
  table: Float64Array,
  place: number,
  bars: BarSeries,
  events: CorporateEvent[],
  from: number,
): Stretch[] {
  const base = (place - from) * ROW;
  const growth = shareGrowth(bars, events);
  const stretches: Stretch[] = [];
  let bar = Math.max(from, FEATURE_BARS_MIN - 1);
  for (const end of stretchEnds(bars.dates, events)) {
    if (bar >= end) continue;
    const adjusted = adjustForSplits(firstBars(bars, end), events);
    stretches.push({ end, bars: adjusted });
    fillAdjusted(table, adjusted, bar, base);
    for (; bar < end; bar++) {
      const row = base + bar * ROW;
      const close = adjusted.close[bar]!;
      table[row + AT.close] = close > 0 ? close : 0;
      table[row + AT.momentum12] = totalMomentumAt(bars.close, growth, bar, 252);
      table[row + AT.momentum6] = totalMomentumAt(bars.close, growth, bar, 126);
    }
  }
  return stretches;
}

/** What scores read of the row of a bar, into place `at` of their columns. */
export function readScoreFeatures(
  table: Float64Array,
  place: number,
  bar: number,
  out: ScoreFeatures,
  at: number,
): void {
  const row = place * ROW;
  const close = table[row + AT.close]!;
  out.barCount[at] = close === 0 ? 0 : bar + 1;
  out.close[at] = close;
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

/** The whole row of a bar, the short windows read off the bars of its stretch; null where it has none. */
export function featureRow(table: Float64Array, place: number, bar: number, stretches: Stretch[]): FeatureRow | null {
  const row = place * ROW;
  const close = table[row + AT.close]!;
  if (close === 0) return null;
  const { bars } = stretches.find(({ end }) => bar < end)!;
  const prior = bars.close[bar - 1]!;
  return {
    barCount: bar + 1,
    close,
    sma20: orNull(smaAt(bars.close, bar, 20)),
    sma50: orNull(table[row + AT.sma50]!),
    sma200: orNull(table[row + AT.sma200]!),
    sma5: orNull(smaAt(bars.close, bar, 5)),
    rsi2: orNull(table[row + AT.rsi2]!),
    rsi14: orNull(table[row + AT.rsi14]!),
    atr14: orNull(table[row + AT.atr14]!),
    atr20: orNull(table[row + AT.atr20]!),
    adx14: orNull(table[row + AT.adx14]!),
    adx14Prior: orNull(table[row + AT.adx14Prior]!),
    high20Prior: orNull(highestOf(bars.high, bar - 20, bar)),
    high55Prior: orNull(highestOf(bars.high, bar - 55, bar)),
    low10Prior: orNull(lowestOf(bars.low, bar - 10, bar)),
    high252: orNull(table[row + AT.high252]!),
    momentum12: orNull(table[row + AT.momentum12]!),
    momentum6: orNull(table[row + AT.momentum6]!),
    sigma60: orNull(table[row + AT.sigma60]!),
    sigma252: orNull(table[row + AT.sigma252]!),
    sigma126: orNull(table[row + AT.sigma126]!),
    volumeRatio: orNull(volumeRatioAt(bars.volume, bar)),
    adv20: orNull(table[row + AT.adv20]!),
    dayReturn: orNull(close / prior - 1),
    gap: orNull(bars.open[bar]! - prior),
  };
}

/** The rows of many symbols at their last bars, each from bars closed by T and the events known by T. */
export function computeFeatures(
  series: readonly BarSeries[],
  eventsOf: (symbol: string) => CorporateEvent[],
): (FeatureRow | null)[] {
  const table = openFeatures(series.length);
  return series.map((bars, place) => {
    const last = bars.dates.length - 1;
    const stretches = fillFeatures(table, place, bars, eventsOf(bars.symbol), last);
    return featureRow(table, place, last, stretches);
  });
}
