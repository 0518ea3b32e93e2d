import type { ExchangeState } from "../book/state.ts";
import { barText, isSilent, minuteBarOf } from "./bar-rows.ts";
import { badQuery, checkFeed, isoSeconds, midnightOf, symbolsOf } from "./data-query.ts";
import { type Call, data, ok, type Reply, type Route } from "./router.ts";
import { lastPrint, quoteWire, tradeWire } from "./tick-wire.ts";

function latestTrade(state: ExchangeState, symbol: string): Record<string, unknown> | null {
  const print = lastPrint(state, symbol);
  return print === null ? null : tradeWire(state, symbol, print);
}

/** The quote as orders meet it: around the last price, with the sizes of the running minute. */
function latestQuote(state: ExchangeState, symbol: string): Record<string, unknown> | null {
  const print = lastPrint(state, symbol);
  const quote = state.view.quote(symbol);
  if (print === null || quote === undefined) return null;
  const { bid, ask, bidSize, askSize } = quote;
  return { ...quoteWire(state, symbol, print), ap: ask, as: askSize, bp: bid, bs: bidSize };
}

/** The last whole minute in which there were trades, as a bar: of this session or of one before. */
function minuteBar(state: ExchangeState, symbol: string): unknown {
  const now = state.view.moment();
  for (let index = now.index; index >= 0; index -= 1) {
    const path = state.view.path(symbol, index);
    const date = state.market.sessions[index];
    if (path === undefined || date === undefined) continue;
    const { opensAtMs } = state.sessions.hours(date);
    for (let m = (index === now.index ? now.minutesDone : path.minutes) - 1; m >= 0; m -= 1) {
      if (isSilent(path, m)) continue;
      return JSON.parse(barText(isoSeconds(opensAtMs + m * 60_000), minuteBarOf(path, m))) as unknown;
    }
  }
  return null;
}

function dayBars(state: ExchangeState, symbol: string): unknown[] {
  const bars: unknown[] = [];
  for (let i = state.view.moment().index; i >= 0 && bars.length < 2; i -= 1) {
    const bar = state.view.day(symbol, i);
    if (bar !== undefined) bars.push(JSON.parse(barText(midnightOf(state, i).text, bar)));
  }
  return bars;
}

function snapshotWire(state: ExchangeState, symbol: string): Record<string, unknown> | null {
  const trade = latestTrade(state, symbol);
  if (trade === null) return null;
  const [daily, previous] = dayBars(state, symbol);
  const minute = minuteBar(state, symbol);
  return {
    latestTrade: trade,
    latestQuote: latestQuote(state, symbol),
    ...(minute !== null && { minuteBar: minute }),
    ...(daily !== undefined && { dailyBar: daily }),
    ...(previous !== undefined && { prevDailyBar: previous }),
  };
}

type Wire = (state: ExchangeState, symbol: string) => unknown;

function mapOf(call: Call, wire: Wire): Record<string, unknown> {
  checkFeed(call.query, "latest");
  const found: Record<string, unknown> = {};
  for (const symbol of symbolsOf(call.query)) {
    const value = wire(call.state, symbol);
    if (value !== null) found[symbol] = value;
  }
  return found;
}

function single(call: Call, wire: Wire): { symbol: string; value: unknown } {
  checkFeed(call.query, "latest");
  const symbol = call.params[0] ?? "";
  const value = wire(call.state, symbol);
  if (value === null) throw badQuery(`invalid symbol: ${symbol}`);
  return { symbol, value };
}

function latest(name: "trade" | "quote" | "bar", wire: Wire): Route[] {
  const many = `${name}s`;
  return [
    data(`/v2/stocks/${many}/latest`, (call): Reply => ok({ [many]: mapOf(call, wire) })),
    data(`/v2/stocks/{symbol}/${many}/latest`, (call): Reply => {
      const { symbol, value } = single(call, wire);
      return ok({ symbol, [name]: value });
    }),
  ];
}

export const quoteRoutes: Route[] = [
  ...latest("trade", latestTrade),
  ...latest("quote", latestQuote),
  ...latest("bar", minuteBar),
  data("/v2/stocks/snapshots", (call) => ok(mapOf(call, snapshotWire))),
  data("/v2/stocks/{symbol}/snapshot", (call) => {
    const { symbol, value } = single(call, snapshotWire);
    return ok({ symbol, ...(value as Record<string, unknown>) });
  }),
];
