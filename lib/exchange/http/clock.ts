import { addDays, newYork } from "../../domain/time.ts";
import type { ExchangeState } from "../book/state.ts";
import { invalid } from "../book/refusal.ts";
import { type Call, data, ok, type Reply, type Route } from "./router.ts";

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

function dateOf(value: string | null, fallback: string, name: string): string {
  if (value === null || value === "") return fallback;
  if (!/^\d{4}-\d{2}-\d{2}/.test(value)) throw invalid(`invalid ${name}`);
  return value.slice(0, 10);
}

/** Trading days settle one session later since 28 May 2024, two before. */
export function settlementDate(state: ExchangeState, date: string): string {
  const next = state.sessions.next(date);
  return date >= "2024-05-28" ? next : state.sessions.next(next);
}

function calendar({ state, query }: Call): Reply {
  const start = dateOf(query.get("start"), "2016-01-04", "start");
  const end = dateOf(query.get("end"), "2029-12-31", "end");
  const dateType = query.get("date_type") ?? "TRADING";
  if (dateType !== "TRADING" && dateType !== "SETTLEMENT") throw invalid(`invalid date_type: ${dateType}`);
  const isBySettlement = dateType === "SETTLEMENT";
  const days: Record<string, string>[] = [];
  // A trade settles within a week.
  for (let date = isBySettlement ? addDays(start, -7) : start; date <= end; date = addDays(date, 1)) {
    if (!state.sessions.isSession(date)) continue;
    const settles = settlementDate(state, date);
    if (isBySettlement && (settles < start || settles > end)) continue;
    const early = state.sessions.hours(date).isEarlyClose;
    days.push({
      date,
      open: "09:30",
      close: early ? "13:00" : "16:00",
      session_open: "0400",
      session_close: early ? "1700" : "2000",
      settlement_date: settles,
    });
  }
  return ok(days);
}

export const clockRoutes: Route[] = [
  data("/v2/clock", ({ state }) => ok(clockWire(state))),
  data("/v2/calendar", calendar),
];
