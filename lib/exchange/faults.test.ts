import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import WebSocket from "ws";
import { openTrader, type PracticeTrader } from "@/lib/proof/practice-trader.ts";
import type { Exchange } from "./start.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";

let exchange: Exchange;
let trader: PracticeTrader;

beforeAll(async () => {
  exchange = await startTestExchange({ port: 0, paused: true, seed: 3, controlToken: "control" });
  trader = await openTrader(exchange, "1000000");
});
afterEach(() => exchange.control.clearFaults());
afterAll(() => exchange.close());

const order = (client_order_id: string) => ({
  symbol: "SPY",
  side: "buy",
  qty: "1",
  type: "market",
  time_in_force: "day",
  client_order_id,
});
const post = (id: string) => trader.send("POST", "/v2/orders", order(id));
const isKnown = (id: string) => trader.truth().orders.some((candidate) => candidate.client_order_id === id);
const onOrders = { method: "POST", path: "/v2/orders" } as const;

it("drop before accept: the socket dies and nothing is accepted; the next request is served", async () => {
  exchange.control.addFault({ kind: "drop_before_accept", ...onOrders });
  await expect(post("before")).rejects.toThrow();
  expect(isKnown("before")).toBe(false);
  expect((await post("before")).status).toBe(200);
});

it("drop after accept: the socket dies and the order stands", async () => {
  exchange.control.addFault({ kind: "drop_after_accept", ...onOrders });
  await expect(post("after")).rejects.toThrow();
  await expect.poll(() => isKnown("after")).toBe(true);
  expect((await post("after")).body.code).toBe(40010001);
});

it("late accept: the socket dies first and the order comes to stand later", async () => {
  exchange.control.addFault({ kind: "late_accept", ms: 60, ...onOrders });
  await expect(post("late")).rejects.toThrow();
  expect(isKnown("late")).toBe(false);
  await expect.poll(() => isKnown("late")).toBe(true);
});

it("status before and after accept, and a page of HTML", async () => {
  exchange.control.addFault({ kind: "status", status: 503, ...onOrders });
  expect((await post("s1")).status).toBe(503);
  expect(isKnown("s1")).toBe(false);
  exchange.control.addFault({ kind: "status_after_accept", status: 504, ...onOrders });
  expect((await post("s2")).status).toBe(504);
  expect(isKnown("s2")).toBe(true);
  exchange.control.addFault({ kind: "garbage_200", ...onOrders });
  await expect(post("s3")).rejects.toThrow(SyntaxError);
  expect(isKnown("s3")).toBe(true);
});

it("hang: no answer until the time is over, then the socket dies", async () => {
  exchange.control.addFault({ kind: "hang", ms: 80, ...onOrders });
  const from = performance.now();
  await expect(post("hang")).rejects.toThrow();
  expect(performance.now() - from).toBeGreaterThanOrEqual(75);
  expect(isKnown("hang")).toBe(false);
});

it("lookup lag: an accepted order cannot be found by its client id for a while", async () => {
  exchange.control.addFault({ kind: "lookup_lag", ms: 150 });
  await post("lagging");
  const look = async () => (await trader.send("GET", "/v2/orders:by_client_order_id?client_order_id=lagging")).status;
  expect(await look()).toBe(404);
  await expect.poll(() => look()).toBe(200);
});

it("uniqueness off: the same id makes a second order", async () => {
  await post("twice");
  exchange.control.addFault({ kind: "uniqueness_off", count: 1 });
  expect((await post("twice")).status).toBe(200);
  expect((await post("twice")).status).toBe(422);
  expect(trader.truth().orders.filter((candidate) => candidate.client_order_id === "twice")).toHaveLength(2);
});

it("the stream repeats or swallows events when told to", async () => {
  const socket = new WebSocket(`${exchange.url.replace("http", "ws")}/stream`);
  const frames: { stream: string; data: { event?: string; order?: { client_order_id: string }; status?: string } }[] =
    [];
  socket.on("message", (raw: Buffer, isBinary) => {
    expect(isBinary).toBe(true);
    frames.push(JSON.parse(raw.toString("utf8")) as (typeof frames)[number]);
  });
  await new Promise((resolve) => socket.once("open", resolve));
  socket.send(JSON.stringify({ action: "listen", data: { streams: ["trade_updates"] } }));
  await expect.poll(() => frames.at(-1)?.data.status).toBe("unauthorized");
  socket.send(JSON.stringify({ action: "auth", key: trader.account.key_id, secret: trader.account.secret }));
  for (let i = 0; i < 2; i += 1)
    socket.send(JSON.stringify({ action: "listen", data: { streams: ["trade_updates"] } }));
  await expect.poll(() => frames.filter((frame) => frame.stream === "listening")).toHaveLength(2);

  const eventsOf = (id: string) =>
    frames.filter((frame) => frame.data.order?.client_order_id === id).map((frame) => frame.data.event);
  exchange.control.addFault({ kind: "duplicate_events" });
  await post("double");
  await expect.poll(() => eventsOf("double")).toEqual(["pending_new", "pending_new", "new", "new", "fill", "fill"]);
  exchange.control.clearFaults();
  exchange.control.addFault({ kind: "mute_stream" });
  await post("silent");
  exchange.control.clearFaults();
  await post("spoken");
  await expect.poll(() => eventsOf("spoken")).toEqual(["pending_new", "new", "fill"]);
  expect(eventsOf("silent")).toEqual([]);
  socket.terminate();
});

it("the control API answers only those who know the token", async () => {
  const ask = (token: string) => fetch(`${exchange.url}/_control/status`, { headers: { "x-control-token": token } });
  expect((await ask("wrong")).status).toBe(401);
  const status = (await (await ask("control")).json()) as { market: string };
  expect(status.market).toBe("generated");
  const data = { "APCA-API-KEY-ID": "TPDATA", "APCA-API-SECRET-KEY": "control" };
  expect((await fetch(`${exchange.url}/v2/stocks/snapshots?symbols=SPY`, { headers: data })).status).toBe(200);
  expect((await fetch(`${exchange.url}/v2/account`, { headers: data })).status).toBe(401);
});

it("more than two hundred calls in a market minute are refused, and the limit is given in the headers", async () => {
  await exchange.control.clock({ speed: 1 });
  const { account } = await openTrader(exchange);
  const headers = { "APCA-API-KEY-ID": account.key_id, "APCA-API-SECRET-KEY": account.secret };
  const ask = () => fetch(`${exchange.url}/v2/account`, { headers });
  const first = await ask();
  expect([first.headers.get("x-ratelimit-limit"), first.headers.get("x-ratelimit-remaining")]).toEqual(["200", "199"]);
  const answers = await Promise.all(Array.from({ length: 250 }, ask));
  const refused = answers.filter((answer) => answer.status === 429);
  expect(refused.length).toBeGreaterThan(30);
  expect(await refused[0]?.json()).toEqual({ code: 42910000, message: "rate limit exceeded" });
});

it.each([
  "/v2/clock",
  "/v2/calendar?start=2024-01-08&end=2024-01-08",
  "/v3/clock",
  "/v3/calendar/NYSE",
  "/v2/assets/SPY",
  "/v2/options/contracts",
])("%s counts as one of the account's trading calls, and keys for data alone may ask it too", async (path) => {
  const { account } = await openTrader(exchange);
  const headers = { "APCA-API-KEY-ID": account.key_id, "APCA-API-SECRET-KEY": account.secret };
  await fetch(`${exchange.url}/v2/account`, { headers });
  const answer = await fetch(exchange.url + path, { headers });
  expect(["limit", "remaining"].map((name) => answer.headers.get(`x-ratelimit-${name}`))).toEqual(["200", "198"]);
  const data = { "APCA-API-KEY-ID": "TPDATA", "APCA-API-SECRET-KEY": "control" };
  const shared = await fetch(exchange.url + path, { headers: data });
  expect([shared.status, shared.headers.get("x-ratelimit-limit")]).toEqual([200, "10000"]);
});

it("the clock beyond the limit is refused in the trading API's shape, market data are counted apart", async () => {
  const { account } = await openTrader(exchange);
  const headers = { "APCA-API-KEY-ID": account.key_id, "APCA-API-SECRET-KEY": account.secret };
  const answers = await Promise.all(Array.from({ length: 250 }, () => fetch(`${exchange.url}/v2/clock`, { headers })));
  const refused = answers.filter((answer) => answer.status === 429);
  expect(refused.length).toBeGreaterThan(30);
  expect(await refused[0]?.json()).toEqual({ code: 42910000, message: "rate limit exceeded" });
  const quotes = await fetch(`${exchange.url}/v2/stocks/quotes/latest?symbols=SPY`, { headers });
  expect([quotes.status, quotes.headers.get("x-ratelimit-limit")]).toEqual([200, "10000"]);
});
