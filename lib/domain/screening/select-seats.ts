import type { SeatKindName } from "../enums.ts";
import type { Policy } from "../policy.ts";
import { knownSector } from "../sectors.ts";
import type { SessionDate } from "../time.ts";
import type { Ranking } from "./rank-columns.ts";

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

/** What a selection is told of the one before it. */
export interface Remembered extends Pick<SelectionMemory, "sessionDate" | "seats"> {
  composites: ReadonlyMap<string, number>;
}

/** Symbols are places of the ranking throughout. */
export interface SeatSelection {
  /** Best first. */
  seated: { place: number; seatedSince: SessionDate; tenureSessions: number; kind: SeatKindName }[];
  forcedOut: string[];
  swaps: DoneSwap[];
  refusedSwaps: RefusedSwap[];
  fastTracked: FastTrackEvent[];
  /** What the next selection is told: of a second selection in one session the composites of the first. */
  remembered: Remembered;
}

type SectorCounts = Map<string, number>;

/**
 * Seats that count against the quota of a sector. What has none may belong to the fullest one: not knowing it wins no symbol a seat that
 * knowing it would refuse.
 */
function seatsTaken(counts: SectorCounts, sector: string): number {
  const own = counts.get(sector) ?? 0;
  if (knownSector(sector) !== null) return own;
  return own + Math.max(0, ...[...counts].filter(([name]) => name !== sector).map(([, count]) => count));
}

function change(counts: SectorCounts, sector: string, by: number): void {
  counts.set(sector, (counts.get(sector) ?? 0) + by);
}

function byRankIn({ rankOf }: Ranking): (a: number, b: number) => number {
  return (a, b) => rankOf[a]! - rankOf[b]!;
}

/** The seats one would give without memory of swaps: ranks 1–40, incumbents to rank 60, then the best of the rest, within quotas. */
function targetOf(ranking: Ranking, incumbents: readonly number[], policy: Policy): number[] {
  const { seats, enter_rank, keep_rank, max_sector_seats, min_sectors } = policy.selector_top50;
  const { count, order, rankOf, listed } = ranking;
  const counts: SectorCounts = new Map();
  const chosen = new Set<number>();
  const take = (place: number) => {
    const { sector } = listed[place]!;
    if (chosen.size >= seats || chosen.has(place) || seatsTaken(counts, sector) >= max_sector_seats) return;
    chosen.add(place);
    change(counts, sector, 1);
  };
  for (let i = 0; i < Math.min(enter_rank, count); i++) take(order[i]!);
  for (const place of incumbents) if (rankOf[place]! > enter_rank && rankOf[place]! <= keep_rank) take(place);
  for (let i = 0; i < count && chosen.size < seats; i++) take(order[i]!);
  const byRank = byRankIn(ranking);
  const target = [...chosen].sort(byRank);
  // Quotas alone give five sectors unless a policy loosens them: then the worst of a crowded sector yields to the best of a new one.
  for (let i = 0; i < count && counts.size < min_sectors; i++) {
    const place = order[i]!;
    const { sector } = listed[place]!;
    if (counts.has(sector) || knownSector(sector) === null) continue;
    const crowded = target.findLastIndex((other) => (counts.get(listed[other]!.sector) ?? 0) > 1);
    if (crowded === -1) break;
    change(counts, listed[target[crowded]!]!.sector, -1);
    target.splice(crowded, 1, place);
    change(counts, sector, 1);
  }
  return target.sort(byRank);
}

interface Pair {
  challenger: number;
  incumbent: number;
  margin: number;
}

/** A pair with its names. */
interface NamedPair {
  challenger: string;
  incumbent: string;
  margin: number;
}

/** Why a swap is refused by its own merits; null when only the limit and the quota are left to ask. */
function refusal(
  { challenger, incumbent, margin }: NamedPair,
  previous: Remembered,
  /** Sessions that the incumbent sat before this one. */
  tenure: number,
  isFastTracked: boolean,
  policy: Policy,
): string | null {
  const { swap_margin, swap_selections, min_tenure_sessions } = policy.selector_top50;
  if (margin < swap_margin) return `margin ${margin.toFixed(1)} is below ${swap_margin}`;
  if (tenure < min_tenure_sessions) return `${incumbent} has sat ${tenure} of ${min_tenure_sessions} sessions`;
  if (isFastTracked || swap_selections < 2) return null;
  const before = previous.composites.get(challenger);
  const rival = previous.composites.get(incumbent);
  const held = before === undefined || rival === undefined ? null : before - rival;
  return held !== null && held >= swap_margin ? null : "the margin has not held on two selections running";
}

/** Who sits, and how many in each sector. */
interface Seating {
  ranking: Ranking;
  seated: Set<number>;
  counts: SectorCounts;
}

function sit({ ranking, seated, counts }: Seating, place: number): void {
  seated.add(place);
  change(counts, ranking.listed[place]!.sector, 1);
}

/** Seats the first `count` of the places in their order while seats are free and a sector's quota has room. */
function fillSeats(
  seating: Seating,
  places: ArrayLike<number>,
  { selector_top50: rules }: Policy,
  count = places.length,
): void {
  const { ranking, seated, counts } = seating;
  for (let i = 0; i < count && seated.size < rules.seats; i++) {
    const place = places[i]!;
    const inSector = seatsTaken(counts, ranking.listed[place]!.sector);
    if (!seated.has(place) && inSector < rules.max_sector_seats) sit(seating, place);
  }
}

/** The best of the target without a seat beside the worst of the seated outside it, widest margin first. */
function pairsOf({ ranking, seated }: Seating, target: readonly number[]): Pair[] {
  const { rankOf, compositeOf } = ranking;
  const challengers = target.filter((place) => !seated.has(place));
  if (challengers.length === 0) return [];
  const inTarget = new Set(target);
  const leaving = [...seated].filter((place) => !inTarget.has(place)).sort((a, b) => rankOf[b]! - rankOf[a]!);
  return challengers
    .slice(0, leaving.length)
    .map((challenger, i) => {
      const incumbent = leaving[i]!;
      return { challenger, incumbent, margin: compositeOf(challenger) - compositeOf(incumbent) };
    })
    .sort((a, b) => b.margin - a.margin || rankOf[a.challenger]! - rankOf[b.challenger]!);
}

type Swaps = Pick<SeatSelection, "swaps" | "refusedSwaps" | "fastTracked">;

/** Makes the swaps that their merits, the limit of swaps and the quotas allow. */
function swapSeats(
  seating: Seating,
  pairs: readonly Pair[],
  previous: Remembered,
  before: ReadonlyMap<string, SeatMemory>,
  fastTrack: readonly FastTrackEvent[],
  policy: Policy,
): Swaps {
  const rules = policy.selector_top50;
  const { listed } = seating.ranking;
  const made: Swaps = { swaps: [], refusedSwaps: [], fastTracked: [] };
  const events = fastTrackable(fastTrack, policy);
  for (const { challenger, incumbent, margin } of pairs) {
    const [rising, leaving] = [listed[challenger]!, listed[incumbent]!];
    const pair: NamedPair = { challenger: rising.symbol, incumbent: leaving.symbol, margin };
    const event = events.get(rising.symbol);
    const mayFastTrack = event !== undefined && made.fastTracked.length < rules.fast_track_max;
    const tenure = before.get(leaving.symbol)?.tenureSessions ?? 0;
    const plain = refusal(pair, previous, tenure, false, policy);
    const why = plain === null ? null : mayFastTrack ? refusal(pair, previous, tenure, true, policy) : plain;
    const usesEvent = why === null && plain !== null;
    change(seating.counts, leaving.sector, -1);
    const inSector = seatsTaken(seating.counts, rising.sector);
    change(seating.counts, leaving.sector, 1);
    const limit =
      made.swaps.length >= rules.max_swaps
        ? `${rules.max_swaps} swaps are made at one selection`
        : inSector >= rules.max_sector_seats
          ? `${rising.sector} has its ${rules.max_sector_seats} seats`
          : null;
    const reason = why ?? limit;
    if (reason !== null) {
      made.refusedSwaps.push({ ...pair, why: reason });
      continue;
    }
    seating.seated.delete(incumbent);
    change(seating.counts, leaving.sector, -1);
    sit(seating, challenger);
    if (usesEvent && event !== undefined) made.fastTracked.push(event);
    made.swaps.push({ ...pair, isFastTracked: usesEvent });
  }
  return made;
}

/** Composites of what sits, was in the target or ranks up to `keep_rank`. */
function compositesOf({ ranking, seated }: Seating, target: readonly number[], { selector_top50: rules }: Policy) {
  const { order, listed, compositeOf } = ranking;
  const composites = new Map<string, number>();
  const note = (place: number) => composites.set(listed[place]!.symbol, compositeOf(place));
  for (let i = 0; i < Math.min(rules.keep_rank, ranking.count); i++) note(order[i]!);
  for (const place of seated) if (ranking.rankOf[place]! > rules.keep_rank) note(place);
  for (const place of target) if (ranking.rankOf[place]! > rules.keep_rank) note(place);
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
  const { listed } = ranking;
  const isSameSession = previous?.sessionDate === sessionDate;
  const before = new Map((previous?.seats ?? []).map((seat) => [seat.symbol, seat]));
  const seating: Seating = { ranking, seated: new Set(), counts: new Map() };
  const { seated } = seating;
  const byRank = byRankIn(ranking);
  const incumbents: number[] = [];
  const forcedOut: string[] = [];
  for (const symbol of before.keys()) {
    const place = ranking.placeOf(symbol);
    if (place === null) forcedOut.push(symbol);
    else incumbents.push(place);
  }
  fillSeats(seating, incumbents.sort(byRank), policy);
  // Out at once: not eligible any more, or a policy with fewer seats or smaller quotas has no place for them.
  for (const place of incumbents) if (!seated.has(place)) forcedOut.push(listed[place]!.symbol);
  const target = targetOf(ranking, incumbents, policy);
  // Free seats go to the target first; a sector that refused incumbents still fill is passed over.
  fillSeats(seating, target, policy);
  fillSeats(seating, ranking.order, policy, ranking.count);
  const maySwap = previous !== null && !isSameSession;
  const swapped: Swaps = maySwap
    ? swapSeats(seating, pairsOf(seating, target), previous, before, fastTrack, policy)
    : { swaps: [], refusedSwaps: [], fastTracked: [] };
  const result = [...seated].sort(byRank).map((place) => {
    const held = before.get(listed[place]!.symbol);
    const tenureSessions = held === undefined ? 1 : held.tenureSessions + (isSameSession ? 0 : 1);
    const kind: SeatKindName = tenureSessions < rules.min_tenure_sessions ? "fresh" : "sticky";
    return { place, seatedSince: held?.seatedSince ?? sessionDate, tenureSessions, kind };
  });
  const seats = result.map(({ place, seatedSince, tenureSessions }) => ({
    symbol: listed[place]!.symbol,
    seatedSince,
    tenureSessions,
  }));
  const composites = previous !== null && isSameSession ? previous.composites : compositesOf(seating, target, policy);
  return { seated: result, forcedOut: forcedOut.sort(), ...swapped, remembered: { sessionDate, seats, composites } };
}

/** What is stored of a selection for the next one. */
export function memoryOf(
  { remembered: { sessionDate, seats, composites } }: SeatSelection,
  previous: SelectionMemory | null,
): SelectionMemory {
  if (previous?.sessionDate === sessionDate) return { sessionDate, seats, composites: previous.composites };
  const rows = [...composites].sort(([a], [b]) => (a < b ? -1 : 1));
  return { sessionDate, seats, composites: Object.fromEntries(rows) };
}

export function rememberedOf(previous: SelectionMemory | null): Remembered | null {
  return previous === null ? null : { ...previous, composites: new Map(Object.entries(previous.composites)) };
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
