import { newYorkInstant } from "../../domain/time.ts";
import type { ExchangeState } from "../book/state.ts";
import type { DayBar, MinutePath } from "../market/minute-path.ts";
import { type Adjustment, adjusted, factorsOf } from "./adjustments.ts";
import { badQuery, firstIndexFrom, isoSeconds, midnightOf, resumedAt } from "./data-query.ts";
import { inOrder, type Rows } from "./pages.ts";

const SHARES_PER_TRADE = 85;

export interface BarRange {
  state: ExchangeState;
  startMs: number;
  endMs: number;
  adjustment: Adjustment;
  isDescending: boolean;
}

export function tradeCount(volume: number): number {
  return Math.max(1, Math.round(volume / SHARES_PER_TRADE));
}

export function averagePrice(bar: DayBar): number {
  return Math.round(((bar.open + bar.high + bar.low + bar.close) / 4) * 10_000) / 10_000;
}

/** Writes a bar as JSON text; by hand, as pages hold ten thousand of them. */
export function barText(t: string, bar: DayBar): string {
  return `{"t":"${t}","o":${bar.open},"h":${bar.high},"l":${bar.low},"c":${bar.close},"v":${bar.volume},"n":${tradeCount(bar.volume)},"vw":${averagePrice(bar)}}`;
}

/** Adds a later bar to an earlier one. */
function joined(bar: DayBar | null, next: DayBar): DayBar {
  if (bar === null) return next;
  return {
    open: bar.open,
    high: Math.max(bar.high, next.high),
    low: Math.min(bar.low, next.low),
    close: next.close,
    volume: bar.volume + next.volume,
  };
}

/** Daily bars; a position is a session's index. */
function dailyRows({ state, startMs, endMs, adjustment, isDescending }: BarRange): Rows {
  const first = firstIndexFrom(state, startMs);
  const last = Math.min(state.view.moment().index, firstIndexFrom(state, endMs + 1) - 1);
  return function* rows(symbol, resume) {
    const factors = factorsOf(state, symbol, adjustment);
    const { from, to, step } = inOrder(first, last, isDescending);
    for (let i = resume === null ? from : resumedAt(state, resume); step > 0 ? i <= to : i >= to; i += step) {
      const bar = state.view.day(symbol, i);
      if (bar === undefined) continue;
      const midnight = midnightOf(state, i);
      yield [i, barText(midnight.text, adjusted(bar, factors(state.market.sessions[i] as string)))];
    }
  };
}

/** The Monday of a date's week, or the first day of its group of months. */
function periodStart(date: string, unit: "Week" | "Month", count: number): string {
  const day = new Date(`${date}T00:00:00Z`);
  if (unit === "Week") day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  else day.setUTCMonth(day.getUTCMonth() - (day.getUTCMonth() % count), 1);
  return day.toISOString().slice(0, 10);
}

/** Weeks and months, from their days; a position is the index of the period's first session. */
function periodRows(
  { state, startMs, endMs, adjustment, isDescending }: BarRange,
  unit: "Week" | "Month",
  count: number,
): Rows {
  const { index: today } = state.view.moment();
  const periods: { date: string; ms: number; first: number; last: number }[] = [];
  for (let i = 0; i <= today; i += 1) {
    const date = periodStart(state.market.sessions[i] as string, unit, count);
    const open = periods.at(-1);
    if (open !== undefined && open.date === date) open.last = i;
    else periods.push({ date, ms: Date.parse(newYorkInstant(date, 0, 0)), first: i, last: i });
  }
  const wanted = periods.filter(({ ms }) => ms >= startMs && ms <= endMs);
  if (isDescending) wanted.reverse();
  return function* rows(symbol, resume) {
    const factors = factorsOf(state, symbol, adjustment);
    for (const { ms, first, last } of wanted) {
      if (resume !== null && (isDescending ? first > resume : first < resume)) continue;
      let bar: DayBar | null = null;
      for (let i = first; i <= last; i += 1) {
        const day = state.view.day(symbol, i);
        if (day !== undefined) bar = joined(bar, adjusted(day, factors(state.market.sessions[i] as string)));
      }
      if (bar !== null) yield [first, barText(isoSeconds(ms), bar)];
    }
  };
}

export function minuteBarOf(path: MinutePath, m: number): DayBar {
  return {
    open: path.open[m] as number,
    high: path.high[m] as number,
    low: path.low[m] as number,
    close: path.close[m] as number,
    volume: path.volume[m] as number,
  };
}

/** True for a minute in which nothing was traded: there is no bar of it. */
export function isSilent(path: MinutePath, m: number): boolean {
  return path.volume[m] === 0 && path.high[m] === path.low[m];
}

/** Minutes between New York's midnight and the opening bell. */
const OPENING_MINUTE = 570;

/**
 * Bars of some minutes, counted from New York's midnight, so that hours begin at full hours; a position is the
 * session's index times 10000 plus the bar's first minute of the day.
 */
function minuteRows({ state, startMs, endMs, adjustment, isDescending }: BarRange, minutes: number): Rows {
  const { index: today, minutesDone } = state.view.moment();
  // A session's midnight may lie before the start while its minutes do not.
  const first = Math.max(0, firstIndexFrom(state, startMs) - 1);
  const last = Math.min(today, firstIndexFrom(state, endMs + 1) - 1);
  return function* rows(symbol, resume) {
    const factors = factorsOf(state, symbol, adjustment);
    const { from, to, step } = inOrder(first, last, isDescending);
    const begin = resume === null ? from : resumedAt(state, Math.floor(resume / 10_000));
    for (let i = begin; step > 0 ? i <= to : i >= to; i += step) {
      const date = state.market.sessions[i] as string;
      const { opensAtMs, closesAtMs } = state.sessions.hours(date);
      if (closesAtMs < startMs) continue;
      const path = state.view.path(symbol, i);
      if (path === undefined) continue;
      const factor = factors(date);
      const visible = i === today ? minutesDone : path.minutes;
      const bucket = (minute: number) => Math.floor((OPENING_MINUTE + minute) / minutes) * minutes;
      const starts: number[] = [];
      for (let at = bucket(0); at < OPENING_MINUTE + visible; at += minutes) starts.push(at);
      if (isDescending) starts.reverse();
      for (const start of starts) {
        const position = i * 10_000 + start;
        if (resume !== null && (isDescending ? position > resume : position < resume)) continue;
        const at = opensAtMs + (start - OPENING_MINUTE) * 60_000;
        if (at < startMs || at > endMs) continue;
        let bar: DayBar | null = null;
        const end = Math.min(visible, start + minutes - OPENING_MINUTE);
        for (let m = Math.max(0, start - OPENING_MINUTE); m < end; m += 1)
          if (!isSilent(path, m)) bar = joined(bar, minuteBarOf(path, m));
        if (bar !== null) yield [position, barText(isoSeconds(at), adjusted(bar, factor))];
      }
    }
  };
}

const MONTHS = new Set([1, 2, 3, 4, 6, 12]);

/** `[1-59]Min`, `[1-23]Hour`, `1Day`, `1Week`, `[1,2,3,4,6,12]Month`, or their initials with T for minutes. */
export function rowsFor(timeframe: string, range: BarRange): Rows {
  const match = /^(\d{1,2})(Min|T|Hour|H|Day|D|Week|W|Month|M)$/.exec(timeframe);
  const count = Number(match?.[1] ?? 0);
  const unit = match?.[2] ?? "";
  if (unit === "Min" || unit === "T") {
    if (count >= 1 && count <= 59) return minuteRows(range, count);
  } else if (unit.startsWith("H")) {
    if (count >= 1 && count <= 23) return minuteRows(range, count * 60);
  } else if (unit.startsWith("M")) {
    if (MONTHS.has(count)) return periodRows(range, "Month", count);
  } else if (count === 1) {
    return unit.startsWith("W") ? periodRows(range, "Week", 1) : dailyRows(range);
  }
  throw badQuery(`invalid timeframe: ${timeframe}`);
}
