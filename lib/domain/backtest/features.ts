import { type Jump, jumpsOf, jumpWithin } from "../screening/check-series.ts";
import { featureRow, fillFeatures, openFeatures, readScoreFeatures } from "../screening/compute-features.ts";
import type { FeatureRow } from "../screening/features.ts";
import type { ScoreFeatures } from "../screening/score-columns.ts";
import { closedBars, type HistorySymbol } from "./history.ts";
import type { HistoryIndex } from "./market.ts";

/** Features by session: what was known when the session of the index had closed. */
export interface FeatureTable {
  /** First and last session, indices. */
  from: number;
  to: number;
  /** A–Z: the order of places in a ranking. */
  symbols: readonly HistorySymbol[];
  placeOf: ReadonlyMap<string, number>;
  /** The rows of a symbol's sessions one after the other, as many for each symbol. */
  rows: Float64Array;
  /** By place. */
  bars: readonly SymbolBars[];
}

interface SymbolBars {
  /** The last bar at or before each session; null where each session has one. */
  through: Int32Array | null;
  /** The bar whose row is the first. */
  first: number;
  /** Empty where the bars can be trusted throughout. */
  jumps: readonly Jump[];
}

function barsThrough(at: Int32Array, sessions: number): Int32Array {
  const through = new Int32Array(sessions);
  for (let session = 0, bar = -1; session < sessions; session++) {
    if (at[bar + 1] === session) bar++;
    through[session] = bar;
  }
  return through;
}

/**
 * Features of every symbol after each session from `from` to `to` (indices). They depend on no policy, so one table
 * serves a whole sweep. A symbol without a bar in a session has none there. What lies before `from` changes nothing of it.
 */
export function prepareFeatures(index: HistoryIndex, from: number, to: number): FeatureTable {
  const sessions = index.history.sessions.slice(0, to + 1);
  const symbols = [...index.history.symbols].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const rows = openFeatures(symbols.length * (sessions.length - from));
  const all = symbols.map((row, place): SymbolBars => {
    const { bars, at } = closedBars(row, sessions);
    const found = at === null ? from : at.findIndex((session) => session >= from);
    const first = found === -1 ? bars.dates.length : found;
    const events = index.events.get(row.symbol) ?? [];
    fillFeatures(rows, place * (sessions.length - from), bars, events, first);
    return { through: at && barsThrough(at, sessions.length), first, jumps: jumpsOf(bars, events) };
  });
  const placeOf = new Map(symbols.map(({ symbol }, place) => [symbol, place]));
  return { from, to, symbols, placeOf, rows, bars: all };
}

/** The row of a symbol after a session; −1 where it has no bar in it. */
function rowOf({ from, to, bars }: FeatureTable, place: number, session: number): number {
  const { through, first } = bars[place]!;
  const bar = through === null ? session : through[session]!;
  const isMissing = through !== null && session > 0 && bar === through[session - 1];
  return bar < first || isMissing ? -1 : place * (to + 1 - from) + bar - first;
}

/** What scores read after a session, into `out` by place; no bars where a symbol has no features. */
export function scoreFeaturesAfter(table: FeatureTable, session: number, out: ScoreFeatures): void {
  for (let place = 0; place < table.symbols.length; place++) {
    const row = rowOf(table, place, session);
    if (row === -1) out.barCount[place] = 0;
    else readScoreFeatures(table.rows, row, out, place);
  }
}

/** Why a symbol is in quarantine once the session has closed, by the live data check; null when it is not. */
export function quarantineAfter({ bars }: FeatureTable, place: number, session: number): string | null {
  const { jumps, through } = bars[place]!;
  return jumps.length === 0 ? null : jumpWithin(jumps, through === null ? session : through[session]!);
}

/** The whole row of a symbol after a session; null where it has none. */
export function featuresAt(table: FeatureTable, symbol: string, session: number): FeatureRow | null {
  const place = table.placeOf.get(symbol);
  if (place === undefined || session < table.from || session > table.to) return null;
  const row = rowOf(table, place, session);
  return row === -1 ? null : featureRow(table.rows, row);
}
