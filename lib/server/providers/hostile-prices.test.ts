import http from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { VendorPrice } from "@/lib/domain/consensus/judge-symbol.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { useLeastEnv } from "@/lib/proof/fixtures/least-env.ts";
import { alphaVantageClose, alphaVantageCloses } from "./alpha-vantage.ts";
import { closeCircuits } from "./circuit.ts";
import { finnhub, finnhubPrices } from "./finnhub.ts";
import { fmpCloses, fmpPrices, fmpQuotes } from "./fmp-prices.ts";
import type { PriceSource } from "./market-data.ts";

/** What the vendor answers, by the request's address. */
let answer: (url: URL) => { status: number; body: string };
let asked: URL[] = [];
let server: http.Server;
let url: string;
beforeAll(async () => {
  useLeastEnv();
  server = http.createServer((request, response) => {
    const address = new URL(request.url ?? "/", url);
    asked.push(address);
    const { status, body } = answer(address);
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
  closeCircuits();
});

const say = (body: string, status = 200) => (answer = () => ({ status, body }));
const isUnavailable = (error: unknown) => error instanceof Failure && error.code === "unavailable";

const NO_PRICES = [-1, -0.01, 1e-9, 1e308, 1e12, "101.2", "", "NaN", null, true, [], {}, [101.2], { value: 101.2 }];
const NO_SECONDS = [0, -1, 1.5, 1e12, 946_684_799, 4_102_444_801, "1583420400", null, true, [], {}, "2020-03-05"];
const NO_DATES = ["", "soon", "2020-3-5", "2020-03-32", "2020-02-30", "05/03/2020", "20200305", 7, null, true, [], {}];
/** Answers that are no JSON, or JSON of another kind. */
const FORMS = [
  "<html>limit reached</html>",
  "",
  "null",
  "7",
  '"x"',
  "true",
  "[[[[1]]]]",
  "[",
  "{",
  "{]",
  "NaN",
  "\uFEFF{}",
];
const NOTICES = ["Error Message", "Information", "Note", "error", "message"].map((name) =>
  JSON.stringify({ [name]: "We have detected your API key as SECRETKEY; limit reached" }),
);
const without = (row: object, field: string) =>
  Object.fromEntries(Object.entries(row).filter(([key]) => key !== field));
const json = (value: unknown) => JSON.stringify(value);

/** Every body is refused with the failure that says so, by the call and by the source that is made of it, which holds nothing of it. */
async function allRefused(ask: () => Promise<unknown>, source: () => PriceSource, bodies: string[]) {
  expect(new Set(bodies).size).toBeGreaterThanOrEqual(60);
  for (const body of bodies) {
    say(body);
    await expect(ask(), body.slice(0, 200)).rejects.toSatisfy(isUnavailable);
    closeCircuits();
    const found = await source()
      .prices(["ABC"])
      .catch((error: unknown) => error);
    expect(found, body.slice(0, 200)).toSatisfy(isUnavailable);
    expect(inspect(found, { depth: 9 })).not.toContain("SECRETKEY");
  }
}

/** The numbers of a row, each in its place with what no number may be there. */
const spoilt = (row: object, bad: Record<string, readonly unknown[]>) =>
  Object.entries(bad).flatMap(([field, values]) => [
    ...values.map((value) => ({ ...row, [field]: value })),
    without(row, field),
  ]);

const AT = "2020-03-05T15:00:00.000Z";
const SECONDS = Date.parse(AT) / 1_000;
const TOLD: VendorPrice = { price: "101.2", previousClose: "100", at: AT, day: "2020-03-05" };

describe("Finnhub's quote", () => {
  const row = { c: 101.2, d: 1.2, dp: 1.2, h: 102, l: 100, o: 100, pc: 100, t: SECONDS };
  const ask = () => finnhub({ url, token: "t" }).quoteOf("ABC");

  it("is read with its time and the close before; zeros throughout are a symbol that is not known", async () => {
    say(json(row));
    expect(await ask()).toEqual(TOLD);
    for (const pc of [0, null, undefined]) {
      say(json({ ...row, pc }));
      expect(await ask()).toEqual({ ...TOLD, previousClose: null });
    }
    say(json({ ...row, c: 0, pc: 0, t: 0 }));
    expect(await ask()).toBeNull();
  });

  it("an answer that cannot be read is none, and nothing of it is held", async () => {
    const rows = spoilt(row, { c: [...NO_PRICES, 0], t: NO_SECONDS });
    const closes = NO_PRICES.filter((value) => value !== null).map((pc) => ({ ...row, pc }));
    const halves = [{ ...row, c: 0 }, { ...row, c: 0, pc: 0 }, [row], { quote: row }];
    const bodies = [...[...rows, ...closes, ...halves].map(json), ...FORMS, ...NOTICES];
    await allRefused(ask, () => finnhubPrices({ url, token: "t" }), bodies);
  });
});

describe("Financial Modeling Prep's quotes", () => {
  const row = { symbol: "ABC", price: 101.2, previousClose: 100, timestamp: SECONDS };
  const ask = () => fmpQuotes({ url, key: "k" }, ["ABC", "BRK.B"]);

  it("come in one answer; share classes have the broker's dot, and who was not asked for is left out", async () => {
    say(json([row, { ...row, symbol: "BRK-B" }, { ...row, symbol: "ZZZ" }]));
    expect([...(await ask())]).toEqual([
      ["ABC", TOLD],
      ["BRK.B", TOLD],
    ]);
    expect(asked[0]?.searchParams.get("symbols")).toBe("ABC,BRK-B");
  });

  it("a row that cannot be read is left out, its neighbours stay", async () => {
    const symbols = ["", " ABC", "abc", "ABC ", "A\u0000", 7, null, true, [], {}, "__proto__", "constructor"];
    const bad: unknown[] = [
      ...spoilt(row, { price: [...NO_PRICES, 0], timestamp: NO_SECONDS, symbol: symbols }),
      ...NO_PRICES.filter((value) => value !== null).map((previousClose) => ({ ...row, previousClose })),
      ...[null, 7, "ABC", [], [row], true],
    ];
    expect(bad.length).toBeGreaterThanOrEqual(60);
    for (const each of bad) {
      say(json([each, { ...row, symbol: "BRK-B" }]));
      expect([...(await ask()).keys()], json(each)).toEqual(["BRK.B"]);
    }
  });

  it("another form is no answer", async () => {
    const forms = [row, { data: [row] }, { 0: row, length: 1 }, { quotes: [] }].map(json);
    for (const body of [...forms, ...NOTICES, ...FORMS.filter((form) => form !== "[[[[1]]]]")]) {
      say(body);
      await expect(ask(), body).rejects.toSatisfy(isUnavailable);
      closeCircuits();
    }
  });

  it("where the plan leaves them out, the closes of each symbol are read, and quotes are not asked for again", async () => {
    answer = ({ pathname }) =>
      pathname.endsWith("batch-quote")
        ? { status: 402, body: "{}" }
        : { status: 200, body: json([{ symbol: "ABC", date: "2020-03-04", price: 100 }]) };
    const source = fmpPrices({ url, key: "k" });
    const close = { price: "100", previousClose: null, at: null, day: "2020-03-04" };
    expect([...(await source.prices(["ABC"]))]).toEqual([["ABC", close]]);
    expect([...(await source.prices(["ABC"]))]).toEqual([["ABC", close]]);
    expect(asked.map(({ pathname }) => pathname.split("/").at(-1))).toEqual(["batch-quote", "light"]);
  });

  it("what was read minutes ago is not asked for again, and what is new is asked for alone", async () => {
    say(json([row, { ...row, symbol: "NEW" }]));
    const source = fmpPrices({ url, key: "k" });
    await source.prices(["ABC"]);
    expect([...(await source.prices(["ABC", "NEW"])).keys()]).toEqual(["ABC", "NEW"]);
    expect(asked.map(({ searchParams }) => searchParams.get("symbols"))).toEqual(["ABC", "NEW"]);
  });
});

describe("Financial Modeling Prep's closes", () => {
  const row = { symbol: "ABC", date: "2020-03-05", price: 101.2, volume: 1 };
  const before = { ...row, date: "2020-03-04", price: 100 };
  const options = () => ({ url, key: "k" });
  const ask = () => fmpCloses(options(), "ABC", new Date(AT));

  it("the newest day counts, in whichever order they come; without one nothing is known", async () => {
    for (const rows of [
      [row, before],
      [before, row],
    ]) {
      say(json(rows));
      expect(await ask()).toEqual({ ...TOLD, at: null });
    }
    say("[]");
    expect(await ask()).toBeNull();
  });

  it("a row that cannot be read, of another symbol, or another form is no answer, and nothing of it is held", async () => {
    const rows = spoilt(row, { price: [...NO_PRICES, 0], date: NO_DATES, symbol: ["", "ABD", "abc", 7, null, [], {}] });
    const bad = [...rows, null, 7, "ABC", [], [row], true].map((each) => json([before, each]));
    const forms = [row, { historical: [row] }, { 0: row, length: 1 }].map(json);
    const texts = FORMS.filter((form) => form !== "[[[[1]]]]");
    const bodies = [...bad, ...forms, ...NOTICES, ...texts];
    const source = () => {
      const closes = fmpPrices(options());
      const spoiltBody = answer;
      answer = (address) =>
        address.pathname.endsWith("batch-quote") ? { status: 403, body: "{}" } : spoiltBody(address);
      return closes;
    };
    await allRefused(ask, source, bodies);
  });
});

describe("Alpha Vantage's close", () => {
  const row = {
    "01. symbol": "ABC",
    "05. price": "101.2000",
    "07. latest trading day": "2020-03-05",
    "08. previous close": "100.0000",
  };
  const quote = (of: unknown) => json({ "Global Quote": of });
  const ask = () => alphaVantageClose({ url, key: "SECRETKEY" }, "ABC");

  it("names the day alone; an empty one is a symbol that is not known", async () => {
    say(quote(row));
    expect(await ask()).toEqual({ ...TOLD, at: null });
    say(quote({ ...row, "01. symbol": "BRK-B" }));
    expect(await alphaVantageClose({ url, key: "k" }, "BRK.B")).toMatchObject({ price: "101.2" });
    say(quote({}));
    expect(await ask()).toBeNull();
  });

  it("a notice, another form, or a value that cannot be read is no answer, and nothing of it is held", async () => {
    const prices = ["", "0", "-1", "NaN", "1e3", "Infinity", " 101.2", "101,2", "$101.20", 101.2, null, true, [], {}];
    const closes = prices.filter((price) => price !== "0");
    const rows = spoilt(row, {
      "05. price": [...prices, "99999999", "1.123456789"],
      "08. previous close": [...closes, "99999999"],
      "07. latest trading day": NO_DATES,
      "01. symbol": ["", "ABD", "A", 7, null, true, [], {}],
    });
    const others = [null, 7, "x", [], [row], true, { "05. price": "101.2" }, { more: 1 }];
    const bodies = [...[...rows, ...others].map(quote), json(row), json({ quote: row }), ...FORMS, ...NOTICES];
    await allRefused(ask, () => alphaVantageCloses({ url, key: "SECRETKEY" }, 25), bodies);
  });

  it("no more closes a day are asked for than it is told, five a minute", async () => {
    say(quote({}));
    const source = alphaVantageCloses({ url, key: "k" }, 7);
    for (let nth = 0; nth < 3; nth += 1) await source.prices(["A", "B", "C", "D", "E", "F", "G", "H", "I"]);
    expect(asked.length).toBe(5);
  });
});
