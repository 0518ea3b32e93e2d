import type { Desk } from "../book/desk.ts";
import { barText } from "./bars.ts";
import { badQuery, isoSeconds, midnightOf, symbolsOf } from "./data-query.ts";
import { type Call, data, ok, type Reply, type Route } from "./router.ts";

const CONDITIONS: readonly string[] = ["@"];

/** When the last trade happened: the end of the last whole minute, or the opening. */
function lastTradeMs(desk: Desk): number {
  const { hours, minutesDone } = desk.view.moment();
  return hours.opensAtMs + Math.max(0, minutesDone * 60_000 - 1_000);
}

function tradeWire(desk: Desk, symbol: string): Record<string, unknown> | null {
  const price = desk.view.last(symbol);
  if (price === undefined) return null;
  const { index, minutesDone } = desk.view.moment();
  return {
    t: isoSeconds(lastTradeMs(desk)),
    x: "V",
    p: price,
    s: 100,
    c: CONDITIONS,
    i: Math.max(0, index) * 1000 + minutesDone,
    z: "C",
  };
}

function quoteWire(desk: Desk, symbol: string): Record<string, unknown> | null {
  const quote = desk.view.quote(symbol);
  if (quote === undefined) return null;
  const { bid, ask, bidSize, askSize } = quote;
  return {
    t: isoSeconds(lastTradeMs(desk)),
    ax: "V",
    ap: ask,
    as: askSize,
    bx: "V",
    bp: bid,
    bs: bidSize,
    c: ["R"],
    z: "C",
  };
}

/** The last whole minute as a bar; before the first one, none. */
function minuteBar(desk: Desk, symbol: string): unknown {
  const { index, minutesDone, hours } = desk.view.moment();
  const path = desk.view.path(symbol, index);
  if (path === undefined || minutesDone === 0) return null;
  const m = minutesDone - 1;
  const bar = {
    open: path.open[m] as number,
    high: path.high[m] as number,
    low: path.low[m] as number,
    close: path.close[m] as number,
    volume: path.volume[m] as number,
  };
  return JSON.parse(barText(isoSeconds(hours.opensAtMs + m * 60_000), bar)) as unknown;
}

function dayBars(desk: Desk, symbol: string): unknown[] {
  const bars: unknown[] = [];
  for (let i = desk.view.moment().index; i >= 0 && bars.length < 2; i -= 1) {
    const bar = desk.view.day(symbol, i);
    if (bar !== undefined) bars.push(JSON.parse(barText(midnightOf(desk, i).text, bar)));
  }
  return bars;
}

function snapshotWire(desk: Desk, symbol: string): Record<string, unknown> | null {
  const trade = tradeWire(desk, symbol);
  if (trade === null) return null;
  const [daily, previous] = dayBars(desk, symbol);
  const minute = minuteBar(desk, symbol);
  return {
    latestTrade: trade,
    latestQuote: quoteWire(desk, symbol),
    ...(minute !== null && { minuteBar: minute }),
    ...(daily !== undefined && { dailyBar: daily }),
    ...(previous !== undefined && { prevDailyBar: previous }),
  };
}

type Wire = (desk: Desk, symbol: string) => unknown;

function mapOf(call: Call, wire: Wire): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const symbol of symbolsOf(call.query)) {
    const value = wire(call.desk, symbol);
    if (value !== null) found[symbol] = value;
  }
  return found;
}

function single(call: Call, wire: Wire): { symbol: string; value: unknown } {
  const symbol = call.params[0] ?? "";
  const value = wire(call.desk, symbol);
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
  ...latest("trade", tradeWire),
  ...latest("quote", quoteWire),
  ...latest("bar", minuteBar),
  data("/v2/stocks/snapshots", (call) => ok(mapOf(call, snapshotWire))),
  data("/v2/stocks/{symbol}/snapshot", (call) => {
    const { symbol, value } = single(call, snapshotWire);
    return ok({ symbol, ...(value as Record<string, unknown>) });
  }),
];
