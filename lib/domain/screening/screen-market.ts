import type { SeatView } from "../engine/plan.ts";
import type { MarketName } from "../enums.ts";
import type { Policy } from "../policy.ts";
import type { SessionDate } from "../time.ts";
import { rankUniverse } from "./rank-universe.ts";
import { contributionReasons, type NewsScore, type Score, type ScreenedSymbol } from "./score.ts";
import { memoryOf, rememberedOf, type SelectionMemory, selectSeats } from "./select-seats.ts";
import { type DoneSwap, type FastTrackEvent, type RefusedSwap, refusedSwap } from "./swap-seats.ts";

export type { SelectionMemory } from "./select-seats.ts";

export interface ScreenInput {
  market: MarketName;
  sessionDate: SessionDate;
  universe: readonly ScreenedSymbol[];
  /** Null when the source is unavailable. */
  news: readonly NewsScore[] | null;
  previous: SelectionMemory | null;
  fastTrack: readonly FastTrackEvent[];
  policy: Policy;
}

export interface SeatResult extends SeatView {
  sector: string;
  lastPrice: number;
  coverage: number;
  barCount: number;
  /** Sessions seated without a break, this one included. */
  tenureSessions: number;
  seatedSince: SessionDate;
  /** The largest contributions in words, and what the swap contributed to the seat. */
  reasons: string[];
}

export interface ScreenResult {
  market: MarketName;
  sessionDate: SessionDate;
  eligibleCount: number;
  exclusions: Record<string, number>;
  /** Every eligible symbol, best first. */
  scores: Score[];
  /** Best first; rank is the place among the seats, 1-based. */
  seats: SeatResult[];
  forcedOut: string[];
  swaps: DoneSwap[];
  refusedSwaps: RefusedSwap[];
  fastTracked: FastTrackEvent[];
  /** Symbols that took a seat at this selection. */
  promoted: string[];
  sectorSeats: Record<string, number>;
  memory: SelectionMemory;
}

/** Universe → scores → seats: one selection of a session. Pure and independent of the input's order. */
export function screenMarket(input: ScreenInput): ScreenResult {
  const { market, sessionDate, universe, news, previous, fastTrack, policy } = input;
  const before = new Set((previous?.seats ?? []).map(({ symbol }) => symbol));
  const { ranking, exclusions } = rankUniverse(universe, news, (symbol) => before.has(symbol), policy);
  const selection = selectSeats(ranking, rememberedOf(previous), fastTrack, sessionDate, policy);
  const sectorSeats: Record<string, number> = {};
  const seats = selection.seated.map(({ place, kind, seatedSince, tenureSessions }, i): SeatResult => {
    const score = ranking.scoreOf(place);
    const { symbol, sector, lastPrice, coverage, barCount } = score;
    sectorSeats[sector] = (sectorSeats[sector] ?? 0) + 1;
    const swap = selection.swaps.find(({ challenger }) => challenger === symbol);
    const reasons = contributionReasons(score, policy);
    if (swap !== undefined) reasons.push(`Took the seat of ${swap.incumbent} by ${swap.margin.toFixed(1)} points`);
    if (score.sentiment === null) reasons.push("No news source: sentiment is missing");
    return {
      ...ranking.seatOf(place, kind, i + 1),
      sector,
      lastPrice,
      coverage,
      barCount,
      tenureSessions,
      seatedSince,
      reasons,
    };
  });
  return {
    market,
    sessionDate,
    eligibleCount: ranking.count,
    exclusions,
    scores: Array.from({ length: ranking.count }, (_, index) => ranking.scoreOf(ranking.order[index]!)),
    seats,
    forcedOut: selection.forcedOut,
    swaps: selection.swaps,
    refusedSwaps: selection.refused.map((swap) => refusedSwap(ranking, swap, policy)),
    fastTracked: selection.fastTracked,
    promoted: seats.map(({ symbol }) => symbol).filter((symbol) => !before.has(symbol)),
    sectorSeats,
    memory: memoryOf(selection, previous),
  };
}
