import { afterEach, expect, it, vi } from "vitest";
import { unitedStates } from "./market-data-registry.ts";

/** Nothing listens there. */
const NOWHERE = "http://127.0.0.1:9";
const SETTINGS = {
  ALPACA_PAPER_URL: NOWHERE,
  ALPACA_DATA_URL: NOWHERE,
  ALPACA_DATA_FEED: "iex",
  ALPACA_DATA_KEY_ID: "PKDATA",
  ALPACA_DATA_SECRET: "s".repeat(16),
  FINNHUB_URL: NOWHERE,
  CBOE_URL: NOWHERE,
  FRED_URL: NOWHERE,
  FMP_URL: NOWHERE,
  ALPHA_VANTAGE_URL: NOWHERE,
  ALPHA_VANTAGE_CLOSES: 0,
} as const;

it.each([
  [["FINNHUB_TOKEN", "FMP_API_KEY", "ALPHA_VANTAGE_KEY"], { vendor: "Finnhub", coversPast: true }],
  [["FMP_API_KEY", "ALPHA_VANTAGE_KEY"], { vendor: "Financial Modeling Prep", coversPast: true }],
  [["ALPHA_VANTAGE_KEY"], { vendor: "Alpha Vantage", coversPast: false }],
] as const)("of %j the first is the calendar of reports", (names, calendar) => {
  const keys = Object.fromEntries(names.map((name) => [name, "key"]));
  expect(unitedStates({ ...SETTINGS, ...keys }).earningsCalendar).toEqual(calendar);
});

it("without any of the three there is no calendar, and a question for one is a failure, no empty answer", async () => {
  const { earningsCalendar, earnings } = unitedStates(SETTINGS);
  expect(earningsCalendar).toBeNull();
  await expect(earnings("2024-01-08", "2024-02-07")).rejects.toMatchObject({ code: "unavailable" });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it("a list of companies is asked for once in hours, and where it fails later the last one stands: funds stay funds", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  let [isDown, isEmpty] = [false, false];
  let lists = 0;
  const rows = ["AAA", "QQQ"].map((symbol) => ({
    ...{ id: symbol, symbol, name: symbol, class: "us_equity", exchange: "NYSE", status: "active" },
    ...{ tradable: true, fractionable: true, marginable: true, shortable: true, easy_to_borrow: true },
  }));
  vi.stubGlobal("fetch", (url: URL) => {
    if (!String(url).includes("screener")) return Promise.resolve(Response.json(rows));
    lists += 1;
    if (isEmpty) return Promise.resolve(Response.json([]));
    if (isDown) return Promise.resolve(new Response("", { status: 429 }));
    return Promise.resolve(
      Response.json([
        { symbol: "AAA", sector: "Energy" },
        { symbol: "QQQ", isEtf: true },
      ]),
    );
  });
  const { assets } = unitedStates({ ...SETTINGS, FMP_API_KEY: "key" });
  const sectors = async () => (await assets()).map(({ sector }) => sector);
  expect(await sectors()).toEqual(["Energy", "ETF"]);
  expect(await sectors()).toEqual(["Energy", "ETF"]);
  expect(lists).toBe(1);
  isDown = true;
  vi.advanceTimersByTime(7 * 3_600_000);
  expect(await sectors()).toEqual(["Energy", "ETF"]);
  expect(await sectors()).toEqual(["Energy", "ETF"]);
  expect(lists).toBeGreaterThan(1);
  // So is an answer that names no company.
  [isDown, isEmpty] = [false, true];
  vi.advanceTimersByTime(7 * 3_600_000);
  expect(await sectors()).toEqual(["Energy", "ETF"]);
});
