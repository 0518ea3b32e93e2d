import { setTimeout as delay } from "node:timers/promises";
import {
  type HistoryFacts,
  type HistorySymbol,
  INDEX_SYMBOL,
  type MarketHistory,
} from "@/lib/domain/backtest/history.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { MOST_REPORT_DAYS_AHEAD } from "@/lib/domain/look-back.ts";
import { money, text } from "@/lib/domain/money.ts";
import { isStockSymbol } from "@/lib/domain/screening/stock-symbol.ts";
import { addDays, type SessionDate } from "@/lib/domain/time.ts";
import { requireDividends } from "../../providers/silent-actions.ts";
import type { AssetRow, DailyBar, EarningsRow, MarketData, Pace } from "../../providers/market-data.ts";
import type { KnownCompanies } from "./known-companies.ts";
import { createHistoryCheck } from "./check-history.ts";

/** What a live screening reads before its session, too. */
const WARM_UP_DAYS = 600;
const EARNINGS_BACK_DAYS = 14;
/** Few enough that progress is seen. */
const SYMBOLS_PER_CALL = 50;

/** Where the bars of a past come from: raw, ascending; symbols without bars are absent. */
export type HistoryBars = MarketData["dailyBars"];

interface Wanted {
  market: MarketName;
  /** First and last traded session. */
  from: SessionDate;
  to: SessionDate;
  /** Before each request for bars this long is waited, so that screening finds the source's limit unspent. */
  pauseMs: number;
  /** Of the real market, what the companies' own filings say; null for the practice market. */
  companies?: KnownCompanies | null;
  /** Of the real market: a stock that in no session changed hands for this much, USD, is left out. */
  leastTurnover?: number;
  /** The source of the bars, where it is another one than that of live screening. */
  bars?: HistoryBars;
  /** Called after each part with the number of symbols read and the number in all. */
  onRead?: (done: number, total: number) => void;
}

/** A market's past with what is known of a real one; `facts` is null for the practice market. */
export interface ReadHistory {
  history: MarketHistory;
  facts: HistoryFacts | null;
}

/**
 * A market's past up to a session, from the source that live screening reads. An unavailable source is no history: without
 * its reports or its VIX a run would show another strategy; one with faults is refused with a sentence for each.
 */
export async function readHistory(data: MarketData, wanted: Wanted): Promise<ReadHistory> {
  const { market, from, to, companies = null } = wanted;
  const start = addDays(from, -WARM_UP_DAYS);
  const missing = missingReports(data, (companies?.reports ?? []).length > 0);
  if (missing !== null) throw new Failure("unavailable", missing);
  const [calendar, assets, actions, reports, vix] = await Promise.all([
    data.calendar(start, to),
    data.assets(),
    data.corporateActions(start, to, paceOf(wanted)),
    reportsOf(data, wanted, start),
    data.vix(start, to),
  ]);
  requireDividends(actions, { market, from: start, to });
  const listed = listedOf(assets, companies);
  const sessions = calendar.map(({ session }) => session).filter((session) => session <= to);
  const read = await readColumns(data, wanted, { listed, sessions, start });
  read.check.end(vix.length);
  const first = sessions.findIndex((session) => session >= read.first);
  // Live screening sets such a symbol aside: its prices before and after do not fit together.
  const unread = new Set(actions.flatMap(({ symbol, kind }) => (kind === "split without ratio" ? [symbol] : [])));
  const symbols = read.symbols.filter(({ symbol }) => !unread.has(symbol)).map((row) => since(row, first));
  const kept = new Set(symbols.map(({ symbol }) => symbol));
  const known = actions.filter(({ symbol }) => kept.has(symbol));
  const { rows: earnings, isEstimated } = reports;
  const own = earnings.filter(({ symbol }) => kept.has(symbol)).map(({ date, symbol }) => ({ date, symbol }));
  const exact = (value: number) => text(money(value).toDecimalPlaces(9));
  const history: MarketHistory = {
    name: market === "PRACTICE" ? "Practice market" : "US market",
    sessions: sessions.slice(first),
    symbols,
    splits: known
      .filter(({ kind }) => kind === "split")
      .map(({ exDate, symbol, value }) => ({ date: exDate, symbol, ratio: exact(value) })),
    dividends: known
      .filter(({ kind }) => kind === "dividend")
      .map(({ exDate, symbol, value }) => ({ date: exDate, symbol, amount: exact(value) })),
    earnings: own,
    ...(isEstimated ? { areReportsEstimated: true } : {}),
    vix: vix.map(({ session, close }) => ({ date: session, close })),
  };
  if (companies === null) return { history, facts: null };
  const calendarOf = isEstimated ? null : (data.earningsCalendar?.vendor ?? null);
  return { history, facts: factsOf(history, { assets, companies, calendar: calendarOf, untraded: read.untraded }) };
}

/** A calendar that lists coming reports only says nothing of the past. */
const hasPast = ({ earningsCalendar }: MarketData) =>
  earningsCalendar?.coversPast !== false && earningsCalendar !== null;

/** Why no past of the market can be run now; null where one can. Without any report a run would buy nothing, or into each of them. */
export function missingReports(data: MarketData, hasFilings: boolean): string | null {
  if (hasPast(data) || hasFilings) return null;
  const { earningsCalendar } = data;
  return earningsCalendar === null
    ? "It is not known when companies reported in the past, and no position is opened without that, so no backtest can be run. An earnings calendar or the SEC's filings have to be set up."
    : `${earningsCalendar.vendor} lists coming reports only, so no backtest can be run. The SEC's filings would bring the past ones.`;
}

interface Reports {
  rows: EarningsRow[];
  /** True where each session expects the next report from those that were filed before it. */
  isEstimated: boolean;
}

/** Vendors whose calls are counted by the day: a run of a year would take a seventh of what screening lives on. */
const COUNTED_BY_DAY: ReadonlySet<string> = new Set(["Financial Modeling Prep"]);

async function reportsOf(data: MarketData, { to, companies = null }: Wanted, start: SessionDate): Promise<Reports> {
  const filed = companies?.reports ?? [];
  const isSpared = filed.length > 0 && COUNTED_BY_DAY.has(data.earningsCalendar?.vendor ?? "");
  if (hasPast(data) && !isSpared)
    try {
      const rows = await data.earnings(addDays(start, -EARNINGS_BACK_DAYS), addDays(to, MOST_REPORT_DAYS_AHEAD));
      return { rows, isEstimated: false };
    } catch (error) {
      // A free plan's calendar reaches back a month; filings reach further.
      if (filed.length === 0 || !(error instanceof Failure)) throw error;
    }
  // What was filed since is not known in any session of the run; what was filed before it lets expect the next report.
  return { rows: filed.filter(({ date }) => date >= start && date <= to), isEstimated: true };
}

/** What can be screened, by symbol; a sector that no vendor names is the one of the company's industry by the SEC. */
function listedOf(assets: readonly AssetRow[], companies: KnownCompanies | null): Map<string, AssetRow> {
  const sectorOf = ({ symbol, sector }: AssetRow) =>
    sector === "Unknown" ? (companies?.sectors.get(symbol) ?? sector) : sector;
  return new Map(
    assets
      .filter(({ symbol }) => isStockSymbol(symbol))
      .map((asset) => [asset.symbol, { ...asset, sector: sectorOf(asset) }]),
  );
}

/** Waits before each request of a source that counts them. */
const paceOf = ({ pauseMs }: Wanted): Pace | undefined => (pauseMs > 0 ? () => delay(pauseMs) : undefined);

interface Place {
  listed: ReadonlyMap<string, AssetRow>;
  sessions: readonly SessionDate[];
  start: SessionDate;
}

/** Part by part: bars become columns as they arrive, so that never more than one part of them is held as rows. */
async function readColumns(data: MarketData, wanted: Wanted, { listed, sessions, start }: Place) {
  const { market, to, leastTurnover = 0, bars = data.dailyBars, onRead } = wanted;
  const names = [...listed.keys()].sort();
  const check = createHistoryCheck(market);
  const symbols: HistorySymbol[] = [];
  const pace = paceOf(wanted);
  let untraded = 0;
  let first = to;
  for (let read = 0; read < names.length; read += SYMBOLS_PER_CALL) {
    const part = names.slice(read, read + SYMBOLS_PER_CALL);
    const found = await bars(part, start, to, pace);
    for (const symbol of part) {
      const rows = found.get(symbol) ?? [];
      if (rows.length === 0) continue;
      check.add(symbol, rows);
      // The median of twenty sessions reaches what one of them reaches at most: such a stock is never chosen.
      if (symbol !== INDEX_SYMBOL && !rows.some(({ close, volume }) => close * volume >= leastTurnover)) untraded += 1;
      else {
        if (rows[0]!.session < first) first = rows[0]!.session;
        symbols.push(columnsOf(listed.get(symbol)!, rows, sessions));
      }
    }
    onRead?.(Math.min(read + SYMBOLS_PER_CALL, names.length), names.length);
  }
  return { symbols, check, untraded, first };
}

/** Bars by place of their session; NaN where the stock did not trade. */
function columnsOf(
  { symbol, name, sector }: AssetRow,
  bars: readonly DailyBar[],
  sessions: readonly SessionDate[],
): HistorySymbol {
  const empty = () => new Float64Array(sessions.length).fill(Number.NaN);
  const row = { open: empty(), high: empty(), low: empty(), close: empty(), volume: empty() };
  let place = 0;
  for (const { session, open, high, low, close, volume } of bars) {
    while (place < sessions.length && sessions[place]! < session) place += 1;
    if (sessions[place] !== session) continue;
    row.open[place] = open;
    row.high[place] = high;
    row.low[place] = low;
    row.close[place] = close;
    row.volume[place] = volume;
  }
  return { symbol, name, sector: sector === "Unknown" ? null : sector, ...row };
}

/** The columns without the sessions before the market's first bar. */
const since = (row: HistorySymbol, first: number): HistorySymbol => ({
  ...row,
  open: row.open.subarray(first),
  high: row.high.subarray(first),
  low: row.low.subarray(first),
  close: row.close.subarray(first),
  volume: row.volume.subarray(first),
});

interface Known {
  assets: readonly AssetRow[];
  companies: KnownCompanies;
  calendar: string | null;
  untraded: number;
}

function factsOf({ symbols, earnings }: MarketHistory, { assets, companies, calendar, untraded }: Known): HistoryFacts {
  const vendor = new Set(assets.filter(({ sector }) => sector !== "Unknown").map(({ symbol }) => symbol));
  const byVendor = symbols.some(({ symbol }) => vendor.has(symbol));
  const bySec = symbols.some(({ symbol }) => !vendor.has(symbol) && companies.sectors.has(symbol));
  const reported = new Set((earnings ?? []).map(({ symbol }) => symbol));
  const stocks = symbols.filter(({ symbol, sector }) => sector !== "ETF" && symbol !== INDEX_SYMBOL);
  return {
    stocks: stocks.length,
    untraded,
    sectorsBy: byVendor && bySec ? "vendor and SEC" : byVendor ? "vendor" : bySec ? "SEC" : "none",
    withoutSector: stocks.filter(({ sector }) => sector === null).length,
    calendar,
    withoutReports: stocks.filter(({ symbol }) => !reported.has(symbol)).length,
  };
}
