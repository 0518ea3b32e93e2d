import { isEarlyClose, isSession as isRuleSession } from "../../domain/market-calendar.ts";
import { addDays, newYorkInstant, type SessionDate } from "../../domain/time.ts";
import type { Market } from "./source.ts";

/** The hours of a session in epoch milliseconds of market time. */
export interface Hours {
  date: SessionDate;
  opensAtMs: number;
  closesAtMs: number;
  minutes: number;
  isEarlyClose: boolean;
}

export interface Sessions {
  isSession(date: SessionDate): boolean;
  hours(date: SessionDate): Hours;
  next(date: SessionDate): SessionDate;
  previous(date: SessionDate): SessionDate;
}

/** The exchange's rules, except inside a tape's range, where the tape's own sessions win. */
export function sessionsOf(market: Market): Sessions {
  const own = market.kind === "tape" ? new Set(market.sessions) : null;
  const first = market.sessions[0] as SessionDate;
  const last = market.lastSession;
  const cache = new Map<SessionDate, Hours>();

  const isSession = (date: SessionDate) =>
    own !== null && last !== null && date >= first && date <= last ? own.has(date) : isRuleSession(date);

  function step(date: SessionDate, days: number): SessionDate {
    let result = addDays(date, days);
    while (!isSession(result)) result = addDays(result, days);
    return result;
  }

  return {
    isSession,
    next: (date) => step(date, 1),
    previous: (date) => step(date, -1),
    hours(date) {
      let hours = cache.get(date);
      if (hours === undefined) {
        const early = isEarlyClose(date);
        const opensAtMs = Date.parse(newYorkInstant(date, 9, 30));
        const closesAtMs = Date.parse(newYorkInstant(date, early ? 13 : 16, 0));
        hours = { date, opensAtMs, closesAtMs, minutes: (closesAtMs - opensAtMs) / 60_000, isEarlyClose: early };
        cache.set(date, hours);
      }
      return hours;
    },
  };
}
