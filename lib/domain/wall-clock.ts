/**
 * Times that our own machines wrote, in wall time. A clock that ran ahead and was set right leaves times behind that lie in the future: they say
 * nothing of the past, and nothing waits for them.
 */

/** A date, or its milliseconds. */
type Wall = Date | number;

/** The clocks of two of our machines are at most this far apart: each may be wrong by half of it (core/calendar.ts). */
export const CLOCKS_APART_MS = 10_000;

/** True where `at` lies less than `ms` back. */
export function isWithinLast(ms: number, at: Wall, now: Wall): boolean {
  const ageMs = Number(now) - Number(at);
  return ageMs < ms && ageMs >= -CLOCKS_APART_MS;
}

/** True where what was put off until `at` is due: it is never put off for longer than `mostMs`. */
export function isDue(mostMs: number, at: Wall, now: Wall): boolean {
  return at <= now || Number(at) > latestOf(mostMs, now).getTime();
}

/** Elapsed milliseconds; Infinity for a time that was written by a clock ahead. */
export const sinceMs = (at: Wall, now: Wall): number => (at > latestOf(0, now) ? Infinity : Number(now) - Number(at));

/** The latest time that may have been written for something put off by `mostMs` at most. */
export const latestOf = (mostMs: number, now: Wall): Date => new Date(Number(now) + mostMs + CLOCKS_APART_MS);
