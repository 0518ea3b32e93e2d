import { OrdersApi, streaming, trading } from "@alpacahq/alpaca-trade-api";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import WebSocket from "ws";
import type { FaultInput } from "../faults.ts";
import { anotherSymbol, openTrader, type PracticeTrader } from "@/lib/proof/practice-trader.ts";
import { type Exchange, startExchange } from "../start.ts";

/** The SDK's trade_updates stream while the exchange misbehaves. */

let exchange: Exchange;
let trader: PracticeTrader;
let other: string;
let keys: { keyId: string; secret: string };
let orders: OrdersApi;
const open: streaming.TradingStream[] = [];

beforeAll(async () => {
  exchange = await startExchange({ port: 0, paused: true, seed: 3 });
});
beforeEach(async () => {
  trader = await openTrader(exchange, "1000000");
  other = await anotherSymbol(trader);
  keys = { keyId: trader.account.key_id, secret: trader.account.secret };
  orders = new OrdersApi(new trading.Configuration({ basePath: exchange.url, ...keys }));
});
afterEach(() => {
  exchange.control.clearFaults();
  for (const stream of open.splice(0)) stream.disconnect();
});
afterAll(() => exchange.close());

const set = (input: FaultInput) => exchange.control.addFault(input);
const url = () => `${exchange.url.replace("http", "ws")}/stream`;
const buy = (clientOrderId: string, symbol = "SPY") => orders.market({ symbol, side: "buy", qty: "1", clientOrderId });

/** A stream of the SDK with short times, and everything that it tells. */
function streamOf(options: object = {}) {
  const stream = new streaming.TradingStream({
    credentials: keys,
    url: url(),
    maxReconnectAttempts: -1,
    initialReconnectMs: 10,
    maxReconnectMs: 20,
    reconnectJitter: 0,
    ...options,
  });
  open.push(stream);
  const seen = {
    stream,
    events: [] as [string | undefined, string][],
    states: [] as string[],
    errors: [] as string[],
    listening: 0,
  };
  stream.onConnect(() => stream.subscribeTradeUpdates());
  stream.onTradeUpdate(({ event, order }) => seen.events.push([order.clientOrderId, event]));
  stream.onStateChange((state) => {
    seen.states.push(state);
    if (state === "connecting") seen.listening = 0;
  });
  stream.onError((error) => seen.errors.push(JSON.stringify(error) + String(error)));
  stream.on("subscription", () => (seen.listening += 1));
  stream.connect();
  return seen;
}
async function listening(options: object = {}) {
  const seen = streamOf(options);
  await expect.poll(() => seen.listening).toBeGreaterThan(0);
  return seen;
}
const LIFE = ["pending_new", "new", "fill"];
const lifeOf = (seen: { events: [string | undefined, string][] }, id: string) =>
  seen.events.filter(([of]) => of === id).map(([, event]) => event);

it("events come twice", async () => {
  const seen = await listening();
  set({ kind: "duplicate_events", event: "fill" });
  await buy("twice");
  await expect.poll(() => lifeOf(seen, "twice")).toEqual([...LIFE, "fill"]);
});

it("single events are missing while the order lives on", async () => {
  const seen = await listening();
  set({ kind: "missing_events", event: "fill", count: 1 });
  await buy("gap");
  await buy("whole");
  await expect.poll(() => lifeOf(seen, "whole")).toEqual(LIFE);
  expect(lifeOf(seen, "gap")).toEqual(["pending_new", "new"]);
  expect((await orders.getOrderByClientOrderId({ clientOrderId: "gap" })).status).toBe("filled");
});

it("events come late, after those of a later order", async () => {
  const seen = await listening();
  set({ kind: "late_events", client_order_id: "slow", ms: 60 });
  await buy("slow");
  await buy("quick");
  await expect.poll(() => seen.events).toHaveLength(6);
  expect(seen.events.map(([id]) => id)).toEqual([...Array<string>(3).fill("quick"), ...Array<string>(3).fill("slow")]);
});

it("events come in reverse order, and what is held back comes in the end", async () => {
  const seen = await listening();
  set({ kind: "reordered_events", size: 3, ms: 30 });
  await buy("backwards");
  await expect.poll(() => lifeOf(seen, "backwards")).toEqual([...LIFE].reverse());
  exchange.control.clearFaults();
  set({ kind: "reordered_events", size: 100, ms: 30 });
  await buy("held");
  await expect.poll(() => lifeOf(seen, "held")).toEqual([...LIFE].reverse());
});

it("unknown events reach the consumer, and what is no JSON is an error that the stream survives", async () => {
  const seen = await listening();
  set({ kind: "garbage_events", form: "unknown_event", event: "new" });
  await buy("unknown");
  await expect.poll(() => lifeOf(seen, "unknown")).toEqual(["pending_new", "restated_by_hand", "fill"]);
  set({ kind: "garbage_events", event: "new" });
  await buy("broken");
  await expect.poll(() => lifeOf(seen, "broken")).toEqual(["pending_new", "fill"]);
  expect(seen.errors).toHaveLength(1);
});

it("a cut connection is made again, and what happened in between is not sent again", async () => {
  const seen = await listening();
  const second = await openTrader(exchange);
  const raw = new WebSocket(url());
  await new Promise((resolve) => raw.once("open", resolve));
  raw.send(JSON.stringify({ action: "auth", key: second.account.key_id, secret: second.account.secret }));
  await new Promise((resolve) => raw.once("message", resolve));

  set({ kind: "hung_upgrade", ms: 40 });
  const cut = set({ kind: "cut_stream", account: trader.account.account_number });
  await expect.poll(() => seen.states).toContain("waiting to reconnect");
  await buy("between");
  await expect.poll(() => seen.listening).toBeGreaterThan(0);
  await buy("after");
  await expect.poll(() => lifeOf(seen, "after")).toEqual(LIFE);
  expect(lifeOf(seen, "between")).toEqual([]);
  expect([cut.struck, cut.left]).toEqual([1, 0]);
  expect(raw.readyState).toBe(WebSocket.OPEN);
  raw.terminate();
});

it("a hung upgrade leaves the SDK connecting until its socket times out, and then it connects", async () => {
  const hung = set({ kind: "hung_upgrade", ms: 30_000 });
  const wsFactory = (at: string) => new WebSocket(at, { handshakeTimeout: 50 }) as never;
  const seen = streamOf({ wsFactory });
  await expect.poll(() => seen.errors.join()).toMatch(/handshake has timed out/);
  await expect.poll(() => seen.listening).toBeGreaterThan(0);
  expect(hung.struck).toBe(1);
});

it("a refused upgrade is tried again", async () => {
  const refused = set({ kind: "refused_upgrade", status: 429, count: 2 });
  const seen = streamOf();
  await expect.poll(() => seen.listening).toBeGreaterThan(0);
  expect(refused.struck).toBe(2);
  expect(seen.errors.join()).toMatch(/429/);
});

it("silence after the authentication is no connection, and a refusal is the end", async () => {
  set({ kind: "auth_silence", count: 1 });
  const silent = streamOf();
  expect(await silent.stream.waitForAuthenticationResult(80)).toMatchObject({ status: "timeout" });
  expect(silent.states.at(-1)).toBe("connected");
  set({ kind: "auth_refused", count: 1 });
  const refused = streamOf();
  await expect.poll(() => refused.states.at(-1)).toBe("disconnected");
  expect(refused.listening).toBe(0);
});

it("revoked keys end the streams that are open and let no new one in", async () => {
  const seen = await listening();
  set({ kind: "keys_revoked", account: trader.account.account_number });
  await expect.poll(() => seen.states.at(-1)).toBe("disconnected");
});

it("a mute socket looks healthy while it answers pings; without pongs the SDK notices and connects again", async () => {
  const seen = await listening({ pingIntervalMs: 30, pongWaitMs: 30, initialReconnectMs: 200, maxReconnectMs: 200 });
  set({ kind: "mute_socket" });
  await buy("unheard");
  const from = performance.now();
  // Longer than a ping and its pong would take.
  await expect.poll(() => performance.now() - from).toBeGreaterThan(150);
  expect([seen.stream.getState(), seen.events]).toEqual(["authenticated", []]);
  exchange.control.clearFaults();
  set({ kind: "mute_socket", pongs: false });
  await expect.poll(() => seen.states).toContain("waiting to reconnect");
  exchange.control.clearFaults();
  await expect.poll(() => [seen.stream.getState(), seen.listening > 0]).toEqual(["authenticated", true]);
  await buy("heard");
  await expect.poll(() => lifeOf(seen, "heard")).toEqual(LIFE);
});

it("faults of one account, symbol or order leave the other events alone", async () => {
  const seen = await listening();
  set({ kind: "missing_events", symbol: other });
  set({ kind: "mute_stream", account: "PA0" });
  await buy("muted", other);
  await buy("free", "SPY");
  await expect.poll(() => lifeOf(seen, "free")).toEqual(LIFE);
  expect(lifeOf(seen, "muted")).toEqual([]);
});
