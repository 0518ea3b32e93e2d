import { dollarVolumesInto } from "../indicators/dollar-volume.ts";
import { highestInto } from "../indicators/extremes.ts";
import { totalMomentumAt } from "../indicators/momentum.ts";
import { rsiInto } from "../indicators/rsi.ts";
import { smaInto } from "../indicators/sma.ts";
import { squaredReturnsInto, type Volatilities, volatilitiesInto } from "../indicators/volatility.ts";
import { adjustForSplits, shareGrowth } from "../screening/adjust.ts";
import { type Jump, jumpsOf, jumpWithin } from "../screening/check-series.ts";
import { FEATURE_BARS_MIN } from "../screening/compute-features.ts";
import type { BarSeries, CorporateEvent, FeatureRow } from "../screening/features.ts";
import { emptyScoreFeatures, type ScoreFeatures } from "../screening/score-columns.ts";
import { type DetailSource, featureRowAt, openDetails } from "./backtest-feature-row.ts";
import type { HistoryIndex, HistorySymbol } from "./backtest-market.ts";

/**
 * Features by session: what was known when the session of the index had closed. What scores read lies in columns, every
 * symbol of a session side by side; the rest of a row is worked out when the row is asked for, which few ever are.
 */
export interface FeatureTable {
  /** First and last session, indices. */
  from: number;
  to: number;
  /** A–Z: the order of places within a session. */
  symbols: readonly HistorySymbol[];
  placeOf: ReadonlyMap<string, number>;
  columns: ScoreFeatures;
  details: readonly DetailSource[];
  /** By place; empty where the bars can be trusted throughout. */
  jumps: readonly SymbolJumps[];
}

interface SymbolJumps {
  jumps: readonly Jump[];
  /** The session of each bar; null where each session has one. */
  at: Int32Array | null;
}

/** The bars that exist, and the session each of them belongs to; the tape's own arrays where no session is missing. */
export function closedBars(row: HistorySymbol, sessions: string[]): { bars: BarSeries; at: Int32Array | null } {
  const count = sessions.length;
  let existing = 0;
  for (let i = 0; i < count; i++) if (!Number.isNaN(row.close[i]!)) existing++;
  if (existing === count) return { bars: firstBars({ ...row, dates: sessions }, count), at: null };
  const at = new Int32Array(existing);
  for (let i = 0, bar = 0; i < count; i++) if (!Number.isNaN(row.close[i]!)) at[bar++] = i;
  const pick = (values: Float64Array) => Float64Array.from(at, (i) => values[i]!);
  return {
    at,
    bars: {
      symbol: row.symbol,
      dates: Array.from(at, (i) => sessions[i]!),
      open: pick(row.open),
      high: pick(row.high),
      low: pick(row.low),
      close: pick(row.close),
      volume: pick(row.volume),
    },
  };
}

function firstBars(bars: BarSeries, count: number): BarSeries {
  const { symbol, dates, open, high, low, close, volume } = bars;
  return {
    symbol,
    dates: dates.length === count ? dates : dates.slice(0, count),
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

/** Room for the series of one symbol, used again for the next. */
interface Scratch {
  sma50: Float64Array;
  sma200: Float64Array;
  rsi14: Float64Array;
  high252: Float64Array;
  adv20: Float64Array;
  queue: Int32Array;
  squares: Float64Array;
  volatilities: Volatilities;
}

function openScratch(length: number): Scratch {
  const series = () => new Float64Array(length);
  return {
    sma50: series(),
    sma200: series(),
    rsi14: series(),
    high252: series(),
    adv20: series(),
    queue: new Int32Array(length),
    squares: series(),
    volatilities: { sigma60: Number.NaN, sigma126: Number.NaN, sigma252: Number.NaN },
  };
}

/** Rows hold null for what is no number; columns hold NaN. */
function finite(value: number): number {
  return Number.isFinite(value) ? value : Number.NaN;
}

/**
 * The columns of one symbol from bar `fromBar` on, equal to `computeFeatures` on the bars up to each, bit for bit. Series are made once over each stretch between two splits; they never look ahead (truncation property).
 */
function fillColumns(
  table: FeatureTable,
  place: number,
  bars: BarSeries,
  at: Int32Array | null,
  events: CorporateEvent[],
  fromBar: number,
  scratch: Scratch,
): DetailSource {
  const { columns, from, symbols } = table;
  const details = openDetails();
  const growth = shareGrowth(bars, events);
  let bar = Math.max(fromBar, FEATURE_BARS_MIN - 1);
  for (const end of stretchEnds(bars.dates, events)) {
    if (bar >= end) continue;
    const adjusted = adjustForSplits(firstBars(bars, end), events);
    details.stretches.push({ end, bars: adjusted, wilder: null });
    const { high, close, volume } = adjusted;
    const sma50 = smaInto(scratch.sma50.subarray(0, end), close, 50);
    const sma200 = smaInto(scratch.sma200.subarray(0, end), close, 200);
    const rsi14 = rsiInto(scratch.rsi14.subarray(0, end), close, 14);
    const high252 = highestInto(scratch.high252, high, 252, scratch.queue);
    const adv20 = dollarVolumesInto(scratch.adv20, close, volume, bar);
    const { volatilities } = scratch;
    const squares = squaredReturnsInto(scratch.squares, close, 0);
    for (; bar < end; bar++) {
      if (!(bars.close[bar]! > 0)) continue;
      const cell = ((at === null ? bar : at[bar]!) - from) * symbols.length + place;
      columns.barCount[cell] = bar + 1;
      columns.close[cell] = close[bar]!;
      columns.sma50[cell] = sma50[bar]!;
      columns.sma200[cell] = sma200[bar]!;
      columns.rsi14[cell] = rsi14[bar]!;
      columns.high252[cell] = high252[bar]!;
      columns.adv20[cell] = adv20[bar]!;
      columns.momentum12[cell] = finite(totalMomentumAt(bars.close, growth, bar, 252));
      columns.momentum6[cell] = finite(totalMomentumAt(bars.close, growth, bar, 126));
      volatilitiesInto(volatilities, close, squares, bar);
      columns.sigma60[cell] = finite(volatilities.sigma60);
      columns.sigma126[cell] = finite(volatilities.sigma126);
      columns.sigma252[cell] = finite(volatilities.sigma252);
    }
  }
  return details;
}

/**
 * Features of every symbol after each session from `from` to `to` (indices). They depend on no policy, so one table
 * serves a whole sweep. A symbol without a bar in a session has none there. What lies before `from` changes nothing of it.
 */
export function prepareFeatures(index: HistoryIndex, from: number, to: number): FeatureTable {
  const sessions = index.history.sessions.slice(0, to + 1);
  const symbols = [...index.history.symbols].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const details: DetailSource[] = [];
  const jumps: SymbolJumps[] = [];
  const table: FeatureTable = {
    from,
    to,
    symbols,
    placeOf: new Map(symbols.map(({ symbol }, place) => [symbol, place])),
    columns: emptyScoreFeatures(symbols.length * (sessions.length - from)),
    details,
    jumps,
  };
  const scratch = openScratch(sessions.length);
  for (const [place, row] of symbols.entries()) {
    const { bars, at } = closedBars(row, sessions);
    const fromBar = at === null ? from : at.findIndex((session) => session >= from);
    const events = index.events.get(row.symbol) ?? [];
    jumps.push({ jumps: jumpsOf(bars, events), at });
    details.push(fromBar === -1 ? openDetails() : fillColumns(table, place, bars, at, events, fromBar, scratch));
  }
  return table;
}

/** Why a symbol is in quarantine once the session has closed, by the live data check; null when it is not. */
export function quarantineAfter({ jumps }: FeatureTable, place: number, session: number): string | null {
  const own = jumps[place]!;
  if (own.jumps.length === 0) return null;
  const lastBar = own.at === null ? session : own.at.findLastIndex((of) => of <= session);
  return jumpWithin(own.jumps, lastBar);
}

/** The whole row of a symbol after a session; null where it has none. */
export function featuresAt(table: FeatureTable, symbol: string, session: number): FeatureRow | null {
  const place = table.placeOf.get(symbol);
  if (place === undefined || session < table.from || session > table.to) return null;
  const cell = (session - table.from) * table.symbols.length + place;
  return table.columns.barCount[cell] === 0 ? null : featureRowAt(table.details[place]!, table.columns, cell);
}
