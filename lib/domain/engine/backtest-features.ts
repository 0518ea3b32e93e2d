import { adx } from "../indicators/adx.ts";
import { atr } from "../indicators/atr.ts";
import { dollarVolumeAt } from "../indicators/dollar-volume.ts";
import { highestOf, lowestOf } from "../indicators/extremes.ts";
import { momentumAt } from "../indicators/momentum.ts";
import { rsi } from "../indicators/rsi.ts";
import { meanOf } from "../indicators/sma.ts";
import { logReturns, volatilityAt } from "../indicators/volatility.ts";
import { volumeRatioAt } from "../indicators/volume-ratio.ts";
import { adjustForSplits, totalReturnCloses } from "../screening/adjust.ts";
import { FEATURE_BARS_MIN } from "../screening/compute-features.ts";
import type { BarSeries, CorporateEvent, FeatureRow } from "../screening/features.ts";
import type { HistoryIndex, HistorySymbol } from "./backtest-market.ts";

/** Features by session: what was known when the session of the index had closed. */
export type FeatureTable = ReadonlyMap<string, (FeatureRow | null)[]>;

function orNull(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : value;
}

/** The bars that exist, and the session each of them belongs to. */
function closedBars(row: HistorySymbol, sessions: readonly string[]): { bars: BarSeries; at: number[] } {
  const at: number[] = [];
  for (let i = 0; i < sessions.length; i++) if (!Number.isNaN(row.close[i]!)) at.push(i);
  const pick = (values: Float64Array) => Float64Array.from(at, (i) => values[i]!);
  return {
    at,
    bars: {
      symbol: row.symbol,
      dates: at.map((i) => sessions[i]!),
      open: pick(row.open),
      high: pick(row.high),
      low: pick(row.low),
      close: pick(row.close),
      volume: pick(row.volume),
    },
  };
}

function firstBars(bars: BarSeries, count: number): BarSeries {
  return {
    symbol: bars.symbol,
    dates: bars.dates.slice(0, count),
    open: bars.open.subarray(0, count),
    high: bars.high.subarray(0, count),
    low: bars.low.subarray(0, count),
    close: bars.close.subarray(0, count),
    volume: bars.volume.subarray(0, count),
  };
}

/** Ends of the stretches of bars within which the same events are in the past: there the adjustment factors are the same. */
function stretchEnds(dates: readonly string[], events: readonly CorporateEvent[]): number[] {
  const ends = new Set<number>([dates.length]);
  for (const { date } of events) {
    const before = dates.findIndex((day) => day >= date);
    if (before > 0) ends.add(before);
  }
  return [...ends].sort((a, b) => a - b);
}

/**
 * Every feature row of one symbol from bar `fromBar` on, equal to `computeFeatures` on the bars up to each. Indicators run
 * once over each stretch between two splits instead of once per bar; they never look ahead (truncation property).
 */
function rowsOf(bars: BarSeries, events: CorporateEvent[], fromBar: number): (FeatureRow | null)[] {
  const rows: (FeatureRow | null)[] = new Array<FeatureRow | null>(bars.dates.length).fill(null);
  const splitEnds = stretchEnds(
    bars.dates,
    events.filter(({ kind }) => kind === "split"),
  );
  const returnEnds = stretchEnds(bars.dates, events);
  let last = Math.max(fromBar, FEATURE_BARS_MIN - 1);
  for (const splitEnd of splitEnds) {
    if (last >= splitEnd) continue;
    const { open, high, low, close, volume } = adjustForSplits(firstBars(bars, splitEnd), events);
    const rsi2 = rsi(close, 2);
    const rsi14 = rsi(close, 14);
    const atr14 = atr(high, low, close, 14);
    const atr20 = atr(high, low, close, 20);
    const strength = adx(high, low, close, 14).adx;
    const returns = logReturns(close);
    const volatility = (n: number) => orNull(volatilityAt(close, last, n, returns));
    let total = close;
    let totalEnd = 0;
    for (; last < splitEnd; last++) {
      if (last >= totalEnd) {
        totalEnd = returnEnds.find((end) => end > last)!;
        total = totalReturnCloses(firstBars(bars, totalEnd), events);
      }
      if (!(bars.close[last]! > 0)) continue;
      const count = last + 1;
      const average = (n: number) => orNull(meanOf(close, count - n, count));
      rows[last] = {
        barCount: count,
        close: close[last]!,
        sma20: average(20),
        sma50: average(50),
        sma200: average(200),
        sma5: average(5),
        rsi2: orNull(rsi2[last]),
        rsi14: orNull(rsi14[last]),
        atr14: orNull(atr14[last]),
        atr20: orNull(atr20[last]),
        adx14: orNull(strength[last]),
        adx14Prior: orNull(strength[last - 1]),
        high20Prior: orNull(highestOf(high, last - 20, last)),
        high55Prior: orNull(highestOf(high, last - 55, last)),
        low10Prior: orNull(lowestOf(low, last - 10, last)),
        high252: orNull(highestOf(high, last - 251, last + 1)),
        momentum12: orNull(momentumAt(total, last, 252)),
        momentum6: orNull(momentumAt(total, last, 126)),
        sigma60: volatility(60),
        sigma252: volatility(252),
        sigma126: volatility(126),
        volumeRatio: orNull(volumeRatioAt(volume, last)),
        adv20: orNull(dollarVolumeAt(close, volume, last)),
        dayReturn: orNull(close[last]! / close[last - 1]! - 1),
        gap: orNull(open[last]! - close[last - 1]!),
      };
    }
  }
  return rows;
}

/**
 * Features of every symbol after each session from `from` to `to` (indices). They depend on no policy, so one table
 * serves a whole sweep. A symbol without a bar in a session has none there.
 */
export function prepareFeatures(index: HistoryIndex, from: number, to: number): FeatureTable {
  const { symbols } = index.history;
  const sessions = index.history.sessions.slice(0, to + 1);
  const table = new Map<string, (FeatureRow | null)[]>();
  for (const row of symbols) {
    const { bars, at } = closedBars(row, sessions);
    const fromBar = at.findIndex((session) => session >= from);
    const bySession: (FeatureRow | null)[] = new Array<FeatureRow | null>(sessions.length).fill(null);
    if (fromBar !== -1) {
      const rows = rowsOf(bars, index.events.get(row.symbol) ?? [], fromBar);
      at.forEach((session, bar) => (bySession[session] = rows[bar]!));
    }
    table.set(row.symbol, bySession);
  }
  return table;
}
