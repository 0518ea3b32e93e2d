import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sessionsBetween } from "../domain/market-calendar.ts";
import { addDays } from "../domain/time.ts";
import { seedOf } from "./market/seeded.ts";
import { type Exchange, startExchange } from "./start.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

/**
 * Two tapes have the same past up to and with one session, and futures that have nothing in common. While market time stands in that
 * session, no answer may tell them apart.
 */

const SESSIONS = sessionsBetween("2023-06-01", "2024-06-28");
const NOW = "2024-02-14";
const SYMBOLS = ["AAA", "BBB", "CCC", "DDDD"];

let folder: string;
const exchanges: Exchange[] = [];
let keys: Record<string, string>[];

/** A walk whose steps after the shared past depend on the future's name. */
function writeFuture(name: string): string {
  const directory = path.join(folder, name, "tape");
  mkdirSync(directory, { recursive: true });
  const future = (date: string) => (date > NOW ? name : "past");
  const step = (symbol: string, date: string, what: string) =>
    (seedOf(symbol, date, what, future(date)) % 1000) / 1000 - 0.5;
  const prices = new Map(SYMBOLS.map((symbol) => [symbol, 100]));
  const bars = SESSIONS.flatMap((date) =>
    SYMBOLS.map((symbol) => {
      const open = (prices.get(symbol) as number) * (1 + 0.12 * step(symbol, date, "open"));
      const close = open * (1 + 0.06 * step(symbol, date, "close"));
      prices.set(symbol, Math.max(20, close));
      const values = [open, Math.max(open, close) * 1.01, Math.min(open, close) * 0.99, close].map((value) =>
        value.toFixed(2),
      );
      return [date, symbol, ...values, 100_000 + (seedOf(symbol, date, "v", future(date)) % 900_000)].join(",");
    }),
  );
  // What is announced some days ahead is the same in both futures as far as it may be known.
  const events = (what: string, every: number, knownDays: number) =>
    SESSIONS.flatMap((date) => {
      const seen = date > addDays(NOW, knownDays) ? name : "past";
      return SYMBOLS.filter((symbol) => seedOf(what, symbol, date, seen) % every === 0).map(
        (symbol) => `${date},${symbol}`,
      );
    });
  const write = (file: string, header: string, rows: string[]) =>
    writeFileSync(path.join(directory, file), `${[header, ...rows].join("\n")}\n`);
  write(
    "assets.csv",
    "symbol,name,sector",
    SYMBOLS.map((symbol) => `${symbol},${symbol} Inc,Energy`),
  );
  write(
    "splits.csv",
    "date,symbol,ratio",
    events("split", 150, 10).map((row) => `${row},2`),
  );
  write(
    "dividends.csv",
    "date,symbol,amount",
    events("dividend", 40, 10).map((row) => `${row},0.3`),
  );
  write("earnings.csv", "date,symbol", events("earnings", 30, 30));
  write(
    "vix.csv",
    "date,open,high,low,close",
    SESSIONS.map((date) => {
      const close = 15 + 10 * step("VIX", date, "close");
      // The session's own value is not known before its close.
      const shown = date >= NOW ? close + (name === "boom" ? 7 : 0) : close;
      return [date, shown, shown + 1, shown - 1, shown]
        .map((value) => (typeof value === "number" ? value.toFixed(2) : value))
        .join(",");
    }),
  );
  writeFileSync(
    path.join(directory, "bars.csv.gz"),
    gzipSync(`date,symbol,open,high,low,close,volume\n${bars.join("\n")}\n`),
  );
  return directory;
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "look-ahead-"));
  for (const name of ["boom", "bust"]) {
    const exchange = await startExchange({
      port: 0,
      paused: true,
      tape: writeFuture(name),
      start: "2024-02-13",
      seed: 7,
    });
    exchanges.push(exchange);
    await exchange.control.clock({ jumpTo: NOW });
    await exchange.control.clock({ advanceMinutes: 77 });
  }
  keys = await Promise.all(
    exchanges.map(async (exchange) => {
      const account = await exchange.control.createAccount();
      return { "APCA-API-KEY-ID": account.key_id, "APCA-API-SECRET-KEY": account.secret };
    }),
  );
});

afterAll(async () => {
  await Promise.all(exchanges.map((exchange) => exchange.close()));
  rmSync(folder, { recursive: true });
});

const all = SYMBOLS.join(",");
const range = "start=2023-06-01&end=2024-12-31&limit=10000";
const ANSWERS = [
  ...["1Min", "30Min", "1Hour", "1Day", "1Week", "1Month"].flatMap((timeframe) =>
    ["raw", "all"].map(
      (adjustment) =>
        `/v2/stocks/bars?symbols=${all}&timeframe=${timeframe}&adjustment=${adjustment}&sort=desc&${range}`,
    ),
  ),
  ...["trades", "quotes", "auctions"].map((kind) => `/v2/stocks/${kind}?symbols=${all}&sort=desc&${range}`),
  ...["trades", "quotes", "bars"].map((kind) => `/v2/stocks/${kind}/latest?symbols=${all}`),
  `/v2/stocks/snapshots?symbols=${all}`,
  "/v1beta1/screener/stocks/most-actives?top=100",
  "/v1beta1/screener/stocks/movers?top=50",
  "/v1beta1/news?limit=50&end=2024-12-31",
  "/v1/corporate-actions?start=2023-06-01&end=2024-12-31&limit=1000",
  "/v2/clock",
  "/v2/assets",
  "/vendors/finnhub/api/v1/calendar/earnings?from=2023-06-01&to=2024-12-31",
  "/vendors/finnhub/api/v1/company-news?symbol=AAA&from=2023-06-01&to=2024-12-31",
  "/vendors/finnhub/api/v1/news-sentiment?symbol=AAA",
  "/vendors/finnhub/api/v1/quote?symbol=AAA",
  "/vendors/fmp/stable/company-screener",
  "/vendors/fmp/stable/earnings-calendar?from=2024-02-14&to=2024-12-31",
  "/vendors/fmp/stable/earnings?symbol=AAA",
  "/vendors/fmp/stable/profile?symbol=AAA",
  "/vendors/fmp/stable/price-target-consensus?symbol=AAA",
  "/vendors/alphavantage/query?function=EARNINGS_CALENDAR&horizon=12month",
  "/vendors/alphavantage/query?function=NEWS_SENTIMENT&limit=1000&time_to=20241231T0000",
  "/vendors/cboe/VIX_History.csv",
  "/vendors/fred/graph/fredgraph.csv?id=VIXCLS&coed=2024-12-31",
  "/vendors/fred/fred/series?series_id=VIXCLS&file_type=json",
  "/vendors/fred/fred/series/observations?series_id=VIXCLS&file_type=json&observation_end=2024-12-31",
];

describe("nothing from after market time", () => {
  it.each(ANSWERS)("is in %s", async (target) => {
    const [boom, bust] = await Promise.all(
      exchanges.map(async (exchange, i) => {
        const response = await fetch(exchange.url + target, { headers: keys[i] as Record<string, string> });
        return { status: response.status, body: await response.text() };
      }),
    );
    expect(boom?.status).toBe(200);
    expect(bust?.body.length).toBeGreaterThan(20);
    expect(boom).toEqual(bust);
  });

  it("and the futures really differ once they are the present", async () => {
    for (const exchange of exchanges) await exchange.control.clock({ jumpTo: "2024-04-15" });
    const answers = await Promise.all(
      exchanges.map(async (exchange, i) => {
        const target = `/v2/stocks/bars?symbols=${all}&timeframe=1Day&start=${addDays(NOW, 1)}&end=2024-04-12`;
        return (await fetch(exchange.url + target, { headers: keys[i] as Record<string, string> })).text();
      }),
    );
    expect(answers[0]).not.toEqual(answers[1]);
  });
});
