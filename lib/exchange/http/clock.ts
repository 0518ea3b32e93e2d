import { isEarlyClose } from "../../domain/market-calendar.ts";
import { addDays, newYork, type SessionDate } from "../../domain/time.ts";
import { badRequest } from "../book/refusal.ts";
import type { ExchangeState } from "../book/state.ts";
import { dayOf } from "./dates.ts";
import { type Call, ok, type Reply, type Route, shared } from "./router.ts";
import { sessionRows } from "./session-rows.ts";

/** What the broker's calendar reaches over. */
const FIRST_DAY = "1970-01-01";
const LAST_DAY = "2029-12-31";
/** Sixty years, all of it: what a client may ask of the calendar at once. */
const DAYS_MAX = 21_915;

/** "2026-11-20T18:51:38.123-05:00": New York's reading with its offset. */
export function newYorkText(ms: number): string {
  const seen = newYork(ms);
  const two = (n: number) => String(n).padStart(2, "0");
  const wall = Date.parse(`${seen.date}T${two(seen.hour)}:${two(seen.minute)}:${two(seen.second)}.000Z`);
  const offsetHours = Math.round((Math.floor(ms / 1000) * 1000 - wall) / 3_600_000);
  const fraction = ms % 1000 === 0 ? "" : `.${String(Math.floor(ms % 1000)).padStart(3, "0")}`;
  return `${new Date(wall).toISOString().slice(0, 19)}${fraction}-${two(offsetHours)}:00`;
}

export function clockWire(state: ExchangeState): Record<string, unknown> {
  const { hours, isOpen, nowMs } = state.view.moment();
  const next = state.sessions.hours(state.sessions.next(hours.date));
  return {
    timestamp: newYorkText(nowMs),
    is_open: isOpen,
    next_open: newYorkText(next.opensAtMs),
    next_close: newYorkText(isOpen ? hours.closesAtMs : next.closesAtMs),
  };
}

/** A date of the query, or the one of an instant, as clients send it too. Throws a Refusal. */
export function dateParameter(query: URLSearchParams, name: string, fallback: SessionDate): SessionDate {
  const value = query.get(name);
  if (value === null || value === "") return fallback;
  const date = dayOf(value);
  if (date === null) throw badRequest(`invalid ${name}: ${value}`);
  return date;
}

/** Trading days settle one session later since 28 May 2024, two before. */
export function settlementDate(state: ExchangeState, date: string): string {
  const next = state.sessions.next(date);
  return date >= "2024-05-28" ? next : state.sessions.next(next);
}

const rowsBetween = sessionRows((state, date) => {
  const isEarly = isEarlyClose(date);
  return {
    date,
    open: "09:30",
    close: isEarly ? "13:00" : "16:00",
    session_open: "0400",
    session_close: isEarly ? "1700" : "2000",
    settlement_date: settlementDate(state, date),
  };
});

function calendar({ state, query }: Call): Reply {
  const start = dateParameter(query, "start", FIRST_DAY);
  const end = dateParameter(query, "end", LAST_DAY);
  const dateType = query.get("date_type") ?? "TRADING";
  if (dateType !== "TRADING" && dateType !== "SETTLEMENT") throw badRequest(`invalid date_type: ${dateType}`);
  if (end > addDays(start, DAYS_MAX)) throw badRequest("invalid end: the range is too long");
  if (dateType === "TRADING") return ok(rowsBetween(state, start, end));
  // A trade settles within a week.
  const rows = rowsBetween(state, addDays(start, -7), end);
  return ok(rows.filter((row) => row.settlement_date >= start && row.settlement_date <= end));
}

export const clockRoutes: Route[] = [
  shared("/v2/clock", ({ state }) => ok(clockWire(state))),
  shared("/v2/calendar", calendar),
];
