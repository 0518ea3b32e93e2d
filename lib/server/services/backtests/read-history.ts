import { setTimeout as delay } from "node:timers/promises";
import type { HistorySymbol, MarketHistory } from "@/lib/domain/backtest/history.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { money, text } from "@/lib/domain/money.ts";
import { addDays, type SessionDate } from "@/lib/domain/time.ts";
import type { AssetRow, DailyBar, MarketData } from "../../providers/market-data.ts";
import { checkHistory } from "./check-history.ts";

/** What a live screening reads before its session, too. */
const WARM_UP_DAYS = 600;
/** As far ahead as a live calendar of reports is asked. */
const EARNINGS_AHEAD_DAYS = 30;
const EARNINGS_BACK_DAYS = 14;
/** Few enough that progress is seen. */
const SYMBOLS_PER_CALL = 50;
const BARS_PER_PAGE = 10_000;

interface Wanted {
  market: MarketName;
  /** First and last traded session. */
  from: SessionDate;
  to: SessionDate;
  /** After each page of bars this long is waited, so that screening finds the source's limit unspent. */
  pauseMs: number;
  /** Called after each part with the number of symbols read and the number in all. */
  onRead?: (done: number, total: number) => void;
}

/**
 * A market's past up to a session, from the source that live screening reads. An unavailable source is no history: without
 * its reports or its VIX a run would show another strategy; one with faults is refused with a sentence for each.
 */
export async function readHistory(
  data: MarketData,
  { market, from, to, pauseMs, onRead }: Wanted,
): Promise<MarketHistory> {
  // Its past would have no report at all, and the run would buy into each of them.
  if (data.earningsCalendar?.coversPast === false)
    throw new Failure("unavailable", `${data.earningsCalendar.vendor} lists coming reports only: no past can be run.`);
  const start = addDays(from, -WARM_UP_DAYS);
  const [calendar, assets, actions, earnings, vix] = await Promise.all([
    data.calendar(start, to),
    data.assets(),
    data.corporateActions(start, to),
    data.earnings(addDays(start, -EARNINGS_BACK_DAYS), addDays(to, EARNINGS_AHEAD_DAYS)),
    data.vix(start, to),
  ]);
  const listed = new Map(
    assets.filter(({ symbol }) => /^[A-Z][A-Z0-9.]{0,9}$/.test(symbol)).map((asset) => [asset.symbol, asset]),
  );
  const names = [...listed.keys()].sort();
  const bars = new Map<string, DailyBar[]>();
  for (let read = 0; read < names.length; read += SYMBOLS_PER_CALL) {
    const found = await data.dailyBars(names.slice(read, read + SYMBOLS_PER_CALL), start, to);
    let count = 0;
    for (const [symbol, rows] of found) {
      if (rows.length > 0) bars.set(symbol, rows);
      count += rows.length;
    }
    onRead?.(Math.min(read + SYMBOLS_PER_CALL, names.length), names.length);
    if (pauseMs > 0) await delay(pauseMs * Math.ceil(count / BARS_PER_PAGE));
  }
  const first = [...bars.values()].reduce<SessionDate>(
    (least, [row]) => (row!.session < least ? row!.session : least),
    to,
  );
  const sessions = calendar.map(({ session }) => session).filter((session) => session >= first && session <= to);
  checkHistory(market, bars, vix.length);
  const symbols = [...bars.keys()].sort().map((symbol) => columnsOf(listed.get(symbol)!, bars.get(symbol)!, sessions));
  const known = actions.filter(({ symbol }) => bars.has(symbol));
  const exact = (value: number) => text(money(value).toDecimalPlaces(9));
  return {
    name: market === "PRACTICE" ? "Practice market" : "US market",
    sessions,
    symbols,
    splits: known
      .filter(({ kind }) => kind === "split")
      .map(({ exDate, symbol, value }) => ({ date: exDate, symbol, ratio: exact(value) })),
    dividends: known
      .filter(({ kind }) => kind === "dividend")
      .map(({ exDate, symbol, value }) => ({ date: exDate, symbol, amount: exact(value) })),
    earnings: earnings.filter(({ symbol }) => bars.has(symbol)).map(({ date, symbol }) => ({ date, symbol })),
    vix: vix.map(({ session, close }) => ({ date: session, close })),
  };
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
