import { addDays, newYork, newYorkInstant, type SessionDate } from "@/lib/domain/time.ts";

/** From the first, before the second; null is open. */
export interface Stretch<T> {
  from: T | null;
  before: T | null;
}

export interface PeriodParts {
  /** Whole New York years, by their first days; null where there is none. */
  years: Stretch<SessionDate> | null;
  /** Whole New York days beside them. */
  days: Stretch<SessionDate>[];
  /** What is less than a day. */
  ends: Stretch<Date>[];
}

const midnight = (day: SessionDate) => new Date(newYorkInstant(day, 0, 0));
const newYear = (year: number): SessionDate => `${year}-01-01`;
const yearOf = (day: SessionDate) => Number(day.slice(0, 4));

/** Cuts a period, between the years 1000 and 9999, into what the kept sums hold whole: each moment of it is in exactly one part. */
export function partsOf(period: Stretch<Date>): PeriodParts {
  const { from, before } = period;
  const today = from === null ? null : newYork(from).date;
  const isWhole = from !== null && today !== null && midnight(today).getTime() === from.getTime();
  const firstDay = today === null || isWhole ? today : addDays(today, 1);
  const lastDay = before === null ? null : newYork(before).date;
  if (firstDay !== null && lastDay !== null && firstDay >= lastDay) return { years: null, days: [], ends: [period] };

  const ends = [
    ...(firstDay === null || isWhole ? [] : [{ from, before: midnight(firstDay) }]),
    ...(lastDay === null || midnight(lastDay).getTime() === before?.getTime()
      ? []
      : [{ from: midnight(lastDay), before }]),
  ];
  const firstYear = firstDay === null ? null : newYear(yearOf(addDays(firstDay, -1)) + 1);
  const lastYear = lastDay === null ? null : newYear(yearOf(lastDay));
  if (firstYear !== null && lastYear !== null && firstYear >= lastYear)
    return { years: null, days: [{ from: firstDay, before: lastDay }], ends };
  const days = [
    { from: firstDay, before: firstYear },
    { from: lastYear, before: lastDay },
  ].filter((stretch) => stretch.from !== stretch.before);
  return { years: { from: firstYear, before: lastYear }, days, ends };
}
