import { newYork, type SessionDate } from "../domain/time.ts";
import { previousSession, sessionHours } from "../domain/market-calendar.ts";

/** An exchange that follows the wall clock: it begins today, runs in real time and lives through nights and week-ends. */
export const NOW = "now";

interface Wishes {
  tape?: string | undefined;
  speed?: number | undefined;
  skipClosed?: boolean | undefined;
  leadSessions?: number | undefined;
}

/** Throws where something is asked for that a market of today cannot do. */
export function checkWallClock({ tape, speed, skipClosed, leadSessions }: Wishes): void {
  const refuse = (reason: string) => {
    throw new Error(`EXCHANGE_START=now follows the wall clock: ${reason}`);
  };
  if (tape !== undefined) refuse("a tape (EXCHANGE_TAPE) lies in the past; leave it out, or name a date");
  if (speed !== undefined && speed !== 1) refuse(`EXCHANGE_SPEED must be 1, not ${speed}`);
  if (skipClosed === true) refuse("closed hours are not skipped; EXCHANGE_SKIP_CLOSED must be 0");
  if ((leadSessions ?? 0) > 0) refuse("there are no sessions to play beforehand; EXCHANGE_LEAD_SESSIONS must be 0");
}

/** The session that runs now, or the last one before. */
export function currentSession(nowMs: number): SessionDate {
  const today = newYork(nowMs).date;
  const hours = sessionHours(today);
  return hours !== null && Date.parse(hours.opensAt) <= nowMs ? today : previousSession(today);
}
