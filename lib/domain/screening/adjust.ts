import type { BarSeries, CorporateEvent } from "./features.ts";

interface PlacedEvent {
  /** Bars before this index are adjusted. */
  before: number;
  kind: CorporateEvent["kind"];
  value: number;
}

/** First index whose date is not before `date`; `dates` ascend. */
export function firstIndexFrom(dates: readonly string[], date: string): number {
  let low = 0;
  let high = dates.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (dates[middle]! < date) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The symbol's events that change bars of this series. Events after the last bar, and events without a bar before them, change nothing. */
function placed(bars: BarSeries, events: CorporateEvent[]): PlacedEvent[] {
  const result: PlacedEvent[] = [];
  for (const { symbol, date, kind, value } of events) {
    if (symbol !== bars.symbol || !(value > 0)) continue;
    const before = firstIndexFrom(bars.dates, date);
    if (before > 0 && before < bars.dates.length) result.push({ before, kind, value });
  }
  return result;
}

function times(values: Float64Array, factor: Float64Array): Float64Array {
  const out = new Float64Array(values.length);
  for (let i = 0; i < out.length; i++) out[i] = values[i]! * factor[i]!;
  return out;
}

function scaled(bars: BarSeries, priceFactor: Float64Array, volumeFactor: Float64Array): BarSeries {
  return {
    symbol: bars.symbol,
    dates: bars.dates,
    open: times(bars.open, priceFactor),
    high: times(bars.high, priceFactor),
    low: times(bars.low, priceFactor),
    close: times(bars.close, priceFactor),
    volume: times(bars.volume, volumeFactor),
  };
}

function multiplyBefore(factor: Float64Array, before: number, by: number): void {
  for (let i = 0; i < before; i++) factor[i] = factor[i]! * by;
}

/**
 * Split-adjusted bars in the basis of the last bar: prices before a split are divided by its ratio (new shares per
 * old), volumes multiplied. Returns the same series when nothing applies.
 */
export function adjustForSplits(bars: BarSeries, events: CorporateEvent[]): BarSeries {
  const splits = placed(bars, events).filter(({ kind }) => kind === "split");
  if (splits.length === 0) return bars;
  const price = new Float64Array(bars.dates.length).fill(1);
  const volume = new Float64Array(bars.dates.length).fill(1);
  for (const { before, value } of splits) {
    multiplyBefore(price, before, 1 / value);
    multiplyBefore(volume, before, value);
  }
  return scaled(bars, price, volume);
}

/** What a price before the event is multiplied by, so that it compares with prices after it; 1 for a dividend larger than the price. */
function returnFactor({ before, kind, value }: PlacedEvent, relevant: readonly PlacedEvent[], bars: BarSeries): number {
  if (kind === "split") return 1 / value;
  // A dividend is paid on the shares of its own day: a split of the same day comes first.
  let prior = bars.close[before - 1]!;
  for (const other of relevant) if (other.kind === "split" && other.before === before) prior /= other.value;
  const kept = 1 - value / prior;
  return kept > 0 ? kept : 1;
}

/** Factors that turn raw closes into total-return closes in the basis of the last bar; null when nothing applies. */
function totalReturnFactors(bars: BarSeries, events: CorporateEvent[]): Float64Array | null {
  const relevant = placed(bars, events);
  if (relevant.length === 0) return null;
  const factor = new Float64Array(bars.dates.length).fill(1);
  for (const event of relevant) multiplyBefore(factor, event.before, returnFactor(event, relevant, bars));
  return factor;
}

/**
 * Total-return-adjusted bars (CRSP convention): splits as above, and prices before an ex-date multiplied by
 * 1 − dividend/close before it. Volumes are split-adjusted only.
 */
export function adjustForTotalReturn(bars: BarSeries, events: CorporateEvent[]): BarSeries {
  const price = totalReturnFactors(bars, events);
  if (price === null) return bars;
  const volume = new Float64Array(bars.dates.length).fill(1);
  for (const { before, kind, value } of placed(bars, events))
    if (kind === "split") multiplyBefore(volume, before, value);
  return scaled(bars, price, volume);
}

/**
 * What one share of the first bar has become by each bar, dividends reinvested in it: the total return from bar b to bar a is
 * close[a]·growth[a]/(close[b]·growth[b]), in raw closes. Null when nothing applies.
 */
export function shareGrowth(bars: BarSeries, events: CorporateEvent[]): Float64Array | null {
  const relevant = placed(bars, events);
  if (relevant.length === 0) return null;
  // In the order of their bars each bar is written once: a market's symbols have eight dividends each, over hundreds of bars.
  const inOrder = relevant.toSorted((a, b) => a.before - b.before);
  const growth = new Float64Array(bars.dates.length).fill(1, 0, inOrder[0]!.before);
  let grown = 1;
  for (const [place, event] of inOrder.entries()) {
    grown /= returnFactor(event, relevant, bars);
    growth.fill(grown, event.before, inOrder[place + 1]?.before);
  }
  return growth;
}
