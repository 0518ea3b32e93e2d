import type { SeatKindName } from "../enums.ts";
import type { Policy } from "../policy.ts";
import type { SessionDate } from "../time.ts";
import type { Ranking } from "./rank-columns.ts";
import type { Score } from "./score.ts";

/** A verified event that lets a challenger skip the wait of two selections, never margin, quota or limit. */
export interface FastTrackEvent {
  symbol: string;
  eventId: string;
  source: string;
  ageHours: number;
}

export interface SeatMemory {
  symbol: string;
  seatedSince: SessionDate;
  /** Sessions seated without a break, the last one included. */
  tenureSessions: number;
}

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

export interface RefusedSwap {
  challenger: string;
  incumbent: string;
  margin: number;
  /** In words: "margin 3.2 is below 5". */
  why: string;
}

export interface DoneSwap {
  challenger: string;
  incumbent: string;
  margin: number;
  isFastTracked: boolean;
}

export interface SeatSelection {
  seated: { score: Score; seatedSince: SessionDate; tenureSessions: number; kind: SeatKindName }[];
  forcedOut: string[];
  swaps: DoneSwap[];
  refusedSwaps: RefusedSwap[];
  fastTracked: FastTrackEvent[];
  memory: SelectionMemory;
}

type SectorCounts = Map<string, number>;

function change(counts: SectorCounts, sector: string, by: number): void {
  counts.set(sector, (counts.get(sector) ?? 0) + by);
}

function byRank(a: Score, b: Score): number {
  return a.rank - b.rank;
}

/** The seats one would give without memory of swaps: ranks 1–40, incumbents to rank 60, then the best of the rest, within quotas. */
function targetOf(ranking: Ranking, incumbents: readonly Score[], policy: Policy): Score[] {
  const { seats, enter_rank, keep_rank, max_sector_seats, min_sectors } = policy.selector_top50;
  const counts: SectorCounts = new Map();
  const chosen = new Set<Score>();
  const take = (score: Score) => {
    if (chosen.size >= seats || chosen.has(score) || (counts.get(score.sector) ?? 0) >= max_sector_seats) return;
    chosen.add(score);
    change(counts, score.sector, 1);
  };
  for (let i = 0; i < Math.min(enter_rank, ranking.count); i++) take(ranking.at(i));
  for (const score of incumbents) if (score.rank > enter_rank && score.rank <= keep_rank) take(score);
  for (let i = 0; i < ranking.count && chosen.size < seats; i++) take(ranking.at(i));
  const target = [...chosen].sort(byRank);
  // Quotas alone give five sectors unless a policy loosens them: then the worst of a crowded sector yields to the best of a new one.
  for (let i = 0; i < ranking.count && counts.size < min_sectors; i++) {
    const score = ranking.at(i);
    if (counts.has(score.sector)) continue;
    const crowded = target.findLastIndex(({ sector }) => (counts.get(sector) ?? 0) > 1);
    if (crowded === -1) break;
    change(counts, target[crowded]!.sector, -1);
    target.splice(crowded, 1, score);
    change(counts, score.sector, 1);
  }
  return target.sort(byRank);
}

interface Pair {
  challenger: Score;
  incumbent: Score;
  margin: number;
}

/** Why a swap is refused by its own merits; null when only the limit and the quota are left to ask. */
function refusal(
  pair: Pair,
  previous: SelectionMemory,
  /** Sessions that the incumbent sat before this one. */
  tenure: number,
  isFastTracked: boolean,
  policy: Policy,
): string | null {
  const { swap_margin, swap_selections, min_tenure_sessions } = policy.selector_top50;
  const { challenger, incumbent, margin } = pair;
  if (margin < swap_margin) return `margin ${margin.toFixed(1)} is below ${swap_margin}`;
  if (tenure < min_tenure_sessions) return `${incumbent.symbol} has sat ${tenure} of ${min_tenure_sessions} sessions`;
  if (isFastTracked || swap_selections < 2) return null;
  const before = previous.composites[challenger.symbol];
  const rival = previous.composites[incumbent.symbol];
  const held = before === undefined || rival === undefined ? null : before - rival;
  return held !== null && held >= swap_margin ? null : "the margin has not held on two selections running";
}

/** Who sits, and how many in each sector. */
interface Seating {
  seated: Set<Score>;
  counts: SectorCounts;
}

function sit({ seated, counts }: Seating, score: Score): void {
  seated.add(score);
  change(counts, score.sector, 1);
}

/** Seats the scores in their order while seats are free and a sector's quota has room. */
function fillSeats(seating: Seating, scores: Iterable<Score>, { selector_top50: rules }: Policy): void {
  for (const score of scores) {
    if (seating.seated.size >= rules.seats) return;
    const inSector = seating.counts.get(score.sector) ?? 0;
    if (!seating.seated.has(score) && inSector < rules.max_sector_seats) sit(seating, score);
  }
}

function* ranked(ranking: Ranking): Generator<Score> {
  for (let i = 0; i < ranking.count; i++) yield ranking.at(i);
}

/** The best of the target without a seat beside the worst of the seated outside it, widest margin first. */
function pairsOf(target: readonly Score[], seated: ReadonlySet<Score>): Pair[] {
  const inTarget = new Set(target);
  const challengers = target.filter((score) => !seated.has(score));
  const leaving = [...seated].filter((score) => !inTarget.has(score)).sort((a, b) => b.rank - a.rank);
  return challengers
    .slice(0, leaving.length)
    .map((challenger, i) => {
      const incumbent = leaving[i]!;
      return { challenger, incumbent, margin: challenger.composite - incumbent.composite };
    })
    .sort((a, b) => b.margin - a.margin || a.challenger.rank - b.challenger.rank);
}

type Swaps = Pick<SeatSelection, "swaps" | "refusedSwaps" | "fastTracked">;

/** Makes the swaps that their merits, the limit of swaps and the quotas allow. */
function swapSeats(
  seating: Seating,
  pairs: readonly Pair[],
  previous: SelectionMemory,
  fastTrack: readonly FastTrackEvent[],
  policy: Policy,
): Swaps {
  const rules = policy.selector_top50;
  const made: Swaps = { swaps: [], refusedSwaps: [], fastTracked: [] };
  const events = fastTrackable(fastTrack, policy);
  const before = new Map(previous.seats.map((seat) => [seat.symbol, seat]));
  for (const pair of pairs) {
    const { challenger, incumbent, margin } = pair;
    const event = events.get(challenger.symbol);
    const mayFastTrack = event !== undefined && made.fastTracked.length < rules.fast_track_max;
    const tenure = before.get(incumbent.symbol)?.tenureSessions ?? 0;
    const plain = refusal(pair, previous, tenure, false, policy);
    const why = plain === null ? null : mayFastTrack ? refusal(pair, previous, tenure, true, policy) : plain;
    const usesEvent = why === null && plain !== null;
    const inSector = (seating.counts.get(challenger.sector) ?? 0) - (challenger.sector === incumbent.sector ? 1 : 0);
    const limit =
      made.swaps.length >= rules.max_swaps
        ? `${rules.max_swaps} swaps are made at one selection`
        : inSector >= rules.max_sector_seats
          ? `${challenger.sector} has its ${rules.max_sector_seats} seats`
          : null;
    const reason = why ?? limit;
    if (reason !== null) {
      made.refusedSwaps.push({ challenger: challenger.symbol, incumbent: incumbent.symbol, margin, why: reason });
      continue;
    }
    seating.seated.delete(incumbent);
    change(seating.counts, incumbent.sector, -1);
    sit(seating, challenger);
    if (usesEvent && event !== undefined) made.fastTracked.push(event);
    made.swaps.push({ challenger: challenger.symbol, incumbent: incumbent.symbol, margin, isFastTracked: usesEvent });
  }
  return made;
}

/**
 * Sticky and fresh seats (engine.md §4). A second call for the session that `previous` already
 * holds changes no tenure and makes no more swaps.
 */
export function selectSeats(
  ranking: Ranking,
  previous: SelectionMemory | null,
  fastTrack: readonly FastTrackEvent[],
  sessionDate: SessionDate,
  policy: Policy,
): SeatSelection {
  const rules = policy.selector_top50;
  const isSameSession = previous?.sessionDate === sessionDate;
  const before = new Map((previous?.seats ?? []).map((seat) => [seat.symbol, seat]));
  const seating: Seating = { seated: new Set(), counts: new Map() };
  const { seated } = seating;
  const incumbents = [...before.keys()]
    .map((symbol) => ranking.of(symbol))
    .filter((score) => score !== null)
    .sort(byRank);
  fillSeats(seating, incumbents, policy);
  const kept = new Set([...seated].map(({ symbol }) => symbol));
  // Out at once: not eligible any more, or a policy with fewer seats or smaller quotas has no place for them.
  const forcedOut = [...before.keys()].filter((symbol) => !kept.has(symbol)).sort();
  const target = targetOf(ranking, incumbents, policy);
  // Free seats go to the target first; a sector that refused incumbents still fill is passed over.
  fillSeats(seating, target, policy);
  fillSeats(seating, ranked(ranking), policy);
  const maySwap = previous !== null && !isSameSession;
  const swapped: Swaps = maySwap
    ? swapSeats(seating, pairsOf(target, seated), previous, fastTrack, policy)
    : { swaps: [], refusedSwaps: [], fastTracked: [] };

  const result = [...seated].sort(byRank).map((score) => {
    const held = before.get(score.symbol);
    const tenureSessions = held === undefined ? 1 : held.tenureSessions + (isSameSession ? 0 : 1);
    const kind: SeatKindName = tenureSessions < rules.min_tenure_sessions ? "fresh" : "sticky";
    return { score, seatedSince: held?.seatedSince ?? sessionDate, tenureSessions, kind };
  });
  const near = Array.from({ length: Math.min(rules.keep_rank, ranking.count) }, (_, i) => ranking.at(i));
  const remembered = [...new Set([...seated, ...target, ...near])].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const composites =
    previous !== null && isSameSession
      ? previous.composites
      : Object.fromEntries(remembered.map(({ symbol, composite }) => [symbol, composite]));
  const seats = result.map(({ score, seatedSince, tenureSessions }) => ({
    symbol: score.symbol,
    seatedSince,
    tenureSessions,
  }));
  return { seated: result, forcedOut, ...swapped, memory: { sessionDate, seats, composites } };
}

/** Events young enough and named, by symbol; of several the one with the smallest id. */
function fastTrackable(events: readonly FastTrackEvent[], policy: Policy): Map<string, FastTrackEvent> {
  const young = events
    .filter(
      ({ ageHours, eventId, source }) =>
        ageHours >= 0 && ageHours <= policy.selector_top50.fast_track_max_age_hours && eventId !== "" && source !== "",
    )
    .sort((a, b) => (a.eventId > b.eventId ? -1 : 1));
  return new Map(young.map((event) => [event.symbol, event]));
}
