import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { addDays } from "../../domain/time.ts";
import { generateMarket } from "../market/generated.ts";
import { newsOf } from "../market/news.ts";
import { sessionsOf } from "../market/sessions.ts";
import type { Market } from "../market/source.ts";
import type { Exchange } from "../start.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import { labelOf, scoreText } from "./sentiment.ts";
import { readVendorKeys } from "./settings.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

type Json = Record<string, unknown>;

const START = "2024-01-08";
const market: Market = generateMarket({ seed: 3, start: START });
market.extendTo("2024-03-01");
let open: Exchange;
let locked: Exchange;

beforeAll(async () => {
  open = await startTestExchange({ port: 0, paused: true, seed: 3 });
  await open.control.clock({ advanceMinutes: 120 });
  const vendorKeys = readVendorKeys("finnhub=fk,fmp=mk,alphavantage=ak,fred=rk,llm=lk");
  locked = await startTestExchange({ port: 0, paused: true, seed: 3, vendorKeys });
});

afterAll(() => Promise.all([open.close(), locked.close()]));

async function get(on: Exchange, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${on.url}/vendors/${path}`, { headers });
  const text = await response.text();
  const isJson = (response.headers.get("content-type") ?? "").includes("json");
  return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text };
}

async function complete(on: Exchange, content: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${on.url}/vendors/llm/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({
      model: "any",
      messages: [
        { role: "system", content: "Answer in JSON." },
        { role: "user", content: typeof content === "string" ? content : JSON.stringify(content) },
      ],
    }),
  });
  const body = (await response.json()) as { choices?: { message: { content: string } }[] };
  const said = body.choices?.[0]?.message.content;
  return { status: response.status, body, said: said === undefined ? undefined : (JSON.parse(said) as Json) };
}

describe("prices of the vendors", () => {
  const shown = market.symbols[0]!;
  it("are the same at each of them, and the market's own", async () => {
    const finnhub = (await get(open, `finnhub/api/v1/quote?symbol=${shown}`)).body as {
      c: number;
      pc: number;
      t: number;
    };
    const { body } = await get(open, `fmp/stable/batch-quote?symbols=${shown},NOWHERE`);
    expect(body).toMatchObject([{ symbol: shown, price: finnhub.c, previousClose: finnhub.pc, timestamp: finnhub.t }]);
    const closes = (await get(open, `fmp/stable/historical-price-eod/light?symbol=${shown}&from=2024-01-01`))
      .body as Json[];
    expect(closes[0]).toMatchObject({ symbol: shown, date: START, price: finnhub.c });
    expect(closes[1]).toMatchObject({ price: finnhub.pc });
    const quote = (
      (await get(open, `alphavantage/query?function=GLOBAL_QUOTE&symbol=${shown}`)).body as { "Global Quote": Json }
    )["Global Quote"];
    expect(quote).toMatchObject({ "01. symbol": shown, "07. latest trading day": START });
    expect(Number(quote["05. price"])).toBeCloseTo(finnhub.c, 3);
    expect((await get(open, "alphavantage/query?function=GLOBAL_QUOTE&symbol=NOWHERE")).body).toEqual({
      "Global Quote": {},
    });
  });

  it("deviate by a percentage where they are told to, of one vendor and one symbol alone", async () => {
    const other = market.symbols[1]!;
    const read = async () =>
      (await get(open, `fmp/stable/batch-quote?symbols=${shown},${other}`)).body as {
        price: number;
        previousClose: number;
      }[];
    const [before, others] = await read();
    open.control.addFault({ kind: "deviating_prices", vendor: "fmp", percent: 2, form: "quote", symbol: shown });
    const [after, unchanged] = await read();
    expect(after!.price).toBeCloseTo(before!.price * 1.02, 3);
    expect(after!.previousClose).toBe(before!.previousClose);
    expect(unchanged).toEqual(others);
    const { body } = await get(open, `finnhub/api/v1/quote?symbol=${shown}`);
    expect((body as { c: number }).c).toBe(before!.price);
    open.control.clearFaults();
    expect(await read()).toEqual([before, others]);
  });
});

describe("Finnhub", () => {
  it("tells past reports with their numbers and coming ones without", async () => {
    const { body } = await get(open, "finnhub/api/v1/calendar/earnings?from=2023-12-01&to=2024-06-30");
    const rows = (
      body as { earningsCalendar: { date: string; symbol: string; epsActual: number | null; hour: string }[] }
    ).earningsCalendar;
    const known = market.earnings.filter(({ date }) => date >= "2023-12-01" && date <= addDays(START, 30));
    expect(rows.map(({ date, symbol }) => `${date} ${symbol}`).sort()).toEqual(
      known.map(({ date, symbol }) => `${date} ${symbol}`).sort(),
    );
    for (const { date, epsActual, hour } of rows)
      expect(epsActual !== null).toBe(date < START || (date === START && hour === "bmo"));
  });

  it("quotes the price of the data API, and zeros for what it does not know", async () => {
    const account = await open.control.createAccount();
    const headers = { "APCA-API-KEY-ID": account.key_id, "APCA-API-SECRET-KEY": account.secret };
    const snapshot = (await (await fetch(`${open.url}/v2/stocks/SPY/snapshot`, { headers })).json()) as Record<
      string,
      Json
    >;
    const { c, pc, h, l, o } = (await get(open, "finnhub/api/v1/quote?symbol=SPY")).body as Json;
    expect({ c, h, l, o }).toEqual({
      c: snapshot.latestTrade?.p,
      h: snapshot.dailyBar?.h,
      l: snapshot.dailyBar?.l,
      o: snapshot.dailyBar?.o,
    });
    expect(pc).toBe(snapshot.prevDailyBar?.c);
    expect((await get(open, "finnhub/api/v1/quote?symbol=NOPE")).body).toMatchObject({ c: 0, d: null, pc: 0 });
  });

  it("has the company's news and how good they were", async () => {
    const at = market.sessionIndex("2024-01-05") as number;
    const items = newsOf(market, sessionsOf(market), at);
    const symbol = items[0]?.symbol as string;
    const { body } = await get(open, `finnhub/api/v1/company-news?symbol=${symbol}&from=2024-01-05&to=2024-01-05`);
    const ids = (body as { id: number; headline: string; datetime: number }[]).map(({ id }) => id);
    expect(ids).toEqual(
      items
        .filter((item) => item.symbol === symbol)
        .map(({ id }) => id)
        .reverse(),
    );
    const sentiment = (await get(open, `finnhub/api/v1/news-sentiment?symbol=${symbol}`)).body as {
      buzz: Json;
      sentiment: { bearishPercent: number; bullishPercent: number };
    };
    expect(sentiment.buzz.articlesInLastWeek).toBeGreaterThan(0);
    expect(sentiment.sentiment.bearishPercent + sentiment.sentiment.bullishPercent).toBeCloseTo(1, 6);
  });
});

describe("Financial Modeling Prep", () => {
  it("silently answers one day of a longer range, and all of that day", async () => {
    const days = [...new Set(market.earnings.map(({ date }) => date))]
      .filter((date) => date >= "2023-12-01" && date < "2024-01-05")
      .sort();
    const [first, last] = [days[0], days.at(-1)] as [string, string];
    const range = (await get(open, `fmp/stable/earnings-calendar?from=${first}&to=${last}`)).body as { date: string }[];
    expect(new Set(range.map(({ date }) => date))).toEqual(new Set([last]));
    const one = (await get(open, `fmp/stable/earnings-calendar?from=${first}&to=${first}`)).body as {
      symbol: string;
    }[];
    const there = market.earnings.filter(({ date }) => date === first).map(({ symbol }) => symbol);
    expect(one.map(({ symbol }) => symbol).sort()).toEqual(there.sort());
  });

  it("knows sectors and companies", async () => {
    const listed = (await get(open, "fmp/stable/company-screener?limit=10000")).body as {
      symbol: string;
      sector: string;
    }[];
    expect(listed).toHaveLength(501);
    const symbol = listed[7]?.symbol as string;
    const [profile] = (await get(open, `fmp/stable/profile?symbol=${symbol}`)).body as Json[];
    expect(profile).toMatchObject({
      symbol,
      sector: market.assets.get(symbol)?.sector,
      companyName: market.assets.get(symbol)?.name,
    });
    expect((await get(open, "fmp/stable/profile?symbol=NOPE")).body).toEqual([]);
    const [target] = (await get(open, `fmp/stable/price-target-consensus?symbol=${symbol}`)).body as {
      targetHigh: number;
      targetLow: number;
    }[];
    expect(target?.targetHigh).toBeGreaterThan(target?.targetLow as number);
  });
});

describe("Alpha Vantage", () => {
  it("tells coming reports as CSV", async () => {
    const { body } = await get(open, "alphavantage/query?function=EARNINGS_CALENDAR&horizon=3month");
    const [header, ...lines] = String(body).trim().split("\r\n");
    expect(header).toBe("symbol,name,reportDate,fiscalDateEnding,estimate,currency,timeOfTheDay");
    const coming = market.earnings.filter(
      ({ date, hour }) => (date > START && date <= addDays(START, 30)) || (date === START && hour !== "bmo"),
    );
    expect(lines.length).toBe(coming.length);
    expect(lines.every((line) => line.split(",").length === 7)).toBe(true);
  });

  it("scores news, the article with a number and the ticker with text", async () => {
    const { body } = await get(open, "alphavantage/query?function=NEWS_SENTIMENT&limit=200&sort=EARLIEST");
    const feed = (
      body as { feed: { overall_sentiment_score: number; time_published: string; ticker_sentiment: Json[] }[] }
    ).feed;
    expect(feed.length).toBe(200);
    for (const { overall_sentiment_score: score, ticker_sentiment: tickers } of feed) {
      expect(Math.abs(score)).toBeLessThanOrEqual(0.5);
      expect(tickers[0]?.ticker_sentiment_score).toBe(String(score));
    }
    expect(feed.map(({ time_published: at }) => at)).toEqual(feed.map(({ time_published: at }) => at).toSorted());
  });

  it("reports what is wrong with 200 and JSON", async () => {
    const { status, body } = await get(open, "alphavantage/query?function=TIME_SERIES");
    expect([status, Object.keys(body as Json)]).toEqual([200, ["Error Message"]]);
    expect((await get(open, "alphavantage/query?function=constructor")).status).toBe(200);
  });
});

it("the three calendars of reports tell the same: past ones where they have them, coming ones in each", async () => {
  const [from, to] = [addDays(START, -10), addDays(START, 20)];
  const path = "finnhub/api/v1/calendar/earnings";
  const { earningsCalendar } = (await get(open, `${path}?from=${from}&to=${to}`)).body as {
    earningsCalendar: { date: string; symbol: string; epsActual: number | null }[];
  };
  const datesOf = (rows: { date: string; symbol: string }[]) =>
    rows.map(({ date, symbol }) => `${date} ${symbol}`).sort();
  const days = Array.from({ length: 31 }, (_, i) => addDays(from, i));
  const daily = await Promise.all(
    days.map(async (day) => (await get(open, `fmp/stable/earnings-calendar?from=${day}&to=${day}`)).body),
  );
  expect(datesOf(daily.flat() as { date: string; symbol: string }[])).toEqual(datesOf(earningsCalendar));
  const csv = String((await get(open, "alphavantage/query?function=EARNINGS_CALENDAR&horizon=3month")).body);
  const lines = csv.trim().split("\r\n").slice(1);
  const coming = lines.map((line) => ({ symbol: line.split(",")[0] ?? "", date: line.split(",").at(-5) ?? "" }));
  expect(datesOf(coming.filter(({ date }) => date <= to))).toEqual(
    datesOf(earningsCalendar.filter(({ epsActual }) => epsActual === null)),
  );
});

describe("CBOE and FRED", () => {
  it("tell the VIX of finished sessions: CBOE at once, FRED on the next day", async () => {
    const past = market.vix.filter(({ date }) => date < START);
    const cboe = String((await get(open, "cboe/VIX_History.csv")).body)
      .trim()
      .split("\n");
    expect(cboe).toHaveLength(past.length + 1);
    expect(cboe.at(-1)?.startsWith("01/05/2024,")).toBe(true);
    const fred = String((await get(open, "fred/graph/fredgraph.csv?id=VIXCLS&cosd=2023-12-20")).body)
      .trim()
      .split("\n");
    expect(fred[0]).toBe("observation_date,VIXCLS");
    expect(fred).toContain("2023-12-25,");
    expect(fred.at(-1)).toBe(`2024-01-05,${past.at(-1)?.close.toFixed(2) ?? ""}`);
    const path =
      "fred/fred/series/observations?series_id=VIXCLS&file_type=json&sort_order=desc&limit=2&observation_start=2023-12-20";
    const { observations } = (await get(open, path)).body as { observations: { date: string; value: string }[] };
    expect(observations.map(({ date }) => date)).toEqual(["2024-01-05", "2024-01-04"]);
    expect((await get(open, "fred/fred/series?series_id=VIXCLS&file_type=json")).body).toMatchObject({
      seriess: [{ id: "VIXCLS" }],
    });
    expect((await get(open, "fred/fred/series/observations?series_id=NOPE&file_type=json")).status).toBe(400);
  });
});

describe("the language model", () => {
  it("scores headlines the same way every time, and as the news were meant", async () => {
    const items = Array.from({ length: 20 }, (_, i) =>
      newsOf(market, sessionsOf(market), (market.sessionIndex(START) as number) - i),
    ).flat();
    const clear = items.filter(({ stance }) => Math.abs(stance) >= 0.3);
    expect(clear.length).toBeGreaterThan(100);
    const headlines = clear.map(({ id, headline }) => ({ id, headline }));
    const first = await complete(open, { headlines });
    const scores = first.said?.scores as { id: number; score: number; label: string }[];
    expect(scores.map(({ id }) => id)).toEqual(clear.map(({ id }) => id));
    scores.forEach(({ score, label }, i) => {
      expect({ headline: clear[i]?.headline, sign: Math.sign(score) }).toEqual({
        headline: clear[i]?.headline,
        sign: Math.sign(clear[i]?.stance as number),
      });
      expect(label).toBe(labelOf(score));
    });
    expect((await complete(open, { headlines })).body).toEqual(first.body);
    expect((await complete(open, "Profit falls, shares tumble")).said).toMatchObject({ label: "negative" });
    expect(scoreText("the board met on Tuesday")).toBe(0);
  });

  it("retells facts, each sentence citing its own, and adds nothing", async () => {
    const facts = [
      { id: "r1", text: "3 positions were opened" },
      { id: "r2", text: "the day's result is 12.50 USD" },
    ];
    const { said } = await complete(open, { facts });
    const sentences = said?.sentences as { text: string; cites: string[] }[];
    expect(sentences.map(({ cites }) => cites)).toEqual([["r1"], ["r2"]]);
    sentences.forEach(({ text }, i) => expect(text).toContain(facts[i]?.text));
    expect(said?.insight).toBe(sentences.map(({ text }) => text).join(" "));
  });

  it("refuses what is not a conversation", async () => {
    const response = await fetch(`${open.url}/vendors/llm/v1/chat/completions`, {
      method: "POST",
      body: '{"messages":[]}',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: "invalid_request_error" } });
  });
});

describe("where a key is set", () => {
  it("each vendor refuses a wrong one in its own way", async () => {
    expect(await get(locked, "finnhub/api/v1/quote?symbol=SPY")).toEqual({
      status: 401,
      body: { error: "Please use an API key." },
    });
    expect((await get(locked, "finnhub/api/v1/quote?symbol=SPY&token=no")).status).toBe(401);
    expect((await get(locked, "finnhub/api/v1/quote?symbol=SPY", { "X-Finnhub-Token": "fk" })).status).toBe(200);
    expect(await get(locked, "fmp/stable/profile?symbol=SPY&apikey=no")).toMatchObject({
      status: 401,
      body: { "Error Message": expect.any(String) as string },
    });
    expect((await get(locked, "fmp/stable/profile?symbol=SPY&apikey=mk")).status).toBe(200);
    expect(await get(locked, "alphavantage/query?function=EARNINGS_CALENDAR&apikey=no")).toMatchObject({
      status: 200,
      body: { "Error Message": expect.any(String) as string },
    });
    expect(await get(locked, "fred/fred/series?series_id=VIXCLS&file_type=json&api_key=no")).toMatchObject({
      status: 400,
      body: { error_code: 400 },
    });
    expect((await get(locked, "fred/graph/fredgraph.csv?id=VIXCLS")).status).toBe(200);
    expect((await get(locked, "cboe/VIX_History.csv")).status).toBe(200);
    expect((await complete(locked, "x")).body).toMatchObject({ error: { code: "invalid_api_key" } });
    expect((await complete(locked, "x", { authorization: "Bearer lk" })).status).toBe(200);
  });

  it("the free plan's limit ends the answers until its window of market time is over", async () => {
    const ask = () => get(locked, "alphavantage/query?function=NEWS_SENTIMENT&tickers=SPY&apikey=ak");
    for (let i = 0; i < 25; i += 1) expect((await ask()).body).toHaveProperty("feed");
    expect(await ask()).toMatchObject({ status: 200, body: { Information: expect.any(String) as string } });
    const quote = () => get(locked, "finnhub/api/v1/quote?symbol=SPY&token=fk");
    const statuses: number[] = [];
    for (let i = 0; i < 61; i += 1) statuses.push((await quote()).status);
    expect(statuses.at(-1)).toBe(429);
    await locked.control.clock({ advanceMinutes: 1 });
    expect((await quote()).status).toBe(200);
    expect((await ask()).body).toHaveProperty("Information");
    await locked.control.clock({ advanceMinutes: 390 });
    expect((await ask()).body).toHaveProperty("feed");
  });

  it("a mistyped setting is refused", () => {
    expect(() => readVendorKeys("finhub=x")).toThrow();
    expect(() => readVendorKeys("finnhub")).toThrow();
    expect(readVendorKeys(undefined)).toEqual({});
  });
});
