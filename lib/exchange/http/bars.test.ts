import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { newYork } from "../../domain/time.ts";
import { generateMarket } from "../market/generated.ts";
import type { Market } from "../market/source.ts";
import { openTrader, type PracticeTrader } from "@/lib/proof/practice-trader.ts";
import type { Exchange } from "../start.ts";
import { changedMarket, untraded } from "@/lib/proof/market/changed-market.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

interface Bar {
  t: string;
  o: number;
  h: number;
  l: number;
  c: number;
  v: number;
}

let exchange: Exchange;
let trader: PracticeTrader;
let market: Market;
/** A symbol with a split and dividends before the moment. */
let divided: string;

beforeAll(async () => {
  market = generateMarket({ seed: 3, start: "2024-01-08" });
  exchange = await startTestExchange({ port: 0, paused: true, seed: 3 });
  trader = await openTrader(exchange);
  await exchange.control.clock({ advanceMinutes: 100 });
  const pays = new Set(market.dividends.filter(({ date }) => date < "2024-01-08").map(({ symbol }) => symbol));
  divided = market.splits.find(({ date, symbol }) => date < "2024-01-08" && pays.has(symbol))?.symbol as string;
});

afterAll(() => exchange.close());

async function rows<T = Bar>(target: string, name = "bars"): Promise<T[]> {
  const { status, body } = await trader.send("GET", target);
  expect({ target, status }).toEqual({ target, status: 200 });
  return body[name] as T[];
}

/** All pages of a query as one list, with how many there were. */
async function pages(
  target: string,
  name = "bars",
): Promise<{ items: Map<string, unknown[]>; symbols: string[]; count: number }> {
  const items = new Map<string, unknown[]>();
  const symbols: string[] = [];
  let token = "";
  let count = 0;
  do {
    const { body } = await trader.send("GET", `${target}${token}`);
    for (const [symbol, list] of Object.entries(body[name] as Record<string, unknown[]>)) {
      if (symbols.at(-1) !== symbol) symbols.push(symbol);
      items.set(symbol, [...(items.get(symbol) ?? []), ...list]);
    }
    count += 1;
    token = body.next_page_token === null ? "" : `&page_token=${String(body.next_page_token)}`;
  } while (token !== "");
  return { items, symbols, count };
}

function joined(bars: Bar[]): Omit<Bar, "t"> {
  return {
    o: (bars[0] as Bar).o,
    h: Math.max(...bars.map(({ h }) => h)),
    l: Math.min(...bars.map(({ l }) => l)),
    c: (bars.at(-1) as Bar).c,
    v: bars.reduce((sum, { v }) => sum + v, 0),
  };
}

const values = ({ o, h, l, c, v }: Bar) => ({ o, h, l, c, v });

/** Groups daily bars by a key of their New York date. */
function grouped(days: Bar[], keyOf: (date: string) => string): [string, Omit<Bar, "t">][] {
  const groups = new Map<string, Bar[]>();
  for (const day of days) {
    const key = keyOf(newYork(day.t).date);
    groups.set(key, [...(groups.get(key) ?? []), day]);
  }
  return [...groups].map(([key, bars]) => [key, joined(bars)]);
}

function monday(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

describe("bars", () => {
  it("of weeks and months are made of their days, the running one included", async () => {
    const days = await rows("/v2/stocks/SPY/bars?timeframe=1Day&start=2023-01-02&limit=10000");
    const weeks = await rows("/v2/stocks/SPY/bars?timeframe=1Week&start=2023-01-02");
    expect(weeks.map((bar) => [newYork(bar.t).date, values(bar)])).toEqual(grouped(days, monday));
    const months = await rows("/v2/stocks/SPY/bars?timeframe=1Month&start=2023-01-01");
    expect(months.map((bar) => [newYork(bar.t).date, values(bar)])).toEqual(
      grouped(days, (date) => `${date.slice(0, 7)}-01`),
    );
    const quarters = await rows("/v2/stocks/SPY/bars?timeframe=3Month&start=2023-01-01");
    expect(quarters.map(({ t }) => newYork(t).date)).toEqual([
      "2023-01-01",
      "2023-04-01",
      "2023-07-01",
      "2023-10-01",
      "2024-01-01",
    ]);
  });

  it("of hours begin at full hours in New York and are made of their minutes", async () => {
    const range = "start=2024-01-05&end=2024-01-05";
    const minutes = await rows(`/v2/stocks/SPY/bars?timeframe=1Min&${range}`);
    const hours = await rows(`/v2/stocks/SPY/bars?timeframe=1Hour&${range}`);
    expect(hours.map(({ t }) => newYork(t).hour)).toEqual([9, 10, 11, 12, 13, 14, 15]);
    expect(hours.every(({ t }) => newYork(t).minute === 0)).toBe(true);
    for (const bar of hours)
      expect(values(bar)).toEqual(joined(minutes.filter(({ t }) => newYork(t).hour === newYork(bar.t).hour)));
    const [day] = await rows(`/v2/stocks/SPY/bars?timeframe=1Day&${range}`);
    expect(joined(hours)).toEqual(values(day as Bar));
  });

  it("adjusted for splits and dividends are continuous where raw ones jump", async () => {
    const split = market.splits.find(({ symbol }) => symbol === divided) as { date: string; ratio: string };
    const query = (adjustment: string) =>
      `/v2/stocks/${divided}/bars?timeframe=1Day&start=2022-01-01&limit=10000&adjustment=${adjustment}`;
    const [raw, splits, dividends, all] = (await Promise.all(
      ["raw", "split", "dividend", "all"].map((adjustment) => rows(query(adjustment))),
    )) as [Bar[], Bar[], Bar[], Bar[]];
    const at = raw.findIndex(({ t }) => newYork(t).date >= split.date);
    const later = market.splits.filter(
      ({ symbol, date }) => symbol === divided && date > split.date && date <= "2024-01-08",
    );
    const factor = later.reduce((product, { ratio }) => product * Number(ratio), 1);
    const before = raw[at - 1] as Bar;
    expect(splits[at - 1]?.c).toBeCloseTo(before.c / Number(split.ratio) / factor, 3);
    expect(splits[at - 1]?.v).toBeCloseTo(before.v * Number(split.ratio) * factor, -1);
    expect(splits.at(-1)).toEqual(raw.at(-1));
    // A dividend takes its share of the last close off everything before it.
    const paid = market.dividends.filter(({ symbol, date }) => symbol === divided && date <= "2024-01-08");
    const last = paid.at(-1) as { date: string; amount: string };
    const ex = raw.findIndex(({ t }) => newYork(t).date >= last.date);
    const share = 1 - Number(last.amount) / (raw[ex - 1] as Bar).c;
    expect(dividends[ex - 1]?.c).toBeCloseTo((raw[ex - 1] as Bar).c * share, 3);
    expect(dividends[ex - 1]?.v).toBe(raw[ex - 1]?.v);
    expect(dividends[ex]).toEqual(raw[ex]);
    expect((all[0] as Bar).c / (raw[0] as Bar).c).toBeCloseTo(
      ((splits[0] as Bar).c / (raw[0] as Bar).c) * ((dividends[0] as Bar).c / (raw[0] as Bar).c),
      3,
    );
  });

  it("come in pages by symbol, then time, none twice and none missing, in either direction", async () => {
    const some = ["SPY", divided, ...market.symbols.slice(5, 8)];
    for (const sort of ["asc", "desc"]) {
      for (const query of [
        "timeframe=1Day&start=2023-10-02",
        "timeframe=1Week&start=2023-01-02",
        "timeframe=30Min&start=2024-01-04",
      ]) {
        const target = `/v2/stocks/bars?symbols=${some.join(",")}&${query}&sort=${sort}`;
        const whole = await pages(`${target}&limit=10000`);
        const paged = await pages(`${target}&limit=17`);
        expect(whole.count).toBe(1);
        expect(paged.count).toBeGreaterThan(5);
        expect(paged.symbols).toEqual([...some].sort());
        expect(paged.items).toEqual(whole.items);
      }
    }
  });
});

describe("the latest bar", () => {
  it.each([
    ["in a session's first minute", 0, {}],
    [
      "of a symbol that does not trade that day",
      100,
      { generate: changedMarket((made) => untraded(made, "SPY", ["2024-01-08"])) },
    ],
  ])("%s is the last one that there was", async (_, minutes, options) => {
    const early = await startTestExchange({ port: 0, paused: true, seed: 3, ...options });
    try {
      const asker = await openTrader(early);
      if (minutes > 0) await early.control.clock({ advanceMinutes: minutes });
      const single = await asker.send("GET", "/v2/stocks/SPY/bars/latest");
      const bar = single.body.bar as Bar;
      expect([single.status, bar.t]).toEqual([200, "2024-01-05T20:59:00Z"]);
      expect((await asker.send("GET", "/v2/stocks/bars/latest?symbols=SPY")).body.bars).toEqual({ SPY: bar });
      expect((await asker.send("GET", "/v2/stocks/SPY/snapshot")).body.minuteBar).toEqual(bar);
      expect((await asker.send("GET", "/v2/stocks/NOSUCH/bars/latest")).status).toBe(400);
    } finally {
      await early.close();
    }
  });
});

describe("trades, quotes and auctions", () => {
  it("of a minute make its bar", async () => {
    const range = "start=2024-01-05T15:00:00Z&end=2024-01-05T15:09:59Z";
    const trades = await rows<{ t: string; p: number; s: number }>(`/v2/stocks/SPY/trades?${range}`, "trades");
    const bars = await rows(`/v2/stocks/SPY/bars?timeframe=1Min&${range}`);
    expect(bars).toHaveLength(10);
    for (const bar of bars) {
      const own = trades.filter(({ t }) => t.slice(0, 16) === bar.t.slice(0, 16));
      expect(joined(own.map(({ t, p, s }) => ({ t, o: p, h: p, l: p, c: p, v: s })))).toEqual(values(bar));
    }
    const quotes = await rows<{ t: string; bp: number; ap: number }>(`/v2/stocks/SPY/quotes?${range}`, "quotes");
    expect(quotes.map(({ t }) => t)).toEqual(trades.map(({ t }) => t));
    quotes.forEach(({ bp, ap }, i) => {
      expect(bp).toBeLessThan(trades[i]?.p as number);
      expect(ap).toBeGreaterThan(trades[i]?.p as number);
    });
  });

  it("end with what is the latest", async () => {
    const trades = await rows("/v2/stocks/SPY/trades?sort=desc&limit=1", "trades");
    const { body } = await trader.send("GET", "/v2/stocks/SPY/trades/latest");
    expect(trades).toEqual([body.trade]);
    const quotes = await rows("/v2/stocks/SPY/quotes?sort=desc&limit=1", "quotes");
    expect(quotes).toEqual([(await trader.send("GET", "/v2/stocks/SPY/quotes/latest")).body.quote]);
  });

  it("come in pages across sessions, none twice and none missing", async () => {
    const target = `/v2/stocks/trades?symbols=SPY,${divided}&start=2024-01-05T20:40:00Z`;
    for (const sort of ["asc", "desc"]) {
      const whole = await pages(`${target}&limit=10000&sort=${sort}`, "trades");
      const paged = await pages(`${target}&limit=101&sort=${sort}`, "trades");
      expect(whole.items.get("SPY")?.length).toBe(4 * (20 + 100));
      expect(paged.items).toEqual(whole.items);
    }
  });

  it("have the day's opening and closing price, the closing one only after the close", async () => {
    type Auction = { d: string; o: { p: number }[]; c: { p: number }[] };
    const auctions = await rows<Auction>("/v2/stocks/SPY/auctions?start=2024-01-05", "auctions");
    const days = await rows("/v2/stocks/SPY/bars?timeframe=1Day&start=2024-01-05");
    expect(auctions.map(({ d, o, c }) => [d, o[0]?.p, c[0]?.p])).toEqual([
      ["2024-01-05", days[0]?.o, days[0]?.c],
      ["2024-01-08", days[1]?.o, undefined],
    ]);
  });
});
