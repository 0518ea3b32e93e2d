import type { SessionDate } from "../time.ts";

/** Place of a session in an ascending list; null when it is not there. */
export function sessionIndex(sessions: readonly SessionDate[], date: SessionDate): number | null {
  const index = sessions.indexOf(date);
  return index === -1 ? null : index;
}

/** Place of the first session on or after a date; the list's length when all lie before it. */
export function firstSessionFrom(sessions: readonly SessionDate[], date: SessionDate): number {
  const index = sessions.findIndex((session) => session >= date);
  return index === -1 ? sessions.length : index;
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
