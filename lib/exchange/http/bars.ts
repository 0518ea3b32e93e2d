import type { Desk } from "../book/desk.ts";
import type { Split } from "../market/source.ts";
import type { DayBar } from "../market/minute-path.ts";
import { badQuery, boundMs, isoSeconds, limitOf, midnightOf, readToken, symbolsOf, tokenOf } from "./data-query.ts";
import { type Call, data, type Reply, type Route } from "./router.ts";

const LIMIT_DEFAULT = 1_000;
const LIMIT_MAX = 10_000;
const SHARES_PER_TRADE = 85;

interface Range {
  desk: Desk;
  startMs: number;
  endMs: number;
  isSplitAdjusted: boolean;
  isDescending: boolean;
}

/** Writes a bar as JSON text; by hand, as pages hold ten thousand of them. */
export function barText(t: string, bar: DayBar): string {
  const vw = Math.round(((bar.open + bar.high + bar.low + bar.close) / 4) * 10_000) / 10_000;
  const n = Math.max(1, Math.round(bar.volume / SHARES_PER_TRADE));
  return `{"t":"${t}","o":${bar.open},"h":${bar.high},"l":${bar.low},"c":${bar.close},"v":${bar.volume},"n":${n},"vw":${vw}}`;
}

const splitsBySymbol = new WeakMap<readonly Split[], { seen: number; by: Map<string, Split[]> }>();

function splitsOf(desk: Desk, symbol: string): Split[] {
  const all = desk.market.splits;
  let index = splitsBySymbol.get(all);
  if (index === undefined || index.seen !== all.length) {
    const by = new Map<string, Split[]>();
    for (const split of all) by.set(split.symbol, [...(by.get(split.symbol) ?? []), split]);
    splitsBySymbol.set(all, (index = { seen: all.length, by }));
  }
  return index.by.get(symbol) ?? [];
}

/** What a bar of the date is divided by: the splits that came after it and have happened by now. */
function splitFactor(splits: Split[], date: string, today: string): number {
  let factor = 1;
  for (const split of splits) if (split.date > date && split.date <= today) factor *= Number(split.ratio);
  return factor;
}

function adjusted(bar: DayBar, factor: number): DayBar {
  if (factor === 1) return bar;
  const price = (p: number) => Math.round((p / factor) * 10_000) / 10_000;
  return {
    open: price(bar.open),
    high: price(bar.high),
    low: price(bar.low),
    close: price(bar.close),
    volume: Math.round(bar.volume * factor),
  };
}

/** The first session whose midnight is not before the instant. */
function firstIndexFrom(desk: Desk, ms: number): number {
  let low = 0;
  let high = desk.market.sessions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (midnightOf(desk, middle).ms < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Rows = (symbol: string, from: number | null) => Iterable<[position: number, text: string]>;

function inOrder(first: number, last: number, isDescending: boolean): { from: number; to: number; step: number } {
  return isDescending ? { from: last, to: first, step: -1 } : { from: first, to: last, step: 1 };
}

/** Daily bars; a position is a session's index. */
function dailyRows(range: Range): Rows {
  const { desk } = range;
  const { index: today, hours } = desk.view.moment();
  const first = firstIndexFrom(desk, range.startMs);
  const last = Math.min(today, firstIndexFrom(desk, range.endMs + 1) - 1);
  return function* rows(symbol, resume) {
    const splits = range.isSplitAdjusted ? splitsOf(desk, symbol) : [];
    const { from, to, step } = inOrder(first, last, range.isDescending);
    for (let i = resume ?? from; step > 0 ? i <= to : i >= to; i += step) {
      const bar = desk.view.day(symbol, i);
      if (bar === undefined) continue;
      const factor = splits.length === 0 ? 1 : splitFactor(splits, desk.market.sessions[i] as string, hours.date);
      yield [i, barText(midnightOf(desk, i).text, adjusted(bar, factor))];
    }
  };
}

/** Bars of some minutes; a position is the session's index times 1000 plus the first minute. */
function minuteRows(range: Range, minutes: number): Rows {
  const { desk } = range;
  const { index: today, minutesDone, hours: todayHours } = desk.view.moment();
  // A session's midnight may lie before the start while its minutes do not.
  const first = Math.max(0, firstIndexFrom(desk, range.startMs) - 1);
  const last = Math.min(today, firstIndexFrom(desk, range.endMs + 1) - 1);
  return function* rows(symbol, resume) {
    const splits = range.isSplitAdjusted ? splitsOf(desk, symbol) : [];
    const { from, to, step } = inOrder(first, last, range.isDescending);
    for (let i = resume === null ? from : Math.floor(resume / 1000); step > 0 ? i <= to : i >= to; i += step) {
      const path = desk.view.path(symbol, i);
      if (path === undefined) continue;
      const date = desk.market.sessions[i] as string;
      const opensAtMs = desk.sessions.hours(date).opensAtMs;
      const factor = splitFactor(splits, date, todayHours.date);
      const visible = i === today ? minutesDone : path.minutes;
      const starts = Array.from({ length: Math.ceil(visible / minutes) }, (_, k) => k * minutes);
      if (range.isDescending) starts.reverse();
      for (const minute of starts) {
        const position = i * 1000 + minute;
        if (resume !== null && (range.isDescending ? position > resume : position < resume)) continue;
        const at = opensAtMs + minute * 60_000;
        if (at < range.startMs || at > range.endMs) continue;
        const end = Math.min(visible, minute + minutes);
        const bar: DayBar = {
          open: path.open[minute] as number,
          high: 0,
          low: Infinity,
          close: path.close[end - 1] as number,
          volume: 0,
        };
        for (let m = minute; m < end; m += 1) {
          bar.high = Math.max(bar.high, path.high[m] as number);
          bar.low = Math.min(bar.low, path.low[m] as number);
          bar.volume += path.volume[m] as number;
        }
        yield [position, barText(isoSeconds(at), adjusted(bar, factor))];
      }
    }
  };
}

function rowsFor(timeframe: string, range: Range): Rows {
  const match = /^(\d{1,2})(Min|T|Hour|H|Day|D)$/.exec(timeframe);
  const count = Number(match?.[1] ?? 0);
  if (match === null || count < 1) throw badQuery(`invalid timeframe: ${timeframe}`);
  const unit = match[2] as string;
  if (unit === "Day" || unit === "D") {
    if (count !== 1) throw badQuery(`invalid timeframe: ${timeframe}`);
    return dailyRows(range);
  }
  if (count > (unit.startsWith("H") ? 23 : 59)) throw badQuery(`invalid timeframe: ${timeframe}`);
  return minuteRows(range, unit.startsWith("H") ? count * 60 : count);
}

interface Page {
  /** Symbol and its bars as JSON text, in wire order. */
  bars: { symbol: string; rows: string[] }[];
  next: string | null;
}

/** One page: sorted by symbol, then by time; the limit counts rows of all symbols together. */
function pageOf(call: Call, symbols: string[]): Page {
  const { desk, query } = call;
  const { nowMs, hours } = desk.view.moment();
  const adjustment = query.get("adjustment") ?? "raw";
  const range: Range = {
    desk,
    startMs: boundMs(query, "start") ?? midnightOf(desk, desk.market.sessionIndex(hours.date) ?? 0).ms,
    endMs: Math.min(nowMs, boundMs(query, "end") ?? nowMs),
    isSplitAdjusted: /split|all/.test(adjustment),
    isDescending: query.get("sort") === "desc",
  };
  const rows = rowsFor(query.get("timeframe") ?? "", range);
  const limit = limitOf(query, LIMIT_DEFAULT, LIMIT_MAX);
  const [tokenSymbol, tokenPosition] = readToken(query)?.split("|") ?? [];
  const page: Page = { bars: [], next: null };
  let left = limit;
  for (const symbol of [...symbols].sort()) {
    if (tokenSymbol !== undefined && symbol < tokenSymbol) continue;
    if (desk.market.series(symbol) === undefined) continue;
    const list: string[] = [];
    for (const [position, text] of rows(symbol, symbol === tokenSymbol ? Number(tokenPosition) : null)) {
      if (left === 0) {
        page.next = tokenOf(`${symbol}|${position}`);
        break;
      }
      list.push(text);
      left -= 1;
    }
    if (list.length > 0) page.bars.push({ symbol, rows: list });
    if (page.next !== null) break;
  }
  return page;
}

const asJson = (body: string): Reply => ({ status: 200, body, contentType: "application/json; charset=utf-8" });

function manyBars(call: Call): Reply {
  const page = pageOf(call, symbolsOf(call.query));
  const bars = page.bars.map(({ symbol, rows }) => `${JSON.stringify(symbol)}:[${rows.join(",")}]`);
  return asJson(`{"bars":{${bars.join(",")}},"next_page_token":${JSON.stringify(page.next)}}`);
}

function oneSymbolBars(call: Call): Reply {
  const symbol = call.params[0] ?? "";
  const page = pageOf(call, [symbol]);
  const rows = page.bars[0]?.rows.join(",") ?? "";
  return asJson(`{"symbol":${JSON.stringify(symbol)},"bars":[${rows}],"next_page_token":${JSON.stringify(page.next)}}`);
}

export const barRoutes: Route[] = [data("/v2/stocks/bars", manyBars), data("/v2/stocks/{symbol}/bars", oneSymbolBars)];
