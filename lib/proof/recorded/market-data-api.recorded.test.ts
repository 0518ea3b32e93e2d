import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { answersOf } from "./openapi-answers.ts";
import { type Exchange, startExchange } from "../../exchange/start.ts";
import { MARKET_DATA_API } from "./place.mjs";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

/** Every answer of the market-data side against the broker's own OpenAPI document. */
const wrongIn = answersOf(MARKET_DATA_API, []);

let exchange: Exchange;
let headers: Record<string, string>;
let symbols: string[];

beforeAll(async () => {
  exchange = await startExchange({ port: 0, paused: true, seed: 3 });
  const account = await exchange.control.createAccount();
  headers = { "APCA-API-KEY-ID": account.key_id, "APCA-API-SECRET-KEY": account.secret };
  await exchange.control.clock({ advanceMinutes: 30 });
  const assets = (await (await fetch(`${exchange.url}/v2/assets`, { headers })).json()) as { symbol: string }[];
  symbols = assets.slice(0, 3).map(({ symbol }) => symbol);
});

afterAll(() => exchange.close());

async function ask(target: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(exchange.url + target, { headers });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Asks, checks the answer against the document, and returns it. */
async function fitting(target: string): Promise<Record<string, unknown>> {
  const { status, body } = await ask(target);
  const wrong = status === 200 ? wrongIn("GET", target.split("?")[0] as string, status, body) : [body];
  expect({ target, status, wrong }).toEqual({ target, status: 200, wrong: [] });
  return body;
}

const rowsOf = (body: Record<string, unknown>, name: string) =>
  Object.values(body[name] as Record<string, unknown[]>).flat() as Record<string, unknown>[];

describe("every answer of the data side fits the broker's OpenAPI", () => {
  it("bars of every timeframe and adjustment", async () => {
    const list = symbols.join(",");
    for (const timeframe of [
      "1Min",
      "59Min",
      "5T",
      "1Hour",
      "23Hour",
      "2H",
      "1Day",
      "1D",
      "1Week",
      "1W",
      "1Month",
      "12Month",
      "3M",
    ]) {
      const body = await fitting(`/v2/stocks/bars?symbols=${list}&timeframe=${timeframe}&start=2022-06-01&limit=50`);
      expect({ timeframe, has: rowsOf(body, "bars").length > 0 }).toEqual({ timeframe, has: true });
      await fitting(`/v2/stocks/${symbols[0]}/bars?timeframe=${timeframe}&start=2023-12-01&limit=5&sort=desc`);
    }
    for (const adjustment of ["raw", "split", "dividend", "spin-off", "all", "split,dividend"])
      await fitting(`/v2/stocks/bars?symbols=${list}&timeframe=1Day&start=2023-06-01&adjustment=${adjustment}`);
  });

  it("trades, quotes, auctions, latest of each, snapshots", async () => {
    const list = symbols.join(",");
    for (const kind of ["trades", "quotes", "auctions"]) {
      const body = await fitting(`/v2/stocks/${kind}?symbols=${list}&start=2024-01-05&limit=40`);
      expect(rowsOf(body, kind).length).toBeGreaterThan(0);
      await fitting(`/v2/stocks/${symbols[0]}/${kind}?start=2024-01-05&limit=7&sort=desc`);
    }
    for (const kind of ["trades", "quotes", "bars"]) {
      await fitting(`/v2/stocks/${kind}/latest?symbols=${list}&feed=delayed_sip&currency=USD`);
      await fitting(`/v2/stocks/${symbols[0]}/${kind}/latest`);
    }
    await fitting(`/v2/stocks/snapshots?symbols=${list}`);
    await fitting(`/v2/stocks/${symbols[0]}/snapshot`);
  });

  it("codes, screener, news, corporate actions", async () => {
    await fitting("/v2/stocks/meta/exchanges");
    for (const tape of ["A", "B", "C"]) {
      await fitting(`/v2/stocks/meta/conditions/trade?tape=${tape}`);
      await fitting(`/v2/stocks/meta/conditions/quote?tape=${tape}`);
    }
    const actives = (await fitting("/v1beta1/screener/stocks/most-actives?by=trades&top=20")).most_actives;
    expect((actives as { symbol: string }[]).map(({ symbol }) => symbol)).toContain("SPY");
    const movers = await fitting("/v1beta1/screener/stocks/movers?top=50");
    const changes = (name: string) => (movers[name] as { percent_change: number }[]).map((row) => row.percent_change);
    expect(changes("gainers")).toEqual(changes("gainers").toSorted((a, b) => b - a));
    expect(changes("losers")).toEqual(changes("losers").toSorted((a, b) => a - b));
    expect((await fitting("/v1beta1/news?limit=50&sort=asc")).news).toHaveLength(50);
    const actions = await fitting("/v1/corporate-actions?start=2022-01-01&limit=1000");
    const groups = actions.corporate_actions as Record<string, { id: string; cusip?: string }[]>;
    expect(Object.keys(groups)).toEqual(expect.arrayContaining(["cash_dividends", "forward_splits"]));
    const one = groups.forward_splits?.[0] as { id: string; cusip: string };
    expect(await fitting(`/v1/corporate-actions?ids=${one.id}`)).toMatchObject({
      corporate_actions: { forward_splits: [one] },
    });
    const byCusip = await fitting(
      `/v1/corporate-actions?cusips=${one.cusip}&start=2022-01-01&types=forward_split&sort=desc`,
    );
    expect(rowsOf(byCusip, "corporate_actions")).toContainEqual(one);
    await fitting("/v1/corporate-actions?start=2022-01-01&types=spin_off,cash_merger,name_change");
  });

  it("what cannot be answered is refused with 400 and a message, without a code", async () => {
    const bars = `/v2/stocks/bars?symbols=${symbols[0]}`;
    for (const target of [
      `${bars}&timeframe=60Min`,
      `${bars}&timeframe=24Hour`,
      `${bars}&timeframe=2Day`,
      `${bars}&timeframe=2Week`,
      `${bars}&timeframe=5Month`,
      `${bars}&timeframe=0Min`,
      `${bars}`,
      `${bars}&timeframe=1Day&adjustment=everything`,
      `${bars}&timeframe=1Day&sort=up`,
      `${bars}&timeframe=1Day&feed=cnn`,
      `${bars}&timeframe=1Day&currency=EUR`,
      `${bars}&timeframe=1Day&limit=10001`,
      `${bars}&timeframe=1Day&start=yesterday`,
      "/v2/stocks/bars?timeframe=1Day",
      "/v2/stocks/bars?timeframe=1Day&symbols=not%20one",
      "/v2/stocks/meta/conditions/trade?tape=Z",
      "/v1beta1/screener/stocks/most-actives?top=101",
      "/v1beta1/screener/crypto/movers",
      "/v1/corporate-actions?types=gift",
    ]) {
      const { status, body } = await ask(target);
      expect({ target, status, keys: Object.keys(body) }).toEqual({ target, status: 400, keys: ["message"] });
    }
  });
});
