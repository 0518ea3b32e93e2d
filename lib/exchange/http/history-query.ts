import { addDays, DAY_MS, monthsBefore, newYork, newYorkInstant, type SessionDate } from "../../domain/time.ts";
import type { ExchangeState } from "../book/state.ts";
import { phasesOf } from "../book/phase.ts";
import { invalid, unprocessable } from "../book/refusal.ts";
import { dateOf, dayOf, instantOf as timeOf } from "./dates.ts";
import { flagOf } from "./flag.ts";

/** Minutes of each step; null is a day. */
const STEPS: Record<string, number | null> = { "1Min": 1, "5Min": 5, "15Min": 15, "1H": 60, "1D": null };
const REPORTINGS = ["market_hours", "extended_hours", "continuous"] as const;
const INTRADAY_DAYS_MAX = 30;

export interface HistoryQuery {
  timeframe: string;
  stepMinutes: number | null;
  /** First and last day, both included, and the last instant. */
  from: SessionDate;
  until: SessionDate;
  untilMs: number;
  /** The start within the first day; time that goes round the clock begins with the window it lies in. */
  fromMs: number;
  reporting: (typeof REPORTINGS)[number];
  resetsDaily: boolean;
  /** Types of activities whose money is included; null is all of them. */
  cashflowTypes: string[] | null;
}

function textOf(query: URLSearchParams, name: string): string | null {
  const value = query.get(name);
  return value === "" ? null : value;
}

function instantOf(query: URLSearchParams, name: string): number | null {
  const value = textOf(query, name);
  if (value === null) return null;
  const date = dateOf(value);
  const ms = date === null ? timeOf(value) : Date.parse(newYorkInstant(date, 0, 0));
  if (ms === null) throw invalid(`invalid ${name}`);
  return ms;
}

/** The first day of a period that ends on a day: days are sessions, the others go by the calendar. */
function periodStart(state: ExchangeState, period: string, until: SessionDate): SessionDate {
  const match = /^([1-9]\d{0,3})([DWMAY])$/.exec(period);
  if (match === null) throw invalid(`invalid period: ${period}`);
  const count = Number(match[1]);
  if (match[2] === "W") return addDays(until, 1 - 7 * count);
  if (match[2] === "M") return monthsBefore(until, count);
  if (match[2] !== "D") return monthsBefore(until, 12 * count);
  let date = state.sessions.isSession(until) ? until : state.sessions.previous(until);
  for (let i = 1; i < count; i += 1) date = state.sessions.previous(date);
  return date;
}

/** A period of days is as long as it says, though its sessions lie over more days of the calendar; both ends of any other range count. */
function timeframeOf(query: URLSearchParams, days: number, period: string | null): string {
  const isInDays = period?.endsWith("D") === true;
  const length = isInDays ? Number.parseInt(period, 10) : days;
  const timeframe = textOf(query, "timeframe") ?? (length < 7 ? "1Min" : length < 30 ? "15Min" : "1D");
  if (!Object.hasOwn(STEPS, timeframe)) throw invalid(`invalid timeframe: ${timeframe}`);
  if (timeframe !== "1D" && length > INTRADAY_DAYS_MAX + (isInDays ? 0 : 1))
    throw unprocessable(`timeframes shorter than 1D are limited to ${INTRADAY_DAYS_MAX} days`);
  return timeframe;
}

/** The end of the range; clients of the broker's former versions name its last day. */
function endOf(query: URLSearchParams): number | null {
  const end = instantOf(query, "end");
  const last = textOf(query, "date_end");
  if (end !== null || last === null) return end;
  const date = dayOf(last);
  if (date === null) throw invalid("invalid date_end");
  return Date.parse(newYorkInstant(addDays(date, 1), 0, 0)) - 1;
}

/** Steps within a day begin with a whole session: that of the start's day, or the next one where the start lies after its end. */
function firstDay(state: ExchangeState, startMs: number, reporting: HistoryQuery["reporting"]): SessionDate {
  const { date } = newYork(startMs);
  if (reporting === "continuous" || !state.sessions.isSession(date)) return date;
  const { closesAtMs, postEndMs } = phasesOf(state.sessions, date);
  return startMs > (reporting === "market_hours" ? closesAtMs : postEndMs) ? state.sessions.next(date) : date;
}

/** The day of a range that ends now: the last one of which there is something to tell. Hours of trading end with the last session. */
function lastDay(state: ExchangeState, reporting: HistoryQuery["reporting"]): SessionDate {
  const { nowMs, hours } = state.view.moment();
  const today = newYork(nowMs).date;
  if (reporting === "continuous") return today;
  const isMorning = reporting === "extended_hours" && state.sessions.isSession(today);
  return isMorning && nowMs >= phasesOf(state.sessions, today).preStartMs ? today : hours.date;
}

function reportingOf(query: URLSearchParams): HistoryQuery["reporting"] {
  const asked = REPORTINGS.find((name) => name === (textOf(query, "intraday_reporting") ?? "market_hours"));
  if (asked === undefined) throw invalid("invalid intraday_reporting");
  return flagOf(query, "extended_hours") ? "extended_hours" : asked;
}

/** Reads the parameters of the portfolio history. Throws a Refusal. */
export function readHistoryQuery(state: ExchangeState, query: URLSearchParams): HistoryQuery {
  const { nowMs } = state.view.moment();
  const reporting = reportingOf(query);
  const period = textOf(query, "period");
  const start = instantOf(query, "start");
  const end = endOf(query);
  if (period !== null && start !== null && end !== null)
    throw unprocessable("only two of start, end and period can be specified");
  let untilMs = Math.min(nowMs, end ?? nowMs);
  let until = end === null || end >= nowMs ? lastDay(state, reporting) : newYork(end).date;
  if (start !== null && period !== null) {
    // The period counts from the start.
    const days = periodDays(state, period, newYork(start).date);
    const last = addDays(newYork(start).date, days);
    if (last < until) [until, untilMs] = [last, Date.parse(newYorkInstant(addDays(last, 1), 0, 0)) - 1];
  }
  const from = start === null ? periodStart(state, period ?? "1M", until) : newYork(start).date;
  const days = Math.round((Date.parse(until) - Date.parse(from)) / DAY_MS) + 1;
  const timeframe = timeframeOf(query, days, period);
  const stepMinutes = STEPS[timeframe] ?? null;
  const reset = textOf(query, "pnl_reset") ?? "per_day";
  if (reset !== "per_day" && reset !== "no_reset") throw invalid(`invalid pnl_reset: ${reset}`);
  const types = textOf(query, "cashflow_types") ?? "NONE";
  return {
    timeframe,
    stepMinutes,
    from: start === null || stepMinutes === null ? from : firstDay(state, start, reporting),
    fromMs: start ?? -Infinity,
    until,
    untilMs,
    reporting,
    resetsDaily: reset === "per_day",
    cashflowTypes: types === "ALL" ? null : types === "NONE" ? [] : types.split(","),
  };
}

/** How many days a period is long when it begins on a day. */
function periodDays(state: ExchangeState, period: string, start: SessionDate): number {
  const far = addDays(start, 4_000);
  const first = periodStart(state, period.endsWith("D") ? "1D" : period, far);
  if (!period.endsWith("D")) return Math.round((Date.parse(far) - Date.parse(first)) / DAY_MS);
  let last = state.sessions.isSession(start) ? start : state.sessions.next(start);
  for (let i = 1; i < Number.parseInt(period, 10); i += 1) last = state.sessions.next(last);
  return Math.round((Date.parse(last) - Date.parse(start)) / DAY_MS);
}
