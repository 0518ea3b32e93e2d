import type { BarSeries } from "../screening/features.ts";
import type { SessionDate } from "../time.ts";

/**
 * What is stored of a symbol with what its source says now: a bar that the source gives replaces the stored one, a bar that it does
 * not give stays, and what is older than `oldest` goes.
 */
export function growBars(stored: BarSeries, read: BarSeries, oldest: SessionDate): BarSeries {
  const places: [from: BarSeries, place: number][] = [];
  let next = 0;
  const take = (from: BarSeries, place: number) => {
    if (from.dates[place]! >= oldest) places.push([from, place]);
  };
  for (let place = 0; place < stored.dates.length; place += 1) {
    const date = stored.dates[place]!;
    for (; next < read.dates.length && read.dates[next]! < date; next += 1) take(read, next);
    if (read.dates[next] !== date) take(stored, place);
  }
  for (; next < read.dates.length; next += 1) take(read, next);
  const column = (name: "open" | "high" | "low" | "close" | "volume") =>
    Float64Array.from(places, ([from, place]) => from[name][place]!);
  return {
    symbol: stored.symbol,
    dates: places.map(([from, place]) => from.dates[place]!),
    open: column("open"),
    high: column("high"),
    low: column("low"),
    close: column("close"),
    volume: column("volume"),
  };
}

/** Closes that both know, and how many of them differ. */
export function compareBars(stored: BarSeries, read: BarSeries): { common: number; corrected: number } {
  const places = new Map(stored.dates.map((date, place) => [date, place]));
  let common = 0;
  let corrected = 0;
  read.dates.forEach((date, place) => {
    const own = places.get(date);
    if (own === undefined) return;
    common += 1;
    if (stored.close[own] !== read.close[place]) corrected += 1;
  });
  return { common, corrected };
}

/**
 * True where the source tells of another history than the stored one: none of at least three closes that both know is the same. So
 * it is with a symbol that another company took over, with another feed, and with another practice market.
 */
export function isOtherHistory(stored: BarSeries, read: BarSeries): boolean {
  const { common, corrected } = compareBars(stored, read);
  return common >= 3 && corrected === common;
}
