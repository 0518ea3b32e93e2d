import { streaming } from "@alpacahq/alpaca-trade-api";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sessionsBetween } from "../../domain/market-calendar.ts";
import type { Exchange } from "../start.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";

const until = (check: () => unknown) => vi.waitFor(check, { interval: 5, timeout: 15_000 });
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

/** The official SDK's market-data streams run against the exchange and cannot tell it from the broker. */

let exchange: Exchange;
let credentials: { keyId: string; secret: string };
let wire: string;

beforeAll(async () => {
  exchange = await startTestExchange({ port: 0, paused: true, seed: 5 });
  const account = await exchange.control.createAccount();
  credentials = { keyId: account.key_id, secret: account.secret };
  wire = exchange.url.replace("http", "ws");
});

afterAll(() => exchange.close());

const QUICK = { maxReconnectAttempts: -1, initialReconnectMs: 20, backoff: false, reconnectJitter: 0 };

async function rest<T>(path: string): Promise<T> {
  const headers = { "APCA-API-KEY-ID": credentials.keyId, "APCA-API-SECRET-KEY": credentials.secret };
  return (await (await fetch(exchange.url + path, { headers })).json()) as T;
}

function once(stream: { once(event: string, listener: () => void): unknown }, event: string): Promise<void> {
  return new Promise((resolve) => stream.once(event, () => resolve()));
}

describe("the SDK's StockDataStream", () => {
  it("receives every ended minute's bar, trade and quote, and they agree with REST", async () => {
    const stream = new streaming.StockDataStream({ credentials, url: `${wire}/v2/iex`, ...QUICK });
    const bars: { symbol: string; close: number; timestamp: Date; volume: number }[] = [];
    const trades: { symbol: string; price: number; timestamp: Date }[] = [];
    const quotes: { symbol: string; bidPrice: number; askPrice: number }[] = [];
    const errors: string[] = [];
    stream.onBar((bar) => bars.push(bar));
    stream.onTrade((trade) => trades.push(trade));
    stream.onQuote((quote) => quotes.push(quote));
    stream.onError((error) => errors.push(error));
    stream.subscribeForBars(["*"]);
    stream.subscribeForTrades(["SPY"]);
    stream.subscribeForQuotes(["SPY"]);
    const subscribed = once(stream, "subscription");
    stream.connect();
    await subscribed;
    expect(stream.getSubscriptions()).toMatchObject({ bars: ["*"], trades: ["SPY"], quotes: ["SPY"], news: [] });
    await exchange.control.clock({ advanceMinutes: 3 });
    await until(() => expect(bars.filter(({ symbol }) => symbol === "SPY")).toHaveLength(3));
    expect(new Set(bars.map(({ symbol }) => symbol)).size).toBeGreaterThan(490);
    const asked = await rest<{ bars: { c: number; t: string }[] }>("/v2/stocks/SPY/bars?timeframe=1Min");
    const heard = bars.filter(({ symbol }) => symbol === "SPY");
    expect(heard.map(({ close, timestamp }) => ({ c: close, t: `${timestamp.toISOString().slice(0, 19)}Z` }))).toEqual(
      asked.bars.map(({ c, t }) => ({ c, t })),
    );
    // At 60 times real time a minute has one trade and one quote: its last.
    expect(trades.map(({ price }) => price)).toEqual(asked.bars.map(({ c }) => c));
    const { quote } = await rest<{ quote: { bp: number; ap: number } }>("/v2/stocks/SPY/quotes/latest");
    expect(quotes).toHaveLength(3);
    expect(quotes.at(-1)).toMatchObject({ bidPrice: quote.bp, askPrice: quote.ap });
    expect(errors).toEqual([]);
    stream.disconnect();
  });

  it("finds its subscriptions again after a cut connection", async () => {
    const sockets: { terminate?(): void }[] = [];
    const { WebSocket } = await import("ws");
    const stream = new streaming.StockDataStream({
      credentials,
      url: `${wire}/v2/sip`,
      ...QUICK,
      wsFactory(url) {
        const socket = new WebSocket(url, { headers: { "Content-Type": "application/msgpack" } });
        sockets.push(socket);
        return socket;
      },
    });
    const bars: string[] = [];
    stream.onBar(({ symbol }) => bars.push(symbol));
    stream.subscribeForBars(["SPY"]);
    const subscribed = once(stream, "subscription");
    stream.connect();
    await subscribed;
    stream.subscribeForDailyBars(["SPY"]);
    await until(() => expect(stream.getSubscriptions().dailyBars).toEqual(["SPY"]));
    const again = once(stream, "reconnected");
    sockets[0]?.terminate?.();
    await again;
    await once(stream, "subscription");
    expect(stream.getSubscriptions()).toMatchObject({ bars: ["SPY"], dailyBars: ["SPY"] });
    await exchange.control.clock({ advanceMinutes: 1 });
    await until(() => expect(bars).toEqual(["SPY"]));
    expect(sockets).toHaveLength(2);
    stream.disconnect();
  });

  it("receives the delayed feed fifteen minutes late, and nothing is lost over night", async () => {
    const { now } = exchange.control.status();
    const nextDay = new Date(Date.parse(now) + 86_400_000).toISOString().slice(0, 10);
    await exchange.control.clock({ jumpTo: sessionsBetween(nextDay, "2024-12-31")[0] as string });
    const opened = Date.parse(exchange.control.status().now);
    const stream = new streaming.StockDataStream({ credentials, url: `${wire}/v2/delayed_sip`, ...QUICK });
    const heard: number[] = [];
    stream.onBar(({ timestamp }) => heard.push(timestamp.getTime()));
    stream.subscribeForBars(["SPY"]);
    const subscribed = once(stream, "subscription");
    stream.connect();
    await subscribed;
    await exchange.control.clock({ advanceMinutes: 16 });
    await until(() => expect(heard).toEqual([opened]));
    await exchange.control.clock({ advanceMinutes: 390 });
    await until(() => expect(heard).toHaveLength(391));
    expect(heard.slice(0, 390)).toEqual(Array.from({ length: 390 }, (_, minute) => opened + minute * 60_000));
    stream.disconnect();
  });

  it("is told that its keys are wrong and does not reconnect", async () => {
    const stream = new streaming.StockDataStream({
      credentials: { keyId: "unknown-key", secret: "unknown-secret" },
      url: `${wire}/v2/iex`,
      ...QUICK,
    });
    stream.connect();
    expect(await stream.waitForAuthenticationResult(5_000)).toMatchObject({ authenticated: false, code: 402 });
    expect(stream.getState()).toBe("disconnected");
  });
});

describe("the SDK's NewsStream", () => {
  it("receives each article once, when it can be known", async () => {
    const stream = new streaming.NewsStream({ credentials, url: `${wire}/v1beta1/news`, ...QUICK });
    const heard: { id: number; headline: string; createdAt?: Date }[] = [];
    stream.onNews((article) => heard.push(article as never));
    stream.subscribeForNews(["*"]);
    const subscribed = once(stream, "subscription");
    stream.connect();
    await subscribed;
    const from = exchange.control.status().now;
    await exchange.control.clock({ advanceMinutes: 700 });
    const to = exchange.control.status().now;
    type Page = { news: { id: number }[]; next_page_token: string | null };
    const written: number[] = [];
    let token = "";
    do {
      const page = await rest<Page>(`/v1beta1/news?start=${from}&end=${to}&sort=asc&limit=50${token}`);
      written.push(...page.news.map(({ id }) => id));
      token = page.next_page_token === null ? "" : `&page_token=${page.next_page_token}`;
    } while (token !== "");
    await until(() => expect(heard.map(({ id }) => id)).toEqual(written));
    expect(written.length).toBeGreaterThan(10);
    stream.disconnect();
  });
});
