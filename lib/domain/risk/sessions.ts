import type { SessionDate } from "../time.ts";

/** Place of a session in an ascending list; null when it is not there. */
export function sessionIndex(sessions: readonly SessionDate[], date: SessionDate): number | null {
  const index = firstSessionFrom(sessions, date);
  return sessions[index] === date ? index : null;
}

/** Place of the first session of an ascending list on or after a date; the list's length when all lie before it. */
export function firstSessionFrom(sessions: readonly SessionDate[], date: SessionDate): number {
  let first = 0;
  let after = sessions.length;
  while (first < after) {
    const middle = (first + after) >> 1;
    if (sessions[middle]! < date) first = middle + 1;
    else after = middle;
  }
  return first;
}

/**
 * Sessions from an earlier date to today; null when today is not in the list. A date before the list counts as its
 * first session: the answer is then too small, never too large.
 */
export function sessionsSince(
  sessions: readonly SessionDate[],
  earlier: SessionDate,
  today: SessionDate,
): number | null {
  const now = sessionIndex(sessions, today);
  return now === null ? null : now - firstSessionFrom(sessions, earlier);
}
