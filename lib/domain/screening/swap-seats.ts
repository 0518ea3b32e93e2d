import { besideLine } from "../beside-line.ts";
import type { Policy } from "../policy.ts";
import { knownSector } from "../sectors.ts";
import type { SessionDate } from "../time.ts";
import type { Ranking } from "./rank-columns.ts";
import { add, change, inOrder, type Places, type Rules, SEATED, seatsTaken, TARGET } from "./seat-places.ts";

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

/** What a selection receives from the one before it. */
export interface Remembered {
  sessionDate: SessionDate;
  seats: readonly SeatMemory[];
  composites: Composites;
}

/** Composites in two rows, side by side: asked for a few symbols alone. */
export interface Composites {
  symbols: string[];
  values: number[];
}

/** Why a swap is refused; `refusedSwap` says it in words. */
type Refusal = "margin" | "tenure" | "not held" | "limit" | "quota";

interface Pair {
  /** Places. */
  challenger: number;
  incumbent: number;
  margin: number;
}

interface Refused extends Pair {
  because: Refusal;
  /** Sessions that the incumbent sat before this one. */
  tenure: number;
}

/** Why a swap is refused by its own merits; null when only the limit and the quota are left to ask. `tenure`: sessions that the incumbent sat before this one. */
function refusal(
  ranking: Ranking,
  { challenger, incumbent, margin }: Pair,
  { composites }: Remembered,
  tenure: number,
  isFastTracked: boolean,
  { swap_margin, swap_selections, min_tenure_sessions }: Rules,
): Refusal | null {
  if (margin < swap_margin) return "margin";
  if (tenure < min_tenure_sessions) return "tenure";
  if (isFastTracked || swap_selections < 2) return null;
  const before = (place: number) => composites.values[composites.symbols.indexOf(ranking.listed[place]!.symbol)];
  const [own, rival] = [before(challenger), before(incumbent)];
  return own !== undefined && rival !== undefined && own - rival >= swap_margin ? null : "not held";
}

/** A refused swap in words. */
export function refusedSwap(
  { listed }: Pick<Ranking, "listed">,
  { challenger, incumbent, margin, because, tenure }: Refused,
  { selector_top50: rules }: Policy,
): RefusedSwap {
  const [rising, leaving] = [listed[challenger]!, listed[incumbent]!];
  const [is, needed] = besideLine(margin, rules.swap_margin, 1);
  const why = {
    margin: `margin ${is} is below ${needed}`,
    tenure: `${leaving.symbol} has sat ${tenure} of ${rules.min_tenure_sessions} sessions`,
    "not held": "the margin has not held on two selections running",
    limit: `${rules.max_swaps} swaps are made at one selection`,
    quota:
      knownSector(rising.sector) === null
        ? `its sector is not known and may be one that has its ${rules.max_sector_seats} seats`
        : `${rising.sector} has its ${rules.max_sector_seats} seats`,
  }[because];
  return { challenger: rising.symbol, incumbent: leaving.symbol, margin, why };
}

/** The best of the target without a seat beside the worst of the seated outside it, widest margin first. */
export function pairsOf(ranking: Ranking): Pair[] {
  const { rankOf, compositeOf } = ranking;
  const challengers = inOrder(ranking, TARGET, SEATED);
  if (challengers.length === 0) return [];
  const leaving = inOrder(ranking, SEATED, TARGET).reverse();
  return challengers
    .slice(0, leaving.length)
    .map((challenger, i) => {
      const incumbent = leaving[i]!;
      return { challenger, incumbent, margin: compositeOf(challenger) - compositeOf(incumbent) };
    })
    .sort((a, b) => b.margin - a.margin || rankOf[a.challenger]! - rankOf[b.challenger]!);
}

/** What became of the pairs. */
export interface Swaps {
  swaps: DoneSwap[];
  refused: Refused[];
  fastTracked: FastTrackEvent[];
}

/** Makes the swaps that their merits, the limit of swaps and the quotas allow. */
export function swapSeats(
  seating: Places,
  pairs: readonly Pair[],
  previous: Remembered,
  /** Sessions that a place sat before this one. */
  tenureOf: (place: number) => number,
  fastTrack: readonly FastTrackEvent[],
  policy: Policy,
): Swaps {
  const rules = policy.selector_top50;
  const { listed } = seating.ranking;
  const made: Swaps = { swaps: [], refused: [], fastTracked: [] };
  const events = fastTrackable(fastTrack, policy);
  for (const pair of pairs) {
    const { challenger, incumbent, margin } = pair;
    const [rising, leaving] = [listed[challenger]!, listed[incumbent]!];
    const event = events.get(rising.symbol);
    const mayFastTrack = event !== undefined && made.fastTracked.length < rules.fast_track_max;
    const tenure = tenureOf(incumbent);
    const plain = refusal(seating.ranking, pair, previous, tenure, false, rules);
    const why = plain !== null && mayFastTrack ? refusal(seating.ranking, pair, previous, tenure, true, rules) : plain;
    const because = why ?? (made.swaps.length >= rules.max_swaps ? "limit" : null);
    change(seating.counts, leaving.sector, -1);
    const isFull = seatsTaken(seating.counts, rising.sector) >= rules.max_sector_seats;
    if (because !== null || isFull) {
      change(seating.counts, leaving.sector, 1);
      made.refused.push({ ...pair, because: because ?? "quota", tenure });
      continue;
    }
    seating.ranking.marks[incumbent]! &= ~SEATED;
    seating.size--;
    add(seating, challenger);
    const isFastTracked = plain !== null;
    if (isFastTracked && event !== undefined) made.fastTracked.push(event);
    made.swaps.push({ challenger: rising.symbol, incumbent: leaving.symbol, margin, isFastTracked });
  }
  return made;
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
