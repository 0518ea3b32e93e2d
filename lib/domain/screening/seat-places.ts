import type { Policy } from "../policy.ts";
import { knownSector } from "../sectors.ts";
import type { Ranking } from "./rank-columns.ts";

type SectorCounts = Map<string, number>;
export type Rules = Policy["selector_top50"];

/**
 * Seats that count against the quota of a sector. What has none may belong to the fullest one: not knowing it wins no symbol a seat that
 * knowing it would refuse.
 */
export function seatsTaken(counts: SectorCounts, sector: string): number {
  const own = counts.get(sector) ?? 0;
  if (knownSector(sector) !== null) return own;
  return own + Math.max(0, ...[...counts].filter(([name]) => name !== sector).map(([, count]) => count));
}

export function change(counts: SectorCounts, sector: string, by: number): void {
  counts.set(sector, (counts.get(sector) ?? 0) + by);
}

/** Marks of a place. */
export const HELD = 1;
export const SEATED = 2;
export const TARGET = 4;

/** The places that have one of some marks and none of others, best first. */
export function inOrder({ order, count, marks }: Ranking, some: number, none = 0): number[] {
  const places: number[] = [];
  for (let i = 0; i < count; i++) {
    const mark = marks[order[i]!]!;
    if ((mark & some) !== 0 && (mark & none) === 0) places.push(order[i]!);
  }
  return places;
}

/** Places with one mark, and how many of them in each sector. */
export interface Places {
  ranking: Ranking;
  mark: number;
  size: number;
  counts: SectorCounts;
}

export function noPlaces(ranking: Ranking, mark: number): Places {
  return { ranking, mark, size: 0, counts: new Map() };
}

export function add(places: Places, place: number): void {
  const { marks, listed } = places.ranking;
  marks[place]! |= places.mark;
  places.size++;
  change(places.counts, listed[place]!.sector, 1);
}

/** Adds a place while seats are free and its sector's quota has room. */
export function take(places: Places, place: number, { seats, max_sector_seats }: Rules): void {
  const { marks, listed } = places.ranking;
  if (places.size >= seats || (marks[place]! & places.mark) !== 0) return;
  if (seatsTaken(places.counts, listed[place]!.sector) < max_sector_seats) add(places, place);
}

/** Takes from the first `count` of the places, in their order. */
export function takeAll(places: Places, from: ArrayLike<number>, rules: Rules, count = from.length): void {
  for (let i = 0; i < count && places.size < rules.seats; i++) take(places, from[i]!, rules);
}
