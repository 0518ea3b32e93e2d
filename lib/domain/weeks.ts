import type { Environment } from "./enums.ts";
import { addDays, newYork, newYorkInstant, type Instant, type SessionDate } from "./time.ts";

/** A week of sessions, named by its Monday: from Saturday, 0:00 in New York, until the next one. */
export interface TradingWeek {
  monday: SessionDate;
  friday: SessionDate;
  from: Instant;
  to: Instant;
}

/** The Monday of the ISO week that a date lies in: a Saturday belongs to the sessions before it. */
export function mondayOf(date: SessionDate): SessionDate {
  const weekday = new Date(`${date}T00:00:00.000Z`).getUTCDay();
  return addDays(date, -((weekday + 6) % 7));
}

/** The week of a Monday. */
export const weekFrom = (monday: SessionDate): TradingWeek => ({
  monday,
  friday: addDays(monday, 4),
  from: newYorkInstant(addDays(monday, -2), 0, 0),
  to: newYorkInstant(addDays(monday, 5), 0, 0),
});

/** The page of the week that a span of market time ended with. */
export const weekAddress = ({ environment, to }: { environment: Environment; to: Instant }): string =>
  `/performance/week/${mondayOf(newYork(to).date)}?env=${environment.toLowerCase()}`;
