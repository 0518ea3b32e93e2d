import { addDays, HOUR_MS, newYork, newYorkInstant, type Instant, type SessionDate } from "@/lib/domain/time.ts";
import { mondayOf, weekFrom } from "@/lib/domain/weeks.ts";

/** Saturday, this hour in New York. */
const DUE_HOUR = 8;
/** A worker that was down this long no longer writes the summary of the week. */
const LATE_MS = 48 * HOUR_MS;
const SATURDAY = 6;

export interface SummaryWeek {
  /** New York date of the Saturday that follows it. */
  weekEnd: SessionDate;
  /** Wall time: from Saturday, 0:00 in New York, until the next one. */
  from: Instant;
  to: Instant;
}

/** The week of which a summary is due at this moment of wall time; null between two of them. Pure. */
export function summaryWeek(now: Date): SummaryWeek | null {
  const { date } = newYork(now);
  const sinceSaturday = (new Date(`${date}T00:00:00.000Z`).getUTCDay() - SATURDAY + 7) % 7;
  const weekEnd = addDays(date, -sinceSaturday);
  const lateMs = now.getTime() - Date.parse(newYorkInstant(weekEnd, DUE_HOUR, 0));
  if (lateMs < 0 || lateMs >= LATE_MS) return null;
  const { from, to } = weekFrom(mondayOf(weekEnd));
  return { weekEnd, from, to };
}
