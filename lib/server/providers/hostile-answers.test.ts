import http from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Failure } from "@/lib/domain/failures.ts";
import { useLeastEnv } from "@/lib/proof/fixtures/least-env.ts";
import { alpacaData } from "./alpaca-data.ts";
import { alphaVantage } from "./alpha-vantage.ts";
import { cboe } from "./cboe.ts";
import { edgar } from "./edgar.ts";
import { finnhub } from "./finnhub.ts";
import { fmp } from "./fmp.ts";
import { fred } from "./fred.ts";

/** What the vendor answers next. */
let answer: { status: number; body: string | Buffer; headers?: Record<string, string> };
let server: http.Server;
let url: string;
beforeAll(async () => {
  // Calls are counted, and a longer run tries to write the counts: without settings that would fail by another error.
  useLeastEnv();
  server = http.createServer((_request, response) => {
    response.writeHead(answer.status, answer.headers ?? { "content-type": "application/json" });
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  answer = { status: 200, body: "{}" };
});

const alpaca = () => alpacaData({ tradingUrl: url, dataUrl: url, feed: "sip", keyId: "k", secret: "s" });
const sec = () => edgar({ url, dataUrl: url, contact: "ops@tradewind.example" });
const say = (body: unknown) => (answer = { status: 200, body: JSON.stringify(body) });
const goodBar = { t: "2020-03-02T05:00:00Z", o: 10, h: 11, l: 9, c: 10.5, v: 1000 };
const barsOf = async (rows: unknown[]) => {
  say({ bars: { ABC: rows }, next_page_token: null });
  return (await alpaca().dailyBars(["ABC"], "2020-03-01", "2020-03-31")).get("ABC") ?? [];
};

const isUnavailable = (error: unknown) => error instanceof Failure && error.code === "unavailable";

describe("daily bars", () => {
  it("a bar with a number that no price can be is refused, its neighbours stay (D1)", async () => {
    const later = { ...goodBar, t: "2020-03-04T05:00:00Z" };
    for (const bad of [0, -1, 1e308, null, "10", "NaN", true, [10], { v: 10 }])
      for (const field of ["o", "h", "l", "c"] as const) {
        const kept = await barsOf([goodBar, { ...goodBar, t: "2020-03-03T05:00:00Z", [field]: bad }, later]);
        expect(kept.map(({ session }) => session)).toEqual(["2020-03-02", "2020-03-04"]);
      }
    for (const bad of [-1, 1e308, null, "1"]) expect(await barsOf([{ ...goodBar, v: bad }])).toEqual([]);
    expect(await barsOf([{ ...goodBar, h: 8 }])).toEqual([]);
    expect(await barsOf([{ ...goodBar, t: "yesterday" }])).toEqual([]);
  });

  it("whatever rows a source sends, what gets in is finite, positive and in order (D1)", async () => {
    const value = fc.oneof(fc.double(), fc.string(), fc.constant(null), fc.integer({ min: 1, max: 100 }));
    const row = fc.record({
      t: fc.oneof(fc.constant("2020-03-02T05:00:00Z"), fc.constant("2020-03-05T05:00:00Z"), fc.string()),
      o: value,
      h: value,
      l: value,
      c: value,
      v: value,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 12 }), async (rows) => {
        const kept = await barsOf(rows);
        for (const { open, high, low, close, volume } of kept) {
          for (const price of [open, high, low, close]) expect(Number.isFinite(price) && price > 0).toBe(true);
          expect(volume).toBeGreaterThanOrEqual(0);
          expect(low <= Math.min(open, close) && high >= Math.max(open, close)).toBe(true);
        }
        expect(kept.map(({ session }) => session)).toEqual([...new Set(kept.map(({ session }) => session))].sort());
      }),
      { numRuns: 200 },
    );
  });

  it("duplicates, bars out of order and bars of the future are refused (D2)", async () => {
    const at = (day: string) => ({ ...goodBar, t: `2020-03-${day}T05:00:00Z` });
    const kept = await barsOf([at("03"), at("03"), at("02"), at("04"), { ...goodBar, t: "2020-04-01T05:00:00Z" }]);
    expect(kept.map(({ session }) => session)).toEqual(["2020-03-03", "2020-03-04"]);
  });

  it("a symbol named after a part of every object brings its own bars and nothing else (D9)", async () => {
    answer = {
      status: 200,
      body: `{"bars":{"__proto__":[${JSON.stringify(goodBar)}],"ABC":[${JSON.stringify(goodBar)}]},"next_page_token":null}`,
    };
    const rows = await alpaca().dailyBars(["ABC"], "2020-03-01", "2020-03-31");
    expect(rows.get("ABC")).toHaveLength(1);
    expect(({} as Record<string, unknown>).session).toBeUndefined();
  });
});

describe("a source that answers badly", () => {
  const asks: [string, () => Promise<unknown>][] = [
    ["the clock", () => alpaca().clock()],
    ["the calendar", () => alpaca().calendar("2020-03-01", "2020-03-31")],
    ["bars", () => alpaca().dailyBars(["ABC"], "2020-03-01", "2020-03-31")],
    ["corporate actions", () => alpaca().corporateActions("2020-03-01", "2020-03-31")],
    ["news", () => alpaca().news("2020-03-01T00:00:00Z")],
    ["assets", () => alpaca().assets()],
    ["earnings", () => finnhub({ url, token: "t" }).earnings("2020-03-01", "2020-03-31")],
    ["earnings of FMP", () => fmp({ url, key: "k" }).earnings("2020-03-01", "2020-03-31")],
    ["earnings of Alpha Vantage", () => alphaVantage({ url, key: "k" }).earnings("2020-03-01", "2020-03-31")],
    ["sectors", () => fmp({ url, key: "k" }).sectors()],
    ["VIX of CBOE", () => cboe({ url }).vix("2020-03-01", "2020-03-31")],
    ["VIX of FRED", () => fred({ url }).vix("2020-03-01", "2020-03-31")],
    ["tickers of the SEC", () => sec().tickers()],
    ["a company's filings", () => sec().company(320_193)],
  ];
  it.each(asks)("%s: an error, a page of HTML and a cut answer are no answer, and say so (D6)", async (_name, ask) => {
    for (const status of [401, 403, 429, 500, 502, 503]) {
      answer = { status, body: "{}" };
      await expect(ask()).rejects.toSatisfy(isUnavailable);
    }
    for (const body of ["<html>limit reached</html>", '{"bars":{"ABC":[', "null", "7", '"x"', "[[[[[[1]]]]]]", ""]) {
      answer = { status: 200, body };
      await expect(ask()).rejects.toSatisfy(isUnavailable);
    }
  });

  it("an answer that is deep beyond reason is refused, and the process lives on (D9)", async () => {
    answer = { status: 200, body: "[".repeat(200_000) };
    await expect(alpaca().assets()).rejects.toSatisfy(isUnavailable);
    answer = { status: 200, body: `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}` };
    await expect(alpaca().dailyBars(["ABC"], "2020-03-01", "2020-03-31")).rejects.toSatisfy(isUnavailable);
  });

  it("an answer longer than any true one is not read to its end (D9)", async () => {
    answer = { status: 200, body: Buffer.alloc(65 * 1024 * 1024, " ") };
    await expect(alpaca().assets()).rejects.toSatisfy(isUnavailable);
  });

  it("a redirect is not followed: keys go nowhere else", async () => {
    answer = { status: 302, body: "", headers: { location: "http://127.0.0.1:9/" } };
    await expect(alpaca().clock()).rejects.toSatisfy(isUnavailable);
  });
});

describe("calendars of reports", () => {
  const DAYS = ["2020-03-02", "2020-03-06"] as const;
  const SYMBOLS = ["", " ", "A B", "\t", "A\nB", "A".repeat(25), "A\u2028B", " ABC"];
  const DATES = ["", "soon", "2020-3-5", "2020-03-32", "2020-02-30", "05/03/2020", "20200305", "2020-03-05T00:00:00Z"];
  const MORE_DATES = "0000-00-00|2020-03-05 00:00:00|-2020-03-05|2020-03-0\u0665|NaN|null|[object Object]".split("|");
  const NO_TEXT = [null, undefined, 7, 0, true, [], {}, ["2020-03-05"], { date: "2020-03-05" }, 1e308];
  const outside = ["2020-03-01", "2020-03-07", "2019-03-05", "9999-12-31"];

  /** Asks with each body as the answer; none may bring more than a failure of the kind that says so. */
  async function allRefused(ask: () => Promise<unknown>, bodies: string[]) {
    expect(new Set(bodies).size).toBeGreaterThanOrEqual(60);
    for (const body of bodies) {
      answer = { status: 200, body };
      await expect(ask(), body.slice(0, 200)).rejects.toSatisfy(isUnavailable);
    }
  }

  it("Financial Modeling Prep: a row that cannot be read, a notice or another form makes the calendar unknown", async () => {
    const row = { symbol: "ABC", date: "2020-03-02" };
    const rows: unknown[] = [
      ...[...SYMBOLS, ...NO_TEXT].map((symbol) => ({ ...row, symbol })),
      ...[...DATES, ...MORE_DATES, ...NO_TEXT, ...outside].map((date) => ({ ...row, date })),
      ...[7, true, [], {}].map((time) => ({ ...row, time })),
      ...[null, 7, "ABC", [], [row], true],
    ];
    const notices = ["Error Message", "message", "error", "Note"].map((name) => ({ [name]: "Limit Reach" }));
    const forms = [...notices, { earningsCalendar: [row] }, { data: [row] }, { 0: row, length: 1 }, row];
    const asText = ["[", "[NaN]", "[]]", "\uFEFF[", "symbol,date\nABC,2020-03-02", JSON.stringify([row]).slice(0, -1)];
    const bodies = [...rows.map((bad) => [row, bad]), ...forms].map((body) => JSON.stringify(body));
    await allRefused(() => fmp({ url, key: "k" }).earnings(...DAYS), [...bodies, ...asText]);
    const times = ["", "constructor", "__proto__", "BMO", "bmo"];
    say(times.map((time) => ({ ...row, time, epsActual: {} })));
    const read = await fmp({ url, key: "k" }).earnings(...DAYS);
    expect(read.map(({ time }) => time)).toEqual(["UNKNOWN", "UNKNOWN", "UNKNOWN", "UNKNOWN", "BMO"]);
  });

  it("Alpha Vantage: a row that cannot be read, a notice or another table makes the calendar unknown", async () => {
    const head = "symbol,name,reportDate,fiscalDateEnding,estimate,currency,timeOfTheDay";
    const line = (symbol: string, date: string) => `${symbol},Abc Inc,${date},2019-12-31,1.5,USD,`;
    const table = (...lines: string[]) => [head, line("ABC", "2020-03-02"), ...lines].join("\r\n");
    const rows = [
      ...SYMBOLS.map((symbol) => line(`"${symbol}"`, "2020-03-02")),
      ...[...DATES, ...MORE_DATES, "undefined", "true", "7", "1e+308"].map((date) => line("ABC", date)),
      ..."I,n,f,o,r,m,a|ABC|ABC,Abc|,,,,,,|{}|\u0000|ABC;2020-03-02".split("|"),
      `${line("ABC", "2020-03-02")},`,
      ...[`"ABC${line("", "2020-03-02")}`, line('A"BC', "2020-03-02"), line('"A"BC', "2020-03-02"), 'ABC,"Abc'],
      ...["ABC,Abc, Inc,2020-03-02,2019-12-31,1.5,USD,", `\n${line("ABC", "2020-03-02")}`],
    ];
    const names = ["Note", "Information", "Error Message", "Meta", "Note\u0000"];
    const notices = names.map((name) => JSON.stringify({ [name]: "25 requests per day" }));
    const tables = "reportDate\n2020-03-02|symbol\nABC|symbol,date\nABC,2020-03-02|\uFEFF|\r\n\r\n".split("|");
    const texts = '[]|{|  {"Note":""}|"|,|"symbol","reportDate|%PDF-1.7'.split("|");
    const others = [head, `${head}\r\n`, line("ABC", "2020-03-02"), ...tables, ...texts];
    await allRefused(
      () => alphaVantage({ url, key: "k", countedAs: "Practice market" }).earnings(...DAYS),
      [...rows.map((bad) => table(bad)), ...notices, ...others],
    );
    const times = ["", "constructor", "__proto__", "pre-market", "post-market"];
    answer = { status: 200, body: table(...times.map((time) => `ABC,"A ""B"", C",2020-03-05,,,,${time}`)) };
    const read = await alphaVantage({ url, key: "k", countedAs: "Practice market" }).earnings(
      "2020-03-05",
      "2020-03-06",
    );
    expect(read.map(({ time }) => time)).toEqual(["UNKNOWN", "UNKNOWN", "UNKNOWN", "BMO", "AMC"]);
  });

  it("a key in a vendor's own words reaches neither the sentence nor the cause", async () => {
    say({
      Information: "We have detected your API key as SECRETKEY and our standard API rate limit is 25 requests per day",
    });
    const refusal: unknown = await alphaVantage({ url, key: "SECRETKEY" })
      .earnings(...DAYS)
      .catch((error: unknown) => error);
    expect(refusal).toSatisfy(isUnavailable);
    expect(inspect(refusal, { depth: 9 })).not.toContain("SECRETKEY");
  });
});

describe("single rows", () => {
  it("tickers that cannot be read are left out, share classes have the broker's dot, and no ticker is no answer", async () => {
    const row = { cik_str: 320_193, ticker: "AAPL", title: "Apple Inc." };
    const bad = [
      { ...row, ticker: "" },
      { ...row, ticker: 7 },
      { ...row, cik_str: "1" },
      { ...row, cik_str: -1 },
      null,
      7,
    ];
    // The same answer serves for the list of companies and for the one of funds.
    const fields = ["symbol", "cik"];
    const data = [["VOO", 36_405], ["", 36_405], ["IVV", "1"], ["IVV"], []];
    say({ ...[row, { ...row, cik_str: 1_067_983, ticker: "brk-b" }, ...bad], fields, data });
    expect([...(await sec().tickers())]).toEqual([
      ["VOO", 36_405],
      ["AAPL", 320_193],
      ["BRK.B", 1_067_983],
    ]);
    for (const none of [{}, { 0: bad[0] }, { fields, data: [] }, { 0: row }, { 0: row, fields, data: [] }]) {
      say(none);
      await expect(sec().tickers()).rejects.toSatisfy(isUnavailable);
    }
  });

  it("of a company's filings only those of results count, each once, newest first; uneven columns are refused", async () => {
    const at = (day: string) => `2020-0${day}T21:05:00.000Z`;
    const filings = (rows: [form: string, items: string, at: unknown][]) => ({
      sic: "3571",
      filings: {
        recent: {
          form: rows.map(([f]) => f),
          items: rows.map(([, i]) => i),
          acceptanceDateTime: rows.map((r) => r[2]),
        },
      },
    });
    say(
      filings([
        ["8-K", "2.02,9.01", at("1-28")],
        ["8-K", "5.02", at("2-03")],
        ["10-Q", "", at("2-04")],
        ["8-K", "9.01, 2.02", at("4-30")],
        ["8-K", "2.02", at("4-30")],
        ["8-K", "12.02", at("5-01")],
        ["8-K", "2.02", "soon"],
        ["8-K", "2.02", "20200501"],
        ["8-K", "2.02", "1900-01-01T00:00:00Z"],
      ]),
    );
    expect(await sec().company(320_193)).toEqual({ sic: 3571, announcedAt: [at("4-30"), at("1-28")] });
    for (const sic of [null, "", "0", "35711", "3571x", "-571"]) {
      say({ ...filings([]), sic });
      expect(await sec().company(1)).toEqual({ sic: null, announcedAt: [] });
    }
    const uneven = filings([["8-K", "2.02", at("1-28")]]);
    for (const recent of [
      { ...uneven.filings.recent, form: [] },
      { ...uneven.filings.recent, items: ["2.02", "2.02"] },
      { ...uneven.filings.recent, acceptanceDateTime: [] },
      { ...uneven.filings.recent, acceptanceDateTime: [7] },
      {},
    ]) {
      say({ ...uneven, filings: { recent } });
      await expect(sec().company(1)).rejects.toSatisfy(isUnavailable);
    }
  });

  it("an asset or a headline that cannot be read is left out, the others stay", async () => {
    const asset = { symbol: "ABC", name: "Abc", exchange: "NYSE", status: "active", tradable: true };
    say([asset, { ...asset, symbol: 7 }, null, "ABC"]);
    expect(await alpaca().assets()).toHaveLength(1);
    const item = { id: 1, headline: "Up", source: "x", created_at: "2020-03-02T10:00:00Z", symbols: ["ABC"] };
    say({ news: [item, { ...item, id: 2, created_at: "soon" }, 7], next_page_token: null });
    expect(await alpaca().news("2020-03-01T00:00:00Z")).toHaveLength(1);
  });

  it("one earnings row that cannot be read makes the whole calendar unknown: it may be the one that matters", async () => {
    const row = { date: "2020-03-05", hour: "amc", symbol: "ABC" };
    say({ earningsCalendar: [row, { ...row, date: "next week" }] });
    await expect(finnhub({ url, token: "t" }).earnings("2020-03-01", "2020-03-31")).rejects.toSatisfy(isUnavailable);
  });

  it("a VIX that is missing, negative or no number is left out, never taken for 0 (D4)", async () => {
    const rows = ["03/02/2020,1,1,1,.", "03/03/2020,1,1,1,-5", "03/04/2020,1,1,1,", "03/05/2020,1,1,1,31.5"];
    answer = { status: 200, body: ["DATE,OPEN,HIGH,LOW,CLOSE", ...rows].join("\n") };
    expect(await cboe({ url }).vix("2020-03-01", "2020-03-31")).toEqual([{ session: "2020-03-05", close: 31.5 }]);
    const series = ["2020-03-02,.", "2020-03-03,-5", "2020-03-04,", "2020-03-05,31.5", "soon,40", "2020-04-01,50"];
    for (const header of ["observation_date,VIXCLS", "DATE,VIXCLS"]) {
      answer = { status: 200, body: [header, ...series].join("\n") };
      expect(await fred({ url }).vix("2020-03-01", "2020-03-31")).toEqual([{ session: "2020-03-05", close: 31.5 }]);
    }
  });
});
