import { expect, it } from "vitest";
import { Failure } from "@/lib/domain/failures.ts";
import { sessionsBetween } from "@/lib/domain/market-calendar.ts";
import type { EarningsRow, MarketData } from "../../providers/market-data.ts";
import { readHistory } from "./read-history.ts";

const SESSIONS = sessionsBetween("2020-01-02", "2020-01-31");
const DIVIDEND = { symbol: "AAA", exDate: "2019-06-03", kind: "dividend", value: 0.5 } as const;

it("reading a history says how far it is, part by part up to the last symbol", async () => {
  const symbols = ["SPY", ...Array.from({ length: 119 }, (_, i) => `A${String.fromCharCode(65 + (i % 26))}${i}`)];
  const bar = { open: 100, high: 101, low: 99, close: 100, volume: 5_000 };
  const data = {
    calendar: () => Promise.resolve(SESSIONS.map((session) => ({ session }))),
    assets: () => Promise.resolve(symbols.map((symbol) => ({ symbol, name: symbol, sector: "Energy" }))),
    corporateActions: () => Promise.resolve([]),
    earnings: () => Promise.resolve([]),
    vix: () => Promise.resolve(SESSIONS.map((session) => ({ session, close: 13 }))),
    dailyBars: (names: string[]) =>
      Promise.resolve(new Map(names.map((name) => [name, SESSIONS.map((session) => ({ session, ...bar }))]))),
  } as unknown as MarketData;
  const progress: [number, number][] = [];
  const wanted = { market: "PRACTICE", from: "2020-01-10", to: "2020-01-31", pauseMs: 0 } as const;
  const { history } = await readHistory(data, { ...wanted, onRead: (done, total) => progress.push([done, total]) });
  expect(progress).toEqual([
    [50, 120],
    [100, 120],
    [120, 120],
  ]);
  expect(history.symbols).toHaveLength(120);
});

it("a calendar of coming reports only is no history: the run would buy into every report of the past", async () => {
  const data = { earningsCalendar: { vendor: "Alpha Vantage", coversPast: false } } as unknown as MarketData;
  const wanted = { market: "US", from: "2020-01-10", to: "2020-01-31", pauseMs: 0 } as const;
  await expect(readHistory(data, wanted)).rejects.toThrow("Alpha Vantage lists coming reports only");
});

/** Two stocks' past beside a calendar. */
function pastWith(earningsCalendar: object, earnings: () => Promise<EarningsRow[]>): MarketData {
  const bar = { open: 100, high: 101, low: 99, close: 100, volume: 5_000 };
  return {
    earningsCalendar,
    earnings,
    calendar: () => Promise.resolve(SESSIONS.map((session) => ({ session }))),
    assets: () => Promise.resolve(["AAA", "SPY"].map((symbol) => ({ symbol, name: symbol, sector: "Energy" }))),
    corporateActions: () => Promise.resolve([DIVIDEND]),
    vix: () => Promise.resolve(SESSIONS.map((session) => ({ session, close: 13 }))),
    dailyBars: (names: string[]) =>
      Promise.resolve(new Map(names.map((name) => [name, SESSIONS.map((session) => ({ session, ...bar }))]))),
  } as unknown as MarketData;
}

const wanted = { market: "US", from: "2020-01-10", to: "2020-01-31", pauseMs: 0 } as const;
const filed: EarningsRow = { symbol: "AAA", date: "2020-01-15", time: "AMC" };
const companies = { sectors: new Map<string, string>(), reports: [filed] };

it("splits and dividends are read at the pace of the bars: there are a hundred thousand of them, over one counted source", async () => {
  const paces: unknown[] = [];
  const data = {
    ...pastWith({ vendor: "Finnhub", coversPast: true }, () => Promise.resolve([filed])),
    corporateActions: (_from: string, _to: string, pace: unknown) =>
      Promise.resolve(paces.push(pace)).then(() => [DIVIDEND]),
  } as unknown as MarketData;
  await readHistory(data, { ...wanted, pauseMs: 1, companies });
  expect(paces).toEqual([expect.any(Function)]);
});

it("an answer without a single dividend is no history: what was held would lose three quarters in a split", async () => {
  const data = {
    ...pastWith({ vendor: "Finnhub", coversPast: true }, () => Promise.resolve([filed])),
    corporateActions: () => Promise.resolve([]),
  } as unknown as MarketData;
  await expect(readHistory(data, { ...wanted, companies })).rejects.toThrow("named no dividend");
});

it("a calendar whose calls are counted by the day is left to screening where companies' filings are known", async () => {
  let calls = 0;
  const ask = () => Promise.resolve([filed]).finally(() => (calls += 1));
  const data = pastWith({ vendor: "Financial Modeling Prep", coversPast: true }, ask);
  expect((await readHistory(data, { ...wanted, companies })).history.areReportsEstimated).toBe(true);
  expect(calls).toBe(0);
  await readHistory(data, { ...wanted, companies: { ...companies, reports: [] } });
  expect(calls).toBe(1);
});

it("a calendar whose plan does not reach so far back leaves the run to what companies filed; without filings it is none", async () => {
  const data = pastWith({ vendor: "Finnhub", coversPast: true }, () =>
    Promise.reject(new Failure("unavailable", "Finnhub answered a part of the earnings calendar.")),
  );
  const { history, facts } = await readHistory(data, { ...wanted, companies });
  expect(history).toMatchObject({ areReportsEstimated: true, earnings: [{ symbol: "AAA", date: "2020-01-15" }] });
  expect(facts?.calendar).toBeNull();
  await expect(readHistory(data, { ...wanted, companies: { ...companies, reports: [] } })).rejects.toThrow(
    "Finnhub answered a part",
  );
});
