import type { SeatKindName } from "../enums.ts";
import type { Policy } from "../policy.ts";
import { knownSector } from "../sectors.ts";
import type { SessionDate } from "../time.ts";
import type { Ranking } from "./rank-columns.ts";
import { change, HELD, inOrder, noPlaces, type Rules, SEATED, take, takeAll, TARGET } from "./seat-places.ts";
import {
  type Composites,
  type FastTrackEvent,
  pairsOf,
  type Remembered,
  type SeatMemory,
  type Swaps,
  swapSeats,
} from "./swap-seats.ts";

/** What a selection hands to the next; plain JSON. */
export interface SelectionMemory {
  sessionDate: SessionDate;
  seats: SeatMemory[];
  /**
   * Composite of every symbol that sat, was in the target or ranked up to `keep_rank` at the last selection: a margin must
   * hold twice running. Rows of earlier engines lack the last of these, and their margins then count as not held.
   */
  composites: Record<string, number>;
}

/** Who sits, and where the ranking has it. */
export interface Seated extends SeatMemory {
  place: number;
  kind: SeatKindName;
}

/** Symbols are places of the ranking but where something is named. */
export interface SeatSelection extends Swaps {
  /** Best first. */
  seated: Seated[];
  forcedOut: string[];
  /** What the next selection receives: of a second selection in one session the composites of the first. */
  remembered: Remembered;
}

/** The seats one would give without memory of swaps, best first: ranks 1–40, incumbents to rank 60, then the best of the rest, within quotas. */
function targetOf(ranking: Ranking, incumbents: readonly number[], rules: Rules): number[] {
  const { enter_rank, keep_rank, min_sectors } = rules;
  const { count, order, rankOf, listed, marks } = ranking;
  const chosen = noPlaces(ranking, TARGET);
  const { counts } = chosen;
  takeAll(chosen, order, rules, Math.min(enter_rank, count));
  for (const place of incumbents)
    if (rankOf[place]! > enter_rank && rankOf[place]! <= keep_rank) take(chosen, place, rules);
  takeAll(chosen, order, rules, count);
  const target = inOrder(ranking, TARGET);
  const known = () => [...counts.keys()].filter((sector) => knownSector(sector) !== null).length;
  if (known() >= min_sectors) return target;
  // Quotas alone give five sectors unless a policy loosens them: then the worst of a crowded sector yields to the best of a new one.
  for (let i = 0; i < count && known() < min_sectors; i++) {
    const place = order[i]!;
    const { sector } = listed[place]!;
    if (counts.has(sector) || knownSector(sector) === null) continue;
    const crowded = target.findLastIndex((other) => (counts.get(listed[other]!.sector) ?? 0) > 1);
    if (crowded === -1) break;
    change(counts, listed[target[crowded]!]!.sector, -1);
    marks[target[crowded]!]! &= ~TARGET;
    marks[place]! |= TARGET;
    target.splice(crowded, 1, place);
    change(counts, sector, 1);
  }
  return target.sort((a, b) => rankOf[a]! - rankOf[b]!);
}

/** Composites of what sits, was in the target or ranks up to `keep_rank`. */
function compositesOf({ order, listed, compositeOf, count, marks }: Ranking, { keep_rank }: Rules): Composites {
  const composites: Composites = { symbols: [], values: [] };
  for (let i = 0; i < count; i++) {
    const place = order[i]!;
    if (i >= keep_rank && (marks[place]! & (SEATED | TARGET)) === 0) continue;
    composites.symbols.push(listed[place]!.symbol);
    composites.values.push(compositeOf(place));
  }
  return composites;
}

/**
 * Sticky and fresh seats (engine.md §4). A second call for the session that `previous` already
 * holds changes no tenure and makes no more swaps.
 */
export function selectSeats(
  ranking: Ranking,
  previous: Remembered | null,
  fastTrack: readonly FastTrackEvent[],
  sessionDate: SessionDate,
  policy: Policy,
): SeatSelection {
  const rules = policy.selector_top50;
  const { listed, marks, heldAt } = ranking;
  marks.fill(0);
  heldAt.fill(0);
  const isSameSession = previous?.sessionDate === sessionDate;
  const before = previous?.seats ?? [];
  const forcedOut: string[] = [];
  for (let i = 0; i < before.length; i++) {
    const place = ranking.placeOf(before[i]!.symbol);
    if (place === null) forcedOut.push(before[i]!.symbol);
    else {
      heldAt[place] = i + 1;
      marks[place] = HELD;
    }
  }
  const incumbents = inOrder(ranking, HELD);
  const seating = noPlaces(ranking, SEATED);
  takeAll(seating, incumbents, rules);
  // Out at once: no longer eligible, or a policy with fewer seats or smaller quotas has no place for them.
  for (const place of inOrder(ranking, HELD, SEATED)) forcedOut.push(listed[place]!.symbol);
  const target = targetOf(ranking, incumbents, rules);
  // Free seats go to the target first; a sector that refused incumbents still fill is passed over.
  takeAll(seating, target, rules);
  takeAll(seating, ranking.order, rules, ranking.count);
  const maySwap = previous !== null && !isSameSession;
  const tenureOf = (place: number) => before[heldAt[place]! - 1]?.tenureSessions ?? 0;
  const swapped: Swaps = maySwap
    ? swapSeats(seating, pairsOf(ranking), previous, tenureOf, fastTrack, policy)
    : { swaps: [], refused: [], fastTracked: [] };
  const seated = inOrder(ranking, SEATED).map((place): Seated => {
    const held = before[heldAt[place]! - 1];
    const tenureSessions = held === undefined ? 1 : held.tenureSessions + (isSameSession ? 0 : 1);
    const kind: SeatKindName = tenureSessions < rules.min_tenure_sessions ? "fresh" : "sticky";
    const { symbol } = listed[place]!;
    return { symbol, seatedSince: held?.seatedSince ?? sessionDate, tenureSessions, place, kind };
  });
  const composites = previous !== null && isSameSession ? previous.composites : compositesOf(ranking, rules);
  return { seated, forcedOut: forcedOut.sort(), ...swapped, remembered: { sessionDate, seats: seated, composites } };
}

/** What is stored of a selection for the next one. */
export function memoryOf({ remembered, seated }: SeatSelection, previous: SelectionMemory | null): SelectionMemory {
  const { sessionDate, composites } = remembered;
  const seats = seated.map(({ symbol, seatedSince, tenureSessions }) => ({ symbol, seatedSince, tenureSessions }));
  if (previous?.sessionDate === sessionDate) return { sessionDate, seats, composites: previous.composites };
  const rows = composites.symbols.map((symbol, i) => [symbol, composites.values[i]!] as const);
  return { sessionDate, seats, composites: Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

export function rememberedOf(previous: SelectionMemory | null): Remembered | null {
  if (previous === null) return null;
  const { sessionDate, seats, composites } = previous;
  return { sessionDate, seats, composites: { symbols: Object.keys(composites), values: Object.values(composites) } };
}
