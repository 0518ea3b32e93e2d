import { newYork, type SessionDate } from "../../domain/time.ts";
import { minutePath, type DayBar, type MinutePath } from "./minute-path.ts";
import { seedOf } from "./seeded.ts";
import type { Hours, Sessions } from "./sessions.ts";
import type { Halt, Market, Split } from "./source.ts";

const CACHED_PATHS = 2_000;

/** The session that market time stands in or has last begun, and how many of its minutes are over. */
export interface Moment {
  nowMs: number;
  hours: Hours;
  /** Index of the session in the market, -1 when the market has no such session. */
  index: number;
  minutesDone: number;
  isOpen: boolean;
}

export interface Quote {
  bid: number;
  ask: number;
  bidSize: number;
  askSize: number;
}

/** What can be seen of the market at its own time: never a minute that is not over. */
export interface MarketView {
  moment(): Moment;
  /** The last price, undefined for a symbol that has never traded so far. */
  last(symbol: string): number | undefined;
  /** The last close before the moment's session, in its shares. */
  previousClose(symbol: string): number | undefined;
  /** The last close before a session, adjusted for the splits since, that session's included. */
  closeBefore(symbol: string, index: number): number | undefined;
  quote(symbol: string): Quote | undefined;
  /** The visible part of a session as one bar, undefined when nothing of it is visible or the symbol did not trade. */
  day(symbol: string, index: number): DayBar | undefined;
  path(symbol: string, index: number): MinutePath | undefined;
  /** The halt in which a minute of the moment's session lies, or the running minute. */
  halt(symbol: string, minute?: number): Halt | undefined;
  /** Whether the symbol trades in the moment's session. */
  trades(symbol: string): boolean;
}

/** Half the distance between bid and ask: half a cent, or 1.5 basis points for dear shares. */
export function halfSpread(price: number): number {
  if (price < 1) return 0.00005;
  return Math.max(0.005, price * 0.00015);
}

export function askOf(mid: number): number {
  const scale = mid < 1 ? 10_000 : 100;
  return Math.ceil((mid + halfSpread(mid)) * scale - 1e-6) / scale;
}

export function bidOf(mid: number): number {
  const scale = mid < 1 ? 10_000 : 100;
  return Math.max(1, Math.floor((mid - halfSpread(mid)) * scale + 1e-6)) / scale;
}

type PathOf = (symbol: string, index: number) => MinutePath | undefined;
type OnDate<T> = (symbol: string, date: SessionDate) => T | undefined;

/** The rows of a list that may grow, by symbol and date. */
function createLookup<T extends { symbol: string; date: SessionDate }>(rows: readonly T[]): OnDate<T> {
  const found = new Map<string, T>();
  let seen = 0;
  return (symbol, date) => {
    for (; seen < rows.length; seen += 1) {
      const row = rows[seen];
      if (row !== undefined) found.set(`${row.date} ${row.symbol}`, row);
    }
    return found.get(`${date} ${symbol}`);
  };
}

function createMoments(market: Market, sessions: Sessions, nowMs: () => number): () => Moment {
  let current: { hours: Hours; index: number; until: number } | null = null;

  /** The session that has begun last, looked up again only when market time passes the next opening. */
  function sessionAt(now: number) {
    if (current !== null && now >= current.hours.opensAtMs && now < current.until) return current;
    const today = newYork(now).date;
    let date = today;
    if (!sessions.isSession(today) || sessions.hours(today).opensAtMs > now) date = sessions.previous(today);
    market.extendTo(date);
    const hours = sessions.hours(date);
    const until = sessions.hours(sessions.next(date)).opensAtMs;
    current = { hours, index: market.sessionIndex(date) ?? -1, until };
    return current;
  }

  return () => {
    const now = nowMs();
    const { hours, index } = sessionAt(now);
    const minutesDone = Math.max(0, Math.min(hours.minutes, Math.floor((now - hours.opensAtMs) / 60_000)));
    return { nowMs: now, hours, index, minutesDone, isOpen: now >= hours.opensAtMs && now < hours.closesAtMs };
  };
}

function fullDay(market: Market, symbol: string, index: number): DayBar | undefined {
  const series = market.series(symbol);
  const open = series?.open[index];
  if (series === undefined || open === undefined || Number.isNaN(open)) return undefined;
  return {
    open,
    high: series.high[index] as number,
    low: series.low[index] as number,
    close: series.close[index] as number,
    volume: series.volume[index] as number,
  };
}

/** The first minutes of a session as one bar. */
function partialDay(path: MinutePath, minutes: number): DayBar {
  const bar = { open: path.open[0] as number, high: 0, low: Infinity, close: 0, volume: 0 };
  for (let i = 0; i < minutes; i += 1) {
    bar.high = Math.max(bar.high, path.high[i] as number);
    bar.low = Math.min(bar.low, path.low[i] as number);
    bar.volume += path.volume[i] as number;
  }
  bar.close = path.close[minutes - 1] as number;
  return bar;
}

/** The minute paths of the market; those asked for last are kept. */
function createPaths(market: Market, sessions: Sessions, haltOn: OnDate<Halt>): PathOf {
  const paths = new Map<string, MinutePath>();
  return (symbol, index) => {
    const key = `${symbol} ${index}`;
    const known = paths.get(key);
    if (known !== undefined) {
      paths.delete(key);
      paths.set(key, known);
      return known;
    }
    const day = fullDay(market, symbol, index);
    const date = market.sessions[index];
    if (day === undefined || date === undefined) return undefined;
    const made = minutePath(market.seed, symbol, date, day, sessions.hours(date).minutes, haltOn(symbol, date));
    paths.set(key, made);
    if (paths.size > CACHED_PATHS) paths.delete(paths.keys().next().value as string);
    return made;
  };
}

function closeBefore(market: Market, splitOn: OnDate<Split>, symbol: string, index: number): number | undefined {
  const closes = market.series(symbol)?.close;
  if (closes === undefined) return undefined;
  let ratio = 1;
  for (let i = index - 1; i >= 0; i -= 1) {
    ratio *= Number(splitOn(symbol, market.sessions[i + 1] as SessionDate)?.ratio ?? 1);
    const close = closes[i];
    if (close !== undefined && !Number.isNaN(close)) return close / ratio;
  }
  return undefined;
}

export function createView(market: Market, sessions: Sessions, nowMs: () => number): MarketView {
  const moment = createMoments(market, sessions, nowMs);
  const splitOn = createLookup(market.splits);
  const haltOn = createLookup(market.halts);
  const path = createPaths(market, sessions, haltOn);

  const closesBefore = (symbol: string, index: number) => closeBefore(market, splitOn, symbol, index);
  const previousClose = (symbol: string) => closesBefore(symbol, moment().index);

  function last(symbol: string): number | undefined {
    const { index, minutesDone, hours } = moment();
    if (minutesDone >= hours.minutes) {
      const close = market.series(symbol)?.close[index];
      if (close !== undefined && !Number.isNaN(close)) return close;
      return previousClose(symbol);
    }
    const today = path(symbol, index);
    if (today === undefined) return previousClose(symbol);
    return minutesDone === 0 ? today.open[0] : today.close[minutesDone - 1];
  }

  return {
    moment,
    last,
    previousClose,
    closeBefore: closesBefore,
    path,
    quote(symbol) {
      const mid = last(symbol);
      if (mid === undefined) return undefined;
      const { index, minutesDone } = moment();
      const size = (side: string) => 100 * (1 + (seedOf(market.seed, symbol, index, minutesDone, side) % 12));
      return { bid: bidOf(mid), ask: askOf(mid), bidSize: size("b"), askSize: size("a") };
    },
    day(symbol, index) {
      const at = moment();
      if (index < at.index) return fullDay(market, symbol, index);
      if (index > at.index || at.minutesDone === 0) return undefined;
      if (at.minutesDone >= at.hours.minutes) return fullDay(market, symbol, index);
      const today = path(symbol, index);
      return today === undefined ? undefined : partialDay(today, at.minutesDone);
    },
    halt(symbol, asked) {
      const { hours, minutesDone, isOpen } = moment();
      const halt = haltOn(symbol, hours.date);
      const minute = asked ?? (isOpen ? minutesDone : undefined);
      if (halt === undefined || minute === undefined) return undefined;
      const isOn = minute >= halt.fromMinute && minute < halt.fromMinute + halt.minutes;
      return isOn ? halt : undefined;
    },
    trades(symbol) {
      const { index } = moment();
      const open = market.series(symbol)?.open[index];
      return open !== undefined && !Number.isNaN(open);
    },
  };
}
