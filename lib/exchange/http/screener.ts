import type { ExchangeState } from "../book/state.ts";
import type { DayBar } from "../market/minute-path.ts";
import { tradeCount } from "./bar-rows.ts";
import { badQuery, isoSeconds } from "./data-query.ts";
import { type Call, data, ok, type Reply, type Route } from "./router.ts";

function topOf(query: URLSearchParams, most: number): number {
  const value = query.get("top");
  if (value === null || value === "") return 10;
  const top = Number(value);
  if (!Number.isInteger(top) || top < 1 || top > most) throw badQuery(`top must be between 1 and ${most}`);
  return top;
}

/** The session so far; before its first minute is over, the one before it. */
function sessionBars(state: ExchangeState): { index: number; bars: { symbol: string; bar: DayBar }[] } {
  const now = state.view.moment();
  const index = now.minutesDone === 0 ? now.index - 1 : now.index;
  const bars = state.market.symbols.flatMap((symbol) => {
    const bar = state.view.day(symbol, index);
    return bar === undefined ? [] : [{ symbol, bar }];
  });
  return { index, bars };
}

function lastUpdated(state: ExchangeState): string {
  const { hours, minutesDone } = state.view.moment();
  return isoSeconds(hours.opensAtMs + minutesDone * 60_000);
}

function mostActives({ state, query }: Call): Reply {
  const by = query.get("by") ?? "volume";
  if (by !== "volume" && by !== "trades") throw badQuery(`invalid by: ${by}`);
  const rows = sessionBars(state).bars.map(({ symbol, bar }) => ({
    symbol,
    volume: bar.volume,
    trade_count: tradeCount(bar.volume),
  }));
  rows.sort((a, b) => b.volume - a.volume || (a.symbol < b.symbol ? -1 : 1));
  return ok({ most_actives: rows.slice(0, topOf(query, 100)), last_updated: lastUpdated(state) });
}

/** The close before a session, on the share count of that session. */
function closeBefore(state: ExchangeState, symbol: string, index: number): number | undefined {
  if (index === state.view.moment().index) return state.view.previousClose(symbol);
  const date = state.market.sessions[index];
  const split = state.market.splits.find((found) => found.symbol === symbol && found.date === date);
  const close = state.view.day(symbol, index - 1)?.close;
  return close === undefined ? undefined : close / Number(split?.ratio ?? 1);
}

function movers({ state, query, params }: Call): Reply {
  if (params[0] !== "stocks") throw badQuery(`invalid market type: ${params[0] ?? ""}`);
  const top = topOf(query, 50);
  const { index, bars } = sessionBars(state);
  const hundredths = (value: number) => Math.round(value * 100) / 100;
  const rows = bars.flatMap(({ symbol, bar }) => {
    const before = closeBefore(state, symbol, index);
    if (before === undefined) return [];
    const change = bar.close - before;
    return [
      { symbol, percent_change: hundredths((change / before) * 100), change: hundredths(change), price: bar.close },
    ];
  });
  rows.sort((a, b) => b.percent_change - a.percent_change || (a.symbol < b.symbol ? -1 : 1));
  return ok({
    gainers: rows.filter((row) => row.percent_change > 0).slice(0, top),
    losers: rows
      .filter((row) => row.percent_change < 0)
      .reverse()
      .slice(0, top),
    market_type: "stocks",
    last_updated: lastUpdated(state),
  });
}

export const screenerRoutes: Route[] = [
  data("/v1beta1/screener/stocks/most-actives", mostActives),
  data("/v1beta1/screener/{market_type}/movers", movers),
];
