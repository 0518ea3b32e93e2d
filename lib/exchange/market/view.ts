import { newYork, type SessionDate } from "../../domain/time.ts";
import { minutePath, type DayBar, type MinutePath } from "./minute-path.ts";
import { seedOf } from "./seeded.ts";
import type { Hours, Sessions } from "./sessions.ts";
import type { Halt, Market } from "./source.ts";

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
  /** The close before the moment's session, adjusted for that morning's split. */
  previousClose(symbol: string): number | undefined;
  quote(symbol: string): Quote | undefined;
  /** The visible part of a session as one bar, undefined when nothing of it is visible or the symbol did not trade. */
  day(symbol: string, index: number): DayBar | undefined;
  path(symbol: string, index: number): MinutePath | undefined;
  /** The halt in which the symbol's trading stands at the moment. */
  halt(symbol: string): Halt | undefined;
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

export function createView(market: Market, sessions: Sessions, nowMs: () => number): MarketView {
  const paths = new Map<string, MinutePath>();
  const splitRatio = new Map(market.splits.map((split) => [`${split.date} ${split.symbol}`, Number(split.ratio)]));
  let splitsSeen = market.splits.length;
  const haltBy = new Map<string, Halt>();
  let haltsSeen = 0;
  let current: { date: SessionDate; hours: Hours; index: number; until: number } | null = null;

  /** The date of the session that has begun last, looked up again only when market time passes the next opening. */
  function sessionAt(now: number) {
    if (current !== null && now >= current.hours.opensAtMs && now < current.until) return current;
    const today = newYork(now).date;
    let date = today;
    if (!sessions.isSession(today) || sessions.hours(today).opensAtMs > now) date = sessions.previous(today);
    market.extendTo(date);
    const hours = sessions.hours(date);
    const until = sessions.hours(sessions.next(date)).opensAtMs;
    current = { date, hours, index: market.sessionIndex(date) ?? -1, until };
    return current;
  }

  function moment(): Moment {
    const now = nowMs();
    const { hours, index } = sessionAt(now);
    const minutesDone = Math.max(0, Math.min(hours.minutes, Math.floor((now - hours.opensAtMs) / 60_000)));
    return { nowMs: now, hours, index, minutesDone, isOpen: now >= hours.opensAtMs && now < hours.closesAtMs };
  }

  function fullDay(symbol: string, index: number): DayBar | undefined {
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

  function haltOn(symbol: string, date: SessionDate): Halt | undefined {
    for (; haltsSeen < market.halts.length; haltsSeen += 1) {
      const halt = market.halts[haltsSeen];
      if (halt !== undefined) haltBy.set(`${halt.date} ${halt.symbol}`, halt);
    }
    return haltBy.get(`${date} ${symbol}`);
  }

  function path(symbol: string, index: number): MinutePath | undefined {
    const key = `${symbol} ${index}`;
    const known = paths.get(key);
    if (known !== undefined) {
      paths.delete(key);
      paths.set(key, known);
      return known;
    }
    const day = fullDay(symbol, index);
    const date = market.sessions[index];
    if (day === undefined || date === undefined) return undefined;
    const made = minutePath(market.seed, symbol, date, day, sessions.hours(date).minutes, haltOn(symbol, date));
    paths.set(key, made);
    if (paths.size > CACHED_PATHS) paths.delete(paths.keys().next().value as string);
    return made;
  }

  function closeBefore(symbol: string, index: number): number | undefined {
    const closes = market.series(symbol)?.close;
    if (closes === undefined) return undefined;
    for (let i = index - 1; i >= 0; i -= 1) {
      const close = closes[i];
      if (close !== undefined && !Number.isNaN(close)) return close;
    }
    return undefined;
  }

  function splitOn(symbol: string, date: SessionDate): number {
    for (; splitsSeen < market.splits.length; splitsSeen += 1) {
      const split = market.splits[splitsSeen];
      if (split !== undefined) splitRatio.set(`${split.date} ${split.symbol}`, Number(split.ratio));
    }
    return splitRatio.get(`${date} ${symbol}`) ?? 1;
  }

  function previousClose(symbol: string): number | undefined {
    const { hours, index } = moment();
    const close = closeBefore(symbol, index);
    return close === undefined ? undefined : close / splitOn(symbol, hours.date);
  }

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
      if (index < at.index) return fullDay(symbol, index);
      if (index > at.index || at.minutesDone === 0) return undefined;
      if (at.minutesDone >= at.hours.minutes) return fullDay(symbol, index);
      const today = path(symbol, index);
      if (today === undefined) return undefined;
      const bar = { open: today.open[0] as number, high: 0, low: Infinity, close: 0, volume: 0 };
      for (let i = 0; i < at.minutesDone; i += 1) {
        bar.high = Math.max(bar.high, today.high[i] as number);
        bar.low = Math.min(bar.low, today.low[i] as number);
        bar.volume += today.volume[i] as number;
      }
      bar.close = today.close[at.minutesDone - 1] as number;
      return bar;
    },
    halt(symbol) {
      const { hours, minutesDone, isOpen } = moment();
      const halt = haltOn(symbol, hours.date);
      if (halt === undefined || !isOpen) return undefined;
      const isOn = minutesDone >= halt.fromMinute && minutesDone < halt.fromMinute + halt.minutes;
      return isOn ? halt : undefined;
    },
    trades(symbol) {
      const { index } = moment();
      const open = market.series(symbol)?.open[index];
      return open !== undefined && !Number.isNaN(open);
    },
  };
}
