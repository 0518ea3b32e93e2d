import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { Failure } from "@/lib/domain/failures.ts";
import { addDays, type SessionDate } from "@/lib/domain/time.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { useLeastEnv } from "@/lib/proof/fixtures/least-env.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import { alphaVantage } from "./alpha-vantage.ts";
import { forgetEnv } from "../env.ts";
import { finnhub } from "./finnhub.ts";
import { fmp } from "./fmp.ts";
import type { EarningsRow } from "./market-data.ts";
import { PROBES } from "./probes.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

const START = "2024-01-08";
let exchange: Exchange;
/** A vendor made for one test. */
let serve: (url: URL) => { status?: number; body: string };
let asked: URL[];
let server: http.Server;
let url: string;

beforeAll(async () => {
  // Calls are counted, and a longer run tries to write the counts: without settings that would fail by another error.
  useLeastEnv();
  exchange = await startTestExchange({ port: 0, paused: true, seed: 3, start: START });
  server = http.createServer((request, response) => {
    const at = new URL(request.url ?? "", url);
    asked.push(at);
    const { status = 200, body } = serve(at);
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await exchange.close();
});
beforeEach(() => {
  asked = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const vendor = (name: string) => `${exchange.url}/vendors/${name}`;
const inOrder = (rows: EarningsRow[]) => rows.map(({ date, symbol }) => `${date} ${symbol}`).sort();
const fault = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof Failure ? `${error.code}: ${error.message}` : error),
  );

/** So many reports on each of the days, as the vendor writes them, the oldest first. */
const reportsOn = (perDay: number, from: SessionDate, to: SessionDate) => {
  const rows: { symbol: string; date: SessionDate; epsActual: null }[] = [];
  for (let date = from; date <= to; date = addDays(date, 1))
    for (let i = 0; i < perDay; i += 1) rows.push({ symbol: `S${i}`, date, epsActual: null });
  return rows;
};
const rangeOf = ({ searchParams }: URL) => [searchParams.get("from") ?? "", searchParams.get("to") ?? ""] as const;

it("on the same market each vendor's calendar tells the same coming reports, and those with a past the same past ones", async () => {
  const countedAs = "Practice market";
  const finnhubs = finnhub({ url: vendor("finnhub"), token: "t" });
  const fmps = fmp({ url: vendor("fmp"), key: "k" });
  const [from, to] = [addDays(START, -13), addDays(START, 13)];
  const whole = inOrder(await finnhubs.earnings(from, to));
  expect(whole.length).toBeGreaterThan(20);
  expect(inOrder(await fmps.earnings(from, to))).toEqual(whole);
  const coming = await alphaVantage({ url: vendor("alphavantage"), key: "k", countedAs }).earnings(
    addDays(START, 1),
    to,
  );
  expect(coming).toEqual(await finnhubs.earnings(addDays(START, 1), to));
});

it("Financial Modeling Prep: a range beyond the limit of rows is asked in parts until every day is whole", async () => {
  const all = reportsOn(400, "2024-01-01", "2024-02-14");
  serve = (at) => {
    const [from, to] = rangeOf(at);
    const rows = all.filter(({ date }) => date >= from && date <= to);
    return { body: JSON.stringify(rows.slice(-4_000)) };
  };
  const rows = await fmp({ url, key: "k" }).earnings("2024-01-01", "2024-02-14");
  expect(inOrder(rows)).toEqual(inOrder(all.map((row) => ({ ...row, time: "UNKNOWN" }))));
  for (const [from, to] of asked.map(rangeOf)) expect(addDays(from, 29) >= to).toBe(true);
});

it("Financial Modeling Prep: a single day at the limit of rows, a sample and days beside the range are no calendar", async () => {
  const ask = () => fault(fmp({ url, key: "k" }).earnings("2024-01-01", "2024-01-31"));
  serve = (at) => ({ body: JSON.stringify(reportsOn(3_000, rangeOf(at)[1], rangeOf(at)[1])) });
  expect(await ask()).toMatch(/^unavailable: .* as many reports of 2024-01-31 as one answer holds/);
  serve = (at) => ({ body: JSON.stringify(reportsOn(3, ...rangeOf(at))) });
  expect(await ask()).toMatch(/^unavailable: .* fewer reports than a market has/);
  serve = () => ({ body: "[]" });
  expect(await ask()).toMatch(/^unavailable: .* no report from 2024-01-01 to 2024-01-30/);
  serve = () => ({ body: JSON.stringify(reportsOn(50, "2024-01-01", "2024-03-31").slice(0, 2_900)) });
  expect(await ask()).toMatch(/^unavailable: .* days that were not asked for/);
});

it("Finnhub: a range beyond the limit of rows is asked in parts until every day is whole", async () => {
  const all = reportsOn(400, "2024-01-01", "2024-02-14");
  serve = (at) => {
    const [from, to] = rangeOf(at);
    const rows = all.filter(({ date }) => date >= from && date <= to);
    return { body: JSON.stringify({ earningsCalendar: rows.slice(-1_500) }) };
  };
  const rows = await finnhub({ url, token: "t" }).earnings("2024-01-01", "2024-02-14");
  expect(inOrder(rows)).toEqual(inOrder(all.map((row) => ({ ...row, time: "UNKNOWN" }))));
});

it("Finnhub: a sample, an empty list and weeks beyond its plan are no calendar: no blackout opens by them", async () => {
  const ask = (from: SessionDate) => fault(finnhub({ url, token: "t" }).earnings(from, "2024-02-07"));
  const say = (rows: object[]) => ({ body: JSON.stringify({ earningsCalendar: rows }) });
  serve = () => say([]);
  expect(await ask("2023-12-25")).toMatch(/^unavailable: .* no report from 2024-01-24 to 2024-02-07/);
  serve = (at) => say(reportsOn(3, ...rangeOf(at)));
  expect(await ask("2023-12-25")).toMatch(/^unavailable: .* fewer reports than a market has/);
  // A free plan knows a month of the past: two years of it are refused once an answer is empty, not asked for in full.
  asked = [];
  serve = (at) => say(reportsOn(40, ...rangeOf(at)).filter(({ date }) => date >= "2024-01-08"));
  expect(await ask("2021-12-01")).toMatch(/^unavailable: .* no report from/);
  expect(asked.length).toBeLessThan(10);
  expect(await fault(finnhub({ url, token: "t" }).earnings("2024-01-08", "2024-02-07"))).toBeNull();
});

it("the practice market's few reports are all of them", async () => {
  serve = () => ({ body: '{"earningsCalendar":[]}' });
  const whole = finnhub({ url, token: "t", countedAs: "Practice market" });
  expect(await whole.earnings("2024-01-01", "2024-02-14")).toEqual([]);
});

it("Financial Modeling Prep: a vendor that answers a day at a time is asked no more than a free plan bears", async () => {
  serve = (at) => ({ body: JSON.stringify(reportsOn(20, rangeOf(at)[1], rangeOf(at)[1])) });
  expect(await fmp({ url, key: "k" }).earnings("2024-01-01", "2024-02-14")).toHaveLength(45 * 20);
  expect(asked).toHaveLength(45);
  expect(await fault(fmp({ url, key: "k" }).earnings("2021-11-01", "2023-12-31"))).toMatch(/too little at a time/);
  expect(asked.length).toBeLessThan(250);
});

it("Financial Modeling Prep: what a plan does not hold is said with the status, and nothing is taken for a calendar", async () => {
  for (const status of [402, 403]) {
    serve = () => ({ status, body: '{"Error Message":"Restricted Endpoint"}' });
    expect(await fault(fmp({ url, key: "k" }).earnings("2024-01-01", "2024-01-05"))).toBe(
      `unavailable: Financial Modeling Prep answered with status ${status}.`,
    );
  }
});

const HEAD = "symbol,name,reportDate,fiscalDateEnding,estimate,currency";
/** Those of a market, all but one of which are in March. */
const table = () => {
  const others = Array.from({ length: 300 }, (_, i) => `S${i},Company ${i},2024-03-20,2023-12-31,,USD\n`).join("");
  return { body: `${HEAD}\n"BRK-B","Berkshire, B",2024-01-20,2023-12-31,,USD\n${others}` };
};

it("Alpha Vantage: an answer serves for an hour, and who asks during a call waits for that one", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  serve = table;
  const source = alphaVantage({ url, key: "k" });
  const ask = () => source.earnings("2024-01-08", "2024-02-07");
  const answers = await Promise.all([ask(), ask(), ask()]);
  for (const rows of answers) expect(rows).toEqual([{ symbol: "BRK.B", date: "2024-01-20", time: "UNKNOWN" }]);
  expect(await source.earnings("2024-01-21", "2024-02-07")).toEqual([]);
  vi.setSystemTime(Date.now() + 59 * 60_000);
  await ask();
  expect(asked).toHaveLength(1);
  vi.setSystemTime(Date.now() + 60_000);
  await ask();
  expect(asked.map(({ search }) => search)).toEqual(
    Array.from({ length: 2 }, () => "?function=EARNINGS_CALENDAR&horizon=3month&apikey=k"),
  );
});

it("Alpha Vantage: a refusal is not held: the next question is asked again", async () => {
  const source = alphaVantage({ url, key: "k" });
  serve = () => ({ body: '{"Information":"25 requests per day"}' });
  expect(await fault(source.earnings("2024-01-08", "2024-02-07"))).toMatch(/^unavailable: Alpha Vantage refused/);
  serve = () => ({ body: HEAD });
  expect(await fault(source.earnings("2024-01-08", "2024-02-07"))).toMatch(/^unavailable: .* unknown table/);
  const few = alphaVantage({ url, key: "k" });
  serve = () => ({ body: `${HEAD}\nAAA,A,2024-01-20,2023-12-31,,USD\n` });
  expect(await fault(few.earnings("2024-01-08", "2024-02-07"))).toMatch(/^unavailable: .* fewer reports/);
  serve = table;
  expect(await source.earnings("2024-01-08", "2024-02-07")).toHaveLength(1);
});

it("a test of the providers asks each calendar for ten days, Finnhub and Financial Modeling Prep for a quote, too, and the latter for sectors", async () => {
  const keys = { FINNHUB_TOKEN: "f", FMP_API_KEY: "m", ALPHA_VANTAGE_KEY: "a" };
  const urls = {
    FINNHUB_URL: vendor("finnhub"),
    FMP_URL: vendor("fmp"),
    ALPHA_VANTAGE_URL: vendor("alphavantage"),
  };
  const probe = (name: string) => PROBES.find(({ provider }) => provider === name);
  Object.assign(process.env, keys, urls);
  forgetEnv();
  const now = new Date(`${START}T15:00:00Z`);
  const says = (name: string) => probe(name)?.ask(now);
  expect(probe("Alpha Vantage")?.absence()).toBeNull();
  const calendar = String.raw`The earnings calendar answers: \d+ reports within 10 days\.$`;
  expect(await says("Alpha Vantage")).toMatch(new RegExp(`^${calendar}`));
  expect(await says("Finnhub")).toMatch(new RegExp(`^Quotes answer\\. ${calendar}`));
  expect(await says("Financial Modeling Prep")).toMatch(
    new RegExp(`^The list of sectors answers\\. Quotes answer\\. ${calendar}`),
  );
  for (const name of [...Object.keys(keys), ...Object.keys(urls)]) Reflect.deleteProperty(process.env, name);
  forgetEnv();
  expect(probe("Alpha Vantage")?.absence()).toBe("Not configured: ALPHA_VANTAGE_KEY is not set.");
});
