import { DAY_MS, HOUR_MS, type Instant } from "@/lib/domain/time.ts";

export interface SessionTimes {
  opensAt: Instant;
  closesAt: Instant;
}

/**
 * When market work is due next: every interval inside a session, first `delayMs` after the open; outside
 * a session after the next open. Pure, so that a row that fell behind, or lies in a future that the
 * market's clock has left, heals by asking again.
 *
 * @param calendar sessions, ascending
 * @returns null when the calendar knows no session ahead
 */
export function nextMarketDue(now: Instant, everyMs: number, delayMs: number, calendar: SessionTimes[]): Date | null {
  const at = Date.parse(now);
  const upcoming = calendar.find((day) => Date.parse(day.closesAt) > at);
  if (!upcoming) return null;
  const first = Date.parse(upcoming.opensAt) + delayMs;
  if (at < first) return new Date(first);
  // On a grid from the open, so that cycles fall on 09:35, 09:40 … however late one of them was.
  const steps = Math.floor((at - first) / everyMs) + 1;
  const next = first + steps * everyMs;
  if (next < Date.parse(upcoming.closesAt)) return new Date(next);
  const after = calendar[calendar.indexOf(upcoming) + 1];
  return after ? new Date(Date.parse(after.opensAt) + delayMs) : null;
}

const RETRY_HOURS = 6;

/** The next time after `now` that a clock in UTC shows this hour and minute. Wall time. */
export function nextDailyDue(now: Date, { hour, minute }: { hour: number; minute: number }): Date {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour, minute);
  return new Date(today > now.getTime() ? today : today + DAY_MS);
}

/**
 * When work that follows a close is due next: `delayMs` after it, then each hour for six more, so that what a
 * broker's absence prevented is made up before the next opening; after that at the next close.
 *
 * @param calendar sessions, ascending
 * @returns null when the calendar knows no close ahead
 */
export function nextAfterClose(now: Instant, delayMs: number, calendar: SessionTimes[]): Date | null {
  const at = Date.parse(now);
  for (const { closesAt } of calendar) {
    const first = Date.parse(closesAt) + delayMs;
    const steps = Math.max(0, Math.floor((at - first) / HOUR_MS) + 1);
    if (steps <= RETRY_HOURS) return new Date(first + steps * HOUR_MS);
  }
  return null;
}

/** How many whole intervals a row waited beyond its time: passes that were coalesced into one. */
export function missedIntervals(dueAt: Date, now: Date, everyMs: number): number {
  return Math.max(0, Math.floor((now.getTime() - dueAt.getTime()) / everyMs));
}
