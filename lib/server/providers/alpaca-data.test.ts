import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { useLeastEnv } from "@/lib/proof/fixtures/least-env.ts";
import { alpacaData } from "./alpaca-data.ts";

let asked: URL[];
/** What the next question is answered with. */
let answerTo: (url: URL) => { status?: number; body: unknown };
vi.stubGlobal("fetch", (url: URL) => {
  asked.push(url);
  const { status = 200, body } = answerTo(url);
  return Promise.resolve(new Response(JSON.stringify(body), { status }));
});
beforeAll(useLeastEnv);
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => {
  asked = [];
});

const at = (feed: string) =>
  alpacaData({ tradingUrl: "http://alpaca", dataUrl: "http://alpaca", feed, keyId: "k", secret: "s" });

describe("feeds", () => {
  it.each(["iex", "sip", "delayed_sip"])(
    "with quotes of %s the bars of the past are the consolidated tape's",
    async (feed) => {
      answerTo = ({ pathname }) => ({ body: pathname.endsWith("bars") ? { bars: {} } : {} });
      await at(feed).dailyBars(["ABC"], "2026-01-02", "2026-11-24");
      await at(feed).snapshots(["ABC"]);
      expect(asked.map(({ searchParams }) => searchParams.get("feed"))).toEqual(["sip", feed]);
    },
  );
});

describe("splits and dividends", () => {
  const on = { symbol: "ABC", ex_date: "2026-11-20", process_date: "2026-11-20" };
  const read = (found: object) => {
    answerTo = () => ({ body: { corporate_actions: found, next_page_token: null } });
    return at("iex").corporateActions("2026-11-01", "2026-11-30");
  };

  it("a stock dividend is asked for, and is a split of one and its rate", async () => {
    expect(await read({ stock_dividends: [{ ...on, rate: 0.5 }] })).toEqual([
      { symbol: "ABC", exDate: "2026-11-20", kind: "split", value: 1.5 },
    ]);
    expect(asked[0]?.searchParams.get("types")?.split(",")).toContain("stock_dividend");
  });

  it.each([{ rate: 0 }, { rate: -1 }, { rate: null }, { rate: "0.2" }, { rate: 1e300 }, { ex_date: "soon", rate: 1 }])(
    "a dividend with %j is known as unreadable, the others stay",
    async (bad) => {
      const rows = await read({ cash_dividends: [{ ...on, ...bad }, null, 7, { ...on, symbol: "DEF", rate: 0.2 }] });
      expect(rows).toEqual([
        { symbol: "ABC", exDate: "2026-11-20", kind: "dividend without amount", value: 1 },
        { symbol: "DEF", exDate: "2026-11-20", kind: "dividend", value: 0.2 },
      ]);
    },
  );

  it("so is a split, of either way", async () => {
    const rows = await read({
      forward_splits: [{ ...on, new_rate: 4, old_rate: 0 }],
      reverse_splits: [{ ...on, symbol: "DEF", new_rate: 1 }],
      stock_dividends: [{ ...on, symbol: "GHI", rate: 0 }],
    });
    expect(rows.map(({ symbol, kind }) => `${symbol}: ${kind}`)).toEqual([
      "ABC: split without ratio",
      "DEF: split without ratio",
      "GHI: split without ratio",
    ]);
  });
});

describe("newest prices", () => {
  const of = (...symbols: string[]) => {
    const [t, quoted] = ["2026-11-25T15:00:00.123456789Z", "2026-11-24T20:59:00Z"];
    const one = { latestTrade: { p: 100, t }, latestQuote: { ap: 102.4, bp: 101.9, t: quoted } };
    return Object.fromEntries(symbols.map((symbol) => [symbol, one]));
  };
  const symbolsOf = ({ searchParams }: URL) => searchParams.get("symbols")!.split(",");
  const hundred = Array.from(
    { length: 100 },
    (_, i) => `S${String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26))}`,
  );

  it("a quote has its own time beside the trade's; one that cannot be read is none", async () => {
    answerTo = () => ({ body: of("ABC") });
    const quoted = { bid: "101.9", ask: "102.4", quotedAt: "2026-11-24T20:59:00.000Z" };
    expect((await at("iex").snapshots(["ABC"])).get("ABC")).toMatchObject({
      lastAt: "2026-11-25T15:00:00.123Z",
      ...quoted,
    });
    answerTo = () => ({ body: { ABC: { ...of("ABC").ABC, latestQuote: { ap: 1, bp: 1, t: "lately" } } } });
    expect((await at("iex").snapshots(["ABC"])).get("ABC")).toMatchObject({ quotedAt: null });
  });

  it("what is no stock's symbol is not asked for", async () => {
    answerTo = (url) => ({ body: of(...symbolsOf(url)) });
    const rows = await at("iex").snapshots(["089CVR011", "ABC", "BRK.B", "abc", "A B"]);
    expect([...rows.keys()]).toEqual(["ABC", "BRK.B"]);
    expect(asked.map(symbolsOf)).toEqual([["ABC", "BRK.B"]]);
    await at("iex").snapshots(["089CVR011"]);
    expect(asked).toHaveLength(1);
  });

  it.each([["SAA"], ["SBB", "SCC"], ["SAA", "SBB", "SCC"]])(
    "symbols that the source refuses (%s, …) have no price, and the others keep theirs",
    async (...odd) => {
      answerTo = (url) =>
        symbolsOf(url).some((symbol) => odd.includes(symbol))
          ? { status: 400, body: { message: "invalid symbol" } }
          : { body: of(...symbolsOf(url)) };
      const rows = await at("iex").snapshots(hundred);
      expect([...rows.keys()].sort()).toEqual(hundred.filter((symbol) => !odd.includes(symbol)).sort());
    },
  );

  it.each([400, 401, 403, 429, 500])(
    "a source that refuses everything with %i is unavailable, after few questions",
    async (status) => {
      answerTo = () => ({ status, body: {} });
      await expect(at("iex").snapshots(hundred)).rejects.toMatchObject({ code: "unavailable" });
      expect(asked.length).toBeLessThan(50);
    },
  );
});

it("a request for the clock times out after five seconds, one for long lists after thirty", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  const instant = "2026-11-24T15:00:00Z";
  answerTo = ({ pathname }) => ({
    body: pathname.endsWith("clock")
      ? { timestamp: instant, is_open: true, next_open: instant, next_close: instant }
      : [],
  });
  await at("iex").clock();
  await at("iex").calendar("2026-11-01", "2026-11-30");
  expect(timeout.mock.calls).toEqual([[5_000], [30_000]]);
  timeout.mockRestore();
});
