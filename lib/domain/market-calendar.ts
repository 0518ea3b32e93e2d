import { addDays, newYorkInstant, type Instant, type SessionDate } from "./time.ts";

/**
 * The New York Stock Exchange's published holiday and early-close rules, correct for 2006 to 2035 (the rules
 * of 2022 for Juneteenth included). Dates are New York calendar dates; nothing here knows a tape.
 */

export interface SessionHours {
  opensAt: Instant;
  closesAt: Instant;
  isEarlyClose: boolean;
}

/** Closed beside the holidays: days of national mourning (2007, 2018, 2025) and the hurricane of 2012. */
const CLOSED_ONCE: ReadonlySet<SessionDate> = new Set([
  "2007-01-02",
  "2012-10-29",
  "2012-10-30",
  "2018-12-05",
  "2025-01-09",
]);

const holidaysByYear = new Map<number, ReadonlySet<SessionDate>>();

function weekday(date: SessionDate): number {
  return new Date(`${date}T00:00:00.000Z`).getUTCDay();
}

function dateOf(year: number, month: number, day: number): SessionDate {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

/** The nth given weekday of a month (n from 1). */
function nthWeekday(year: number, month: number, day: number, n: number): SessionDate {
  const first = weekday(dateOf(year, month, 1));
  return dateOf(year, month, 1 + ((day - first + 7) % 7) + (n - 1) * 7);
}

function lastMonday(year: number, month: number): SessionDate {
  const last = dateOf(year, month + 1, 0);
  return addDays(last, -((weekday(last) + 6) % 7));
}

/** Western Easter Sunday (the anonymous Gregorian computus). */
function easter(year: number): SessionDate {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return dateOf(year, Math.floor(f / 31), (f % 31) + 1);
}

/** A fixed-date holiday moves to Friday from Saturday and to Monday from Sunday. */
function observed(date: SessionDate): SessionDate {
  const day = weekday(date);
  if (day === 6) return addDays(date, -1);
  return day === 0 ? addDays(date, 1) : date;
}

function holidaysOf(year: number): ReadonlySet<SessionDate> {
  const known = holidaysByYear.get(year);
  if (known !== undefined) return known;
  const holidays = new Set<SessionDate>([
    nthWeekday(year, 1, 1, 3),
    nthWeekday(year, 2, 1, 3),
    addDays(easter(year), -2),
    lastMonday(year, 5),
    observed(dateOf(year, 7, 4)),
    nthWeekday(year, 9, 1, 1),
    nthWeekday(year, 11, 4, 4),
    observed(dateOf(year, 12, 25)),
  ]);
  // New Year's Day on a Saturday is not made up for: the old year's last Friday closes the books.
  const newYear = dateOf(year, 1, 1);
  if (weekday(newYear) !== 6) holidays.add(observed(newYear));
  if (year >= 2022) holidays.add(observed(dateOf(year, 6, 19)));
  holidaysByYear.set(year, holidays);
  return holidays;
}

/** True when the exchange holds a session on the date. */
export function isSession(date: SessionDate): boolean {
  const day = weekday(date);
  if (day === 0 || day === 6) return false;
  return !CLOSED_ONCE.has(date) && !holidaysOf(Number(date.slice(0, 4))).has(date);
}

/** True when the session of the date closes at 13:00 (3 July, the day after Thanksgiving, Christmas Eve). */
export function isEarlyClose(date: SessionDate): boolean {
  if (!isSession(date)) return false;
  const year = Number(date.slice(0, 4));
  const monthDay = date.slice(5);
  if (monthDay === "07-03") return weekday(date) <= 4;
  if (monthDay === "12-24") return true;
  return date === addDays(nthWeekday(year, 11, 4, 4), 1);
}

const hoursByDate = new Map<SessionDate, SessionHours | null>();

/** Opening and closing instants of the date's session, null when there is none. */
export function sessionHours(date: SessionDate): SessionHours | null {
  const known = hoursByDate.get(date);
  if (known !== undefined) return known;
  const hours = hoursOf(date);
  hoursByDate.set(date, hours);
  return hours;
}

function hoursOf(date: SessionDate): SessionHours | null {
  if (!isSession(date)) return null;
  const early = isEarlyClose(date);
  return {
    opensAt: newYorkInstant(date, 9, 30),
    closesAt: newYorkInstant(date, early ? 13 : 16, 0),
    isEarlyClose: early,
  };
}

/** The first session after the date. */
export function nextSession(date: SessionDate): SessionDate {
  let next = addDays(date, 1);
  while (!isSession(next)) next = addDays(next, 1);
  return next;
}

/** The last session before the date. */
export function previousSession(date: SessionDate): SessionDate {
  let previous = addDays(date, -1);
  while (!isSession(previous)) previous = addDays(previous, -1);
  return previous;
}

/** All sessions from one date to another, both included. */
export function sessionsBetween(from: SessionDate, to: SessionDate): SessionDate[] {
  const sessions: SessionDate[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) if (isSession(date)) sessions.push(date);
  return sessions;
}

/** The session n sessions after the date (before it when n is negative). With n = 0 the date itself. */
export function addSessions(date: SessionDate, n: number): SessionDate {
  let result = date;
  for (let i = 0; i < Math.abs(n); i += 1) result = n > 0 ? nextSession(result) : previousSession(result);
  return result;
}
