import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answersOf, type Allowed } from "./openapi-answers.ts";
import { type Exchange, startExchange } from "./start.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..", "shared/alpaca");

/** Where the document contradicts answers recorded from the broker. */
const RECORDED: Allowed[] = [
  {
    path: /\/\d+ must match exactly one schema in oneOf/,
    why: "a FILL fits both the trade and the non-trade schema, as neither requires a field",
  },
];

const wrongInTrading = answersOf(path.join(ROOT, "trading-api.json"), RECORDED);
const wrongInData = answersOf(path.join(ROOT, "market-data-api.json"), RECORDED);

let exchange: Exchange;
let headers: Record<string, string>;
let symbols: string[];

beforeAll(async () => {
  exchange = await startExchange({ port: 0, paused: true, seed: 3 });
  const account = await exchange.control.createAccount();
  headers = {
    "APCA-API-KEY-ID": account.key_id,
    "APCA-API-SECRET-KEY": account.secret,
    "content-type": "application/json",
  };
  await exchange.control.clock({ advanceMinutes: 30 });
  const assets = (await ask("GET", "/v2/assets")).body as { symbol: string }[];
  symbols = assets.slice(0, 3).map((asset) => asset.symbol);
});

afterAll(() => exchange.close());

async function ask(method: string, target: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(exchange.url + target, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
}

/** Asks, checks the answer against the document, and returns it. */
async function checked(
  wrongIn: typeof wrongInTrading,
  method: string,
  target: string,
  status: number,
  body?: unknown,
): Promise<unknown> {
  const answer = await ask(method, target, body);
  expect({ target, status: answer.status, body: answer.status === status ? undefined : answer.body }).toEqual({
    target,
    status,
    body: undefined,
  });
  expect({ target, wrong: wrongIn(method, target.split("?")[0] as string, status, answer.body) }).toEqual({
    target,
    wrong: [],
  });
  return answer.body;
}

describe("every answer of the trading side fits the broker's OpenAPI", () => {
  it("account, clock, calendar, assets, history", async () => {
    await checked(wrongInTrading, "GET", "/v2/account", 200);
    await checked(wrongInTrading, "GET", "/v2/account/configurations", 200);
    await checked(wrongInTrading, "GET", "/v2/clock", 200);
    await checked(wrongInTrading, "GET", "/v2/calendar?start=2024-01-01&end=2024-12-31", 200);
    await checked(wrongInTrading, "GET", "/v2/assets", 200);
    await checked(wrongInTrading, "GET", `/v2/assets/${symbols[0]}`, 200);
    await checked(wrongInTrading, "GET", "/v2/account/portfolio/history?period=1M&timeframe=1D", 200);
  });

  it("orders of every class through their lives, positions, activities", async () => {
    const [a, b, c] = symbols as [string, string, string];
    const buy = { side: "buy", time_in_force: "day", type: "market" };
    await checked(wrongInTrading, "POST", "/v2/orders", 200, { ...buy, symbol: a, qty: "10" });
    await checked(wrongInTrading, "POST", "/v2/orders", 200, { ...buy, symbol: b, notional: "1000" });
    const bracket = { order_class: "bracket", take_profit: { limit_price: "9000" }, stop_loss: { stop_price: "1" } };
    await checked(wrongInTrading, "POST", "/v2/orders", 200, {
      ...buy,
      symbol: c,
      qty: "1",
      time_in_force: "gtc",
      ...bracket,
    });
    const limit = { symbol: a, side: "buy", type: "limit", time_in_force: "gtc", qty: "3", limit_price: "1" };
    const resting = (await checked(wrongInTrading, "POST", "/v2/orders", 200, limit)) as {
      id: string;
      client_order_id: string;
    };
    const replaced = await checked(wrongInTrading, "PATCH", `/v2/orders/${resting.id}`, 200, { limit_price: "1.5" });
    await checked(wrongInTrading, "GET", `/v2/orders/${resting.id}`, 200);
    await checked(wrongInTrading, "GET", "/v2/orders?status=all&nested=true", 200);
    await checked(
      wrongInTrading,
      "GET",
      `/v2/orders:by_client_order_id?client_order_id=${resting.client_order_id}`,
      200,
    );
    await checked(wrongInTrading, "DELETE", `/v2/orders/${(replaced as { id: string }).id}`, 204);
    await checked(wrongInTrading, "GET", "/v2/positions", 200);
    await checked(wrongInTrading, "GET", `/v2/positions/${a}`, 200);
    await checked(wrongInTrading, "DELETE", `/v2/positions/${a}?percentage=50`, 200);
    await checked(wrongInTrading, "DELETE", "/v2/orders", 207);
    await checked(wrongInTrading, "DELETE", "/v2/positions?cancel_orders=true", 207);
    const activities = (await checked(wrongInTrading, "GET", "/v2/account/activities", 200)) as {
      activity_type: string;
    }[];
    expect(new Set(activities.map((activity) => activity.activity_type))).toEqual(new Set(["FILL", "CSD"]));
    await checked(wrongInTrading, "GET", "/v2/account/activities/FILL", 200);
  });
});

describe("every answer of the data side fits the broker's OpenAPI", () => {
  it("bars, snapshots, latest trades and quotes, news, corporate actions", async () => {
    const list = symbols.join(",");
    await checked(wrongInData, "GET", `/v2/stocks/bars?symbols=${list}&timeframe=1Day&start=2023-06-01`, 200);
    await checked(wrongInData, "GET", `/v2/stocks/${symbols[0]}/bars?timeframe=1Min`, 200);
    await checked(wrongInData, "GET", `/v2/stocks/snapshots?symbols=${list}`, 200);
    await checked(wrongInData, "GET", `/v2/stocks/${symbols[0]}/snapshot`, 200);
    for (const kind of ["trades", "quotes", "bars"]) {
      await checked(wrongInData, "GET", `/v2/stocks/${kind}/latest?symbols=${list}`, 200);
      await checked(wrongInData, "GET", `/v2/stocks/${symbols[0]}/${kind}/latest`, 200);
    }
    const news = (await checked(wrongInData, "GET", "/v1beta1/news?limit=50", 200)) as { news: unknown[] };
    expect(news.news.length).toBe(50);
    const actions = (await checked(wrongInData, "GET", "/v1/corporate-actions?start=2022-01-01&limit=1000", 200)) as {
      corporate_actions: Record<string, unknown[]>;
    };
    expect(Object.keys(actions.corporate_actions)).toContain("cash_dividends");
    await checked(wrongInData, "GET", "/v1/corporate-actions?start=2022-01-01&types=forward_split,reverse_split", 200);
  });
});
