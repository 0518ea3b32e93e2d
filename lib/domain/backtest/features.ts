import { type Jump, jumpsOf, jumpWithin } from "../screening/check-series.ts";
import {
  featureRow,
  fillFeatures,
  openFeatures,
  readScoreFeatures,
  type Stretch,
} from "../screening/compute-features.ts";
import type { FeatureRow } from "../screening/features.ts";
import { openScoreFeatures, type ScoreFeatures } from "../screening/score-columns.ts";
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
  /** By place. */
  bars: readonly SymbolBars[];
}

interface SymbolBars {
  /** The rows of the sessions' bars one after the other. A table for each symbol: small blocks of memory are used again by later runs. */
  rows: Float64Array;
  stretches: Stretch[];
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
  const all = symbols.map((row): SymbolBars => {
    const { bars, at } = closedBars(row, sessions);
    const found = at === null ? from : at.findIndex((session) => session >= from);
    const first = found === -1 ? bars.dates.length : found;
    const events = index.events.get(row.symbol) ?? [];
    const rows = openFeatures(bars.dates.length - first);
    const stretches = fillFeatures(rows, 0, bars, events, first);
    return { rows, stretches, through: at && barsThrough(at, sessions.length), first, jumps: jumpsOf(bars, events) };
  });
  const placeOf = new Map(symbols.map(({ symbol }, place) => [symbol, place]));
  return { from, to, symbols, placeOf, bars: all };
}

/** The bar of a symbol in a session that has a row; −1 where it has none. */
function barIn({ through, first }: SymbolBars, session: number): number {
  if (through === null) return session < first ? -1 : session;
  const bar = through[session]!;
  const isMissing = session > 0 && bar === through[session - 1];
  return bar < first || isMissing ? -1 : bar;
}

/** What scores read after some sessions running, by session: a symbol's rows of all of them lie side by side in memory. */
export interface ScoreBlock {
  /** The first session that is held; −1 before any is. */
  from: number;
  columns: ScoreFeatures[];
}

const BLOCK = 8;

export function openScoreBlock(symbols: number): ScoreBlock {
  return { from: -1, columns: Array.from({ length: BLOCK }, () => openScoreFeatures(symbols)) };
}

/** What scores read after a session, by place; no bars where a symbol has no features. It holds until a session of another block is asked for. */
export function scoreFeaturesAfter({ bars, to }: FeatureTable, session: number, block: ScoreBlock): ScoreFeatures {
  const { columns, from } = block;
  if (from !== -1 && session >= from && session < from + BLOCK) return columns[session - from]!;
  block.from = session;
  const count = Math.min(BLOCK, to - session + 1);
  for (let place = 0; place < bars.length; place++) {
    const own = bars[place]!;
    for (let i = 0; i < count; i++) {
      const bar = barIn(own, session + i);
      if (bar === -1) columns[i]!.barCount[place] = 0;
      else readScoreFeatures(own.rows, bar - own.first, bar, columns[i]!, place);
    }
  }
  return columns[0]!;
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
  const own = table.bars[place]!;
  const bar = barIn(own, session);
  return bar === -1 ? null : featureRow(own.rows, bar - own.first, bar, own.stretches);
}
