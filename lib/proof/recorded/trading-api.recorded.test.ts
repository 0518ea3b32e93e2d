import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { routesOf } from "../../exchange/http/routes.ts";
import { type Allowed, answersOf, operationsOf } from "./openapi-answers.ts";
import { TRADING_API } from "./place.mjs";
import { exchanges, limitOrder, marketOrder, openTrader, type PracticeTrader } from "../practice-trader.ts";
import type { Exchange } from "../../exchange/start.ts";

/** Every answer of the trading side, good or bad, has the shape that the broker's own OpenAPI gives it. */

/** Where the document contradicts answers recorded from the broker, or itself. */
const RECORDED: Allowed[] = [
  {
    path: /\/\d+ must match exactly one schema in oneOf/,
    why: "a FILL fits both the trade and the non-trade schema, as neither requires a field",
  },
  {
    path: /^\/\d+\/body /,
    why: "a position that could not be closed has the refusal as its body, as the text of the document says",
  },
];
const wrongIn = answersOf(TRADING_API, RECORDED, "Error");

/** What the broker has and this exchange has not: other assets than stocks, and what needs a bank or a lender. */
const NOT_SERVED = [
  /\/v2\/positions\/\{symbol_or_contract_id\}\/(do-not-)?exercise/,
  /\/v2\/(wallets|perpetuals|tokenization)(\/|$)/,
  /\/v2\/assets\/fixed_income\//,
  /\/v1\/locates/,
  /\/v2beta1\/events\/activities/,
];

// A busy machine needs longer to open a market.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const running = exchanges();
let exchange: Exchange;
let trader: PracticeTrader;
let symbols: [string, string, string];
beforeAll(async () => {
  exchange = await running.open({ seed: 3 });
  trader = await openTrader(exchange, "100000", { margin: true, fees: true });
  await exchange.control.clock({ advanceMinutes: 30 });
  const assets = (await trader.send("GET", "/v2/assets")).body as unknown as { symbol: string }[];
  symbols = assets.slice(0, 3).map((asset) => asset.symbol) as typeof symbols;
});
afterAll(() => running.closeAll());

/** Asks, checks status and shape of the answer, and returns it. */
async function checked(
  method: string,
  target: string,
  status: number,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const answer = await trader.send(method, target, body);
  const said = status === 204 ? undefined : answer.body;
  expect({ target, status: answer.status, body: answer.status === status ? "" : said }).toEqual({
    target,
    status,
    body: "",
  });
  expect({ target, wrong: wrongIn(method, target.split("?")[0] as string, status, said) }).toEqual({
    target,
    wrong: [],
  });
  return answer.body;
}

const post = (order: object) => checked("POST", "/v2/orders", 200, order);

it("every operation of the document is served, or is known not to be", () => {
  const routes = routesOf({});
  const served = (operation: string) => {
    const [method, template = ""] = operation.split(" ");
    const target = template.replace(/\{\w+\}/g, "x");
    return routes.some((route) => route.method === method && route.pattern.test(target));
  };
  const known = (operation: string) => NOT_SERVED.some((pattern) => pattern.test(operation));
  const operations = operationsOf(TRADING_API);
  expect(operations.length).toBeGreaterThan(50);
  expect(operations.filter((operation) => !known(operation) && !served(operation))).toEqual([]);
});

describe("good answers", () => {
  it("account, clocks, calendars, assets, history, announcements", async () => {
    await checked("GET", "/v2/account", 200);
    await checked("GET", "/v2/account/configurations", 200);
    await checked("PATCH", "/v2/account/configurations", 200, { trade_confirm_email: "all" });
    await checked("GET", "/v2/clock", 200);
    await checked("GET", "/v3/clock?markets=NYSE,NASDAQ,IEX", 200);
    await checked("GET", "/v2/calendar?start=2024-01-01&end=2024-12-31", 200);
    await checked("GET", "/v3/calendar/NYSE?start=2024-11-01&end=2024-12-31", 200);
    await checked("GET", "/v2/assets", 200);
    await checked("GET", `/v2/assets/${symbols[0]}`, 200);
    await checked("GET", "/v2/account/portfolio/history?period=1M&timeframe=1D", 200);
    await checked("GET", "/v2/account/portfolio/history?period=1D&timeframe=1Min&cashflow_types=ALL", 200);
    const range = "ca_types=dividend,split&since=2023-11-01&until=2024-01-10";
    const announced = await checked("GET", `/v2/corporate_actions/announcements?${range}`, 200);
    const [first] = announced as unknown as { id: string }[];
    await checked("GET", `/v2/corporate_actions/announcements/${first?.id ?? ""}`, 200);
  });

  it("an account that lives under the old day-trading rule", async () => {
    const legacy = await openTrader(exchange, "30000", { margin: true, legacy: true });
    for (const target of ["/v2/account", "/v2/account/configurations"]) {
      const { status, body } = await legacy.send("GET", target);
      expect([status, wrongIn("GET", target, 200, body)]).toEqual([200, []]);
    }
  });

  it("orders of every type, life and class", async () => {
    const [a, b, c] = symbols;
    const stop = { stop_price: "1" };
    await post(marketOrder(a, "buy", "10"));
    await post({ ...marketOrder(b, "buy", "1"), qty: undefined, notional: "1000" });
    await post({ ...marketOrder(c, "sell", "3"), position_intent: "sell_to_open" });
    await post({ ...marketOrder(a, "sell", "1"), type: "stop", ...stop });
    await post({ ...marketOrder(a, "sell", "1"), type: "stop_limit", limit_price: "1", ...stop });
    await post({ ...marketOrder(a, "sell", "1"), type: "trailing_stop", trail_percent: "10", time_in_force: "gtc" });
    await post({ ...marketOrder(a, "sell", "1"), type: "trailing_stop", trail_price: "1.00" });
    for (const life of ["ioc", "fok", "cls"]) await post({ ...limitOrder(b, "buy", "1", "1.00"), time_in_force: life });
    await post({ ...limitOrder(b, "buy", "1", "1.00"), extended_hours: true });
    const exits = { take_profit: { limit_price: "9000" }, stop_loss: { stop_price: "1" } };
    await post({ ...marketOrder(b, "buy", "2"), order_class: "bracket", ...exits });
    await post({ ...limitOrder(a, "sell", "2", ""), limit_price: undefined, order_class: "oco", ...exits });
    await post({ ...limitOrder(b, "buy", "1", "1.00"), order_class: "oto", take_profit: { limit_price: "9000" } });
  });

  it("orders through their lives, positions long and short, activities", async () => {
    const [a, b, c] = symbols;
    const resting = await post({
      ...limitOrder(b, "buy", "3", "1.00"),
      time_in_force: "gtc",
      order_class: "oto",
      take_profit: { limit_price: "9000" },
    });
    const replaced = await checked("PATCH", `/v2/orders/${String(resting.id)}`, 200, { limit_price: "1.5" });
    await checked("GET", `/v2/orders/${String(resting.id)}`, 200);
    await checked("GET", "/v2/orders?status=all&nested=true", 200);
    await checked("GET", `/v2/orders:by_client_order_id?client_order_id=${String(resting.client_order_id)}`, 200);
    await checked("DELETE", `/v2/orders/${String(replaced.id)}`, 204);
    await checked("GET", "/v2/positions", 200);
    await checked("GET", `/v2/positions/${c}`, 200);
    await checked("DELETE", `/v2/positions/${a}?percentage=10`, 200);
    // The exits of other orders hold shares, so that one of the positions cannot be closed.
    await checked("DELETE", "/v2/positions", 207);
    await checked("DELETE", "/v2/orders", 207);
    await exchange.control.venueActions.applyCorporateAction({ kind: "split", symbol: a, ratio: "2" });
    await exchange.control.venueActions.applyCorporateAction({ kind: "dividend", symbol: a, amount: "0.5" });
    await checked("DELETE", "/v2/positions?cancel_orders=true", 207);
    const merged = { kind: "cash_merger", symbol: a, cash: "10" } as const;
    await exchange.control.venueActions.applyCorporateAction(merged);
    await exchange.control.clock({ advanceMinutes: 390 });
    const activities = (await checked("GET", "/v2/account/activities", 200)) as unknown as { activity_type: string }[];
    const types = new Set(activities.map((activity) => activity.activity_type));
    expect([...types].sort()).toEqual(["CSD", "DIV", "FEE", "FILL", "SPLIT"]);
    await checked("GET", "/v2/account/activities/FILL", 200);
  });

  it("watchlists", async () => {
    const [a, b, c] = symbols;
    const { id } = await checked("POST", "/v2/watchlists", 200, { name: "one", symbols: [b] });
    const target = `/v2/watchlists/${String(id)}`;
    const named = "/v2/watchlists:by_name?name=";
    await checked("GET", "/v2/watchlists", 200);
    await checked("GET", target, 200);
    await checked("POST", target, 200, { symbol: a });
    await checked("PUT", target, 200, { name: "two" });
    await checked("DELETE", `${target}/${a}`, 200);
    await checked("GET", `${named}two`, 200);
    await checked("POST", `${named}two`, 200, { symbol: c });
    await checked("PUT", `${named}two`, 200, { name: "three", symbols: [] });
    await checked("DELETE", `${named}three`, 204);
  });
});

describe("refusals", () => {
  it.each([
    ["POST", "/v2/orders", 422, {}],
    ["POST", "/v2/orders", 422, { ...limitOrder("SPY", "buy", "1", "1.001") }],
    ["POST", "/v2/orders", 403, { ...marketOrder("SPY", "buy", "1000000") }],
    ["GET", "/v2/orders?status=x", 422, undefined],
    ["GET", "/v2/orders/nope", 404, undefined],
    ["PATCH", "/v2/orders/nope", 404, {}],
    ["DELETE", "/v2/orders/nope", 404, undefined],
    ["GET", "/v2/orders:by_client_order_id?client_order_id=nope", 404, undefined],
    ["GET", "/v2/positions/NOPE", 404, undefined],
    ["DELETE", "/v2/positions/NOPE", 404, undefined],
    ["GET", "/v2/assets/NOPE", 404, undefined],
    ["GET", "/v2/account/activities?page_size=1000", 422, undefined],
    ["GET", "/v2/account/portfolio/history?period=x", 422, undefined],
    ["PATCH", "/v2/account/configurations", 422, { no_shorting: "red" }],
    ["GET", "/v2/corporate_actions/announcements", 422, undefined],
    ["GET", "/v2/calendar?start=x", 400, undefined],
    ["POST", "/v2/watchlists", 422, {}],
    ["GET", "/v2/watchlists/nope", 404, undefined],
  ])("%s %s %i has a code and a message", async (method, target, status, body) => {
    await checked(method, target, status, body);
  });

  it("an empty or broken body is refused as such", async () => {
    const { account } = trader;
    const headers = { "APCA-API-KEY-ID": account.key_id, "APCA-API-SECRET-KEY": account.secret };
    const send = (body: string) => fetch(`${exchange.url}/v2/orders`, { method: "POST", headers, body });
    expect([(await send("")).status, (await send("{")).status, (await send("[]")).status]).toEqual([422, 400, 422]);
  });
});
