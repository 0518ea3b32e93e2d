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
 * windows are read off the bars when a caller asks for a whole row.
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

/** The row of one bar. A value is read off the table, a short window off the bars, when it is asked for: most are asked of few symbols. */
class TableRow implements FeatureRow {
  constructor(
    private readonly table: Float64Array,
    /** Place of the row's first value. */
    private readonly row: number,
    private readonly bar: number,
    /** In the price basis of the bar. */
    private readonly bars: BarSeries,
  ) {}

  get barCount() {
    return this.bar + 1;
  }
  get close() {
    return this.table[this.row + AT.close]!;
  }
  get sma20() {
    return orNull(smaAt(this.bars.close, this.bar, 20));
  }
  get sma50() {
    return this.at(AT.sma50);
  }
  get sma200() {
    return this.at(AT.sma200);
  }
  get sma5() {
    return orNull(smaAt(this.bars.close, this.bar, 5));
  }
  get rsi2() {
    return this.at(AT.rsi2);
  }
  get rsi14() {
    return this.at(AT.rsi14);
  }
  get atr14() {
    return this.at(AT.atr14);
  }
  get atr20() {
    return this.at(AT.atr20);
  }
  get adx14() {
    return this.at(AT.adx14);
  }
  get adx14Prior() {
    return this.at(AT.adx14Prior);
  }
  get high20Prior() {
    return orNull(highestOf(this.bars.high, this.bar - 20, this.bar));
  }
  get high55Prior() {
    return orNull(highestOf(this.bars.high, this.bar - 55, this.bar));
  }
  get low10Prior() {
    return orNull(lowestOf(this.bars.low, this.bar - 10, this.bar));
  }
  get high252() {
    return this.at(AT.high252);
  }
  get momentum12() {
    return this.at(AT.momentum12);
  }
  get momentum6() {
    return this.at(AT.momentum6);
  }
  get sigma60() {
    return this.at(AT.sigma60);
  }
  get sigma252() {
    return this.at(AT.sigma252);
  }
  get sigma126() {
    return this.at(AT.sigma126);
  }
  get volumeRatio() {
    return orNull(volumeRatioAt(this.bars.volume, this.bar));
  }
  get adv20() {
    return this.at(AT.adv20);
  }
  get dayReturn() {
    return orNull(this.close / this.bars.close[this.bar - 1]! - 1);
  }
  get gap() {
    return orNull(this.bars.open[this.bar]! - this.bars.close[this.bar - 1]!);
  }

  private at(place: number): number | null {
    return orNull(this.table[this.row + place]!);
  }
}

/** The row of a bar, which reads the table and the bars of its stretch as they then are; null where it has none. */
export function featureRow(table: Float64Array, place: number, bar: number, stretches: Stretch[]): FeatureRow | null {
  const row = place * ROW;
  if (table[row + AT.close] === 0) return null;
  const { bars } = stretches.length === 1 ? stretches[0]! : stretches.find(({ end }) => bar < end)!;
  return new TableRow(table, row, bar, bars);
}

/** Every feature once, in the order of a row's JSON: what a row of a table reads. */
const FEATURES = Object.entries(Object.getOwnPropertyDescriptors(TableRow.prototype))
  .filter(([, { get }]) => get !== undefined)
  .map(([name]) => name as keyof FeatureRow);

const EMPTY: Record<string, number | null> = Object.fromEntries(FEATURES.map((name) => [name, null]));

/** A row as plain JSON, every value read. */
export function plainRow(row: FeatureRow): FeatureRow {
  const plain = { ...EMPTY };
  for (const name of FEATURES) plain[name] = row[name];
  return plain as unknown as FeatureRow;
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
    const row = featureRow(table, place, last, stretches);
    return row && plainRow(row);
  });
}
