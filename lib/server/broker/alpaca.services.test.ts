import http from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { AccountEnvironment } from "@/lib/domain/enums.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { createAlpacaBroker } from "./alpaca.ts";
import { createBrokers } from "./brokers.ts";
import type { Broker, OrderRequest, TradeUpdate } from "./broker.ts";
import { forgetEnv } from "../env.ts";

let exchange: Exchange;
beforeAll(async () => {
  exchange = await startTestExchange({
    port: 0,
    databaseUrl: null,
    controlToken: "test-control-token",
    paused: true,
    speed: 60,
  });
  await exchange.control.clock({ advanceMinutes: 5 });
  process.env.EXCHANGE_URL = exchange.url;
  process.env.EXCHANGE_CONTROL_TOKEN = "test-control-token";
  forgetEnv();
});
afterAll(() => exchange.close());
afterEach(() => exchange.control.clearFaults());

const target = { broker: "PRACTICE", environment: "PAPER" } as const;
async function open(): Promise<Broker> {
  const brokers = createBrokers();
  return brokers.withKeys(target, await brokers.openPracticeAccount("test"));
}
const order = (clientOrderId: string, change: Partial<OrderRequest> = {}): OrderRequest => ({
  clientOrderId,
  symbol: "SPY",
  side: "BUY",
  qty: "1",
  orderClass: "SIMPLE",
  type: "LIMIT",
  timeInForce: "day",
  limitPrice: "1",
  stopPrice: null,
  takeProfitPrice: null,
  stopLossPrice: null,
  ...change,
});

it("how long a minute of the practice market takes is unknown until it was read and while its clock stands still", async () => {
  const brokers = createBrokers();
  const later = vi.spyOn(performance, "now");
  const read = async (minuteMs: number | null) => {
    later.mockReturnValue(performance.timeOrigin + (readings += 1) * 60_000);
    return expect.poll(() => brokers.practiceMinuteMs()).toBe(minuteMs);
  };
  let readings = 0;
  expect(brokers.practiceMinuteMs()).toBeNull();
  await exchange.control.clock({ paused: false });
  await read(1_000);
  await exchange.control.clock({ paused: true });
  await read(null);
  later.mockRestore();
});

describe("the SDK against the paper exchange", () => {
  it("opens an account, reads it, its clock and its empty lists", async () => {
    const broker = await open();
    expect(await broker.account()).toMatchObject({ status: "ACTIVE", isBlocked: false, cash: "100000" });
    expect(await broker.clock()).toMatchObject({ isOpen: true });
    expect(await broker.positions()).toEqual([]);
    expect(await broker.ordersSince(null)).toEqual([]);
    expect(await broker.activitiesSince(null)).toMatchObject([{ type: "CSD", netAmount: "100000", qty: null }]);
  });

  it("an order goes out, is found by either id, is cancelled, and is not cancelled twice", async () => {
    const broker = await open();
    const outcome = await broker.submit(order("a-1234567"));
    if (outcome.kind !== "accepted") throw new Error(outcome.kind);
    expect(outcome.order).toMatchObject({ clientOrderId: "a-1234567", limitPrice: "1", qty: "1" });
    expect((await broker.orderByClientId("a-1234567"))?.id).toBe(outcome.order.id);
    expect(await broker.orderByClientId("never")).toBeNull();
    expect(await broker.order("00000000-0000-4000-8000-000000000000")).toBeNull();
    expect(await broker.cancel(outcome.order.id)).toEqual({ kind: "requested" });
    expect(await broker.order(outcome.order.id)).toMatchObject({ status: "CANCELED" });
    expect((await broker.cancel("00000000-0000-4000-8000-000000000000")).kind).toBe("not_found");
  });

  it("the same client id is a duplicate; a parameter that is wrong is a refusal, though the code is the same", async () => {
    const broker = await open();
    await broker.submit(order("dup-1234"));
    expect(await broker.submit(order("dup-1234"))).toEqual({ kind: "duplicate" });
    expect(await broker.submit(order("bad-1234", { qty: "-1" }))).toMatchObject({ kind: "rejected" });
    expect(await broker.submit(order("big-1234", { qty: "1000000", limitPrice: "400" }))).toMatchObject({
      kind: "rejected",
      code: "40310000",
    });
  });

  it("a sale of shares that are gone opens no short position, in an account that may have one", async () => {
    const { key_id: keyId, secret } = await exchange.control.createAccount({ margin: true });
    const broker = createBrokers().withKeys(target, { keyId, secret });
    const sale = order("late-1234", { side: "SELL", type: "MARKET", limitPrice: null });
    expect(await broker.submit(sale)).toMatchObject({ kind: "rejected", code: "42210000" });
    expect(await broker.positions()).toEqual([]);
  });

  it("wrong keys are refused on reads and on orders", async () => {
    const broker = createAlpacaBroker({ tradingUrl: exchange.url, keys: { keyId: "PKWRONG", secret: "wrong" } });
    await expect(broker.account()).rejects.toMatchObject({ code: "broker_refused" });
    expect(await broker.submit(order("keys-1234"))).toMatchObject({ kind: "keys_refused" });
  });

  it("an unreachable broker is unavailable on reads and unknown on orders (B1)", async () => {
    const broker = createAlpacaBroker({ tradingUrl: "http://127.0.0.1:9", keys: { keyId: "PK", secret: "s" } });
    await expect(broker.positions()).rejects.toBeInstanceOf(Failure);
    await expect(broker.positions()).rejects.toMatchObject({ code: "broker_unavailable" });
    expect(await broker.submit(order("down-1234"))).toMatchObject({ kind: "unknown" });
    expect(await broker.cancel("x")).toMatchObject({ kind: "failed" });
  });

  it("tells of orders and fills as they happen, and reads the same execution afterwards", async () => {
    const broker = await open();
    const updates: TradeUpdate[] = [];
    let isReady = false;
    const following = broker.tradeUpdates({
      onUpdate: (update) => updates.push(update),
      onReady: () => (isReady = true),
      onState: () => undefined,
    });
    await expect.poll(() => isReady, { timeout: 10_000 }).toBe(true);
    await broker.submit(order("fill-1234", { type: "MARKET", limitPrice: null, qty: "2" }));
    await exchange.control.clock({ advanceMinutes: 1 });
    await expect.poll(() => updates.find(({ event }) => event === "fill"), { timeout: 10_000 }).toBeDefined();
    following.close();
    const streamed = updates.find(({ event }) => event === "fill")?.execution;
    expect(streamed).toMatchObject({ qty: "2", cumulativeQty: "2", symbol: "SPY", side: "BUY" });
    expect(await broker.executionsSince(null)).toEqual([streamed]);
  });

  it("a stream that is lost is found again", async () => {
    const server = http.createServer();
    const sockets = new WebSocketServer({ server });
    let connections = 0;
    sockets.on("connection", (socket) => {
      connections += 1;
      const isFirst = connections === 1;
      socket.on("message", (data: Buffer) => {
        const { action } = JSON.parse(data.toString()) as { action: string };
        const answer =
          action === "listen"
            ? { stream: "listening", data: { streams: ["trade_updates"] } }
            : { stream: "authorization", data: { status: "authorized", action } };
        socket.send(Buffer.from(JSON.stringify(answer)));
        if (action === "listen" && isFirst) socket.terminate();
      });
    });
    const port = await listen(server);
    const broker = createAlpacaBroker({ tradingUrl: `http://127.0.0.1:${port}`, keys: { keyId: "PK", secret: "s" } });
    let ready = 0;
    const following = broker.tradeUpdates({
      onUpdate: () => undefined,
      onReady: () => (ready += 1),
      onState: () => undefined,
    });
    await expect.poll(() => connections, { timeout: 10_000 }).toBe(2);
    await expect.poll(() => ready, { timeout: 10_000 }).toBeGreaterThan(0);
    following.close();
    sockets.close();
    await stop(server);
  });
});

describe("lists longer than a page", () => {
  it("of 1,200 orders, many within one millisecond, every one is read once (B22)", async () => {
    const at = (n: number) =>
      new Date(Date.UTC(2026, 0, 5, 15) + Math.floor(n / 7))
        .toISOString()
        .replace("Z", `${String(n % 7).padStart(6, "0")}Z`);
    const orders = Array.from({ length: 1_200 }, (_, n) => ({
      id: `o${n}`,
      client_order_id: `c${n}`,
      symbol: "A",
      side: "buy",
      type: "market",
      time_in_force: "day",
      qty: "1",
      status: "new",
      submitted_at: at(n),
    }));
    const stamp = (text: string) =>
      text.replace(/(\.\d+)?Z$/, (fraction) => `.${fraction.replace(/[.Z]/g, "").padEnd(9, "0")}`);
    const server = http.createServer((request, response) => {
      const query = new URL(request.url ?? "", "http://x").searchParams;
      const after = query.get("after");
      const page = orders
        .filter((order) => after === null || stamp(order.submitted_at) > stamp(after))
        .slice(0, Number(query.get("limit")));
      response.end(JSON.stringify(page));
    });
    const port = await listen(server);
    const broker = createAlpacaBroker({ tradingUrl: `http://127.0.0.1:${port}`, keys: { keyId: "PK", secret: "s" } });
    const read = await broker.ordersSince(null);
    expect(read.map(({ id }) => id)).toEqual(orders.map(({ id }) => id));
    await stop(server);
  });

  it("of 250 executions every one is read once; a broker that repeats a page is not believed (B22)", async () => {
    const fills = Array.from({ length: 250 }, (_, n) => ({
      id: `f${n}`,
      activity_type: "FILL",
      order_id: "o",
      cum_qty: String(n + 1),
      qty: "1",
      price: "5",
      side: "buy",
      symbol: "A",
      transaction_time: new Date(Date.UTC(2026, 0, 5) + n).toISOString(),
    }));
    let isStuck = false;
    const server = http.createServer((request, response) => {
      const token = new URL(request.url ?? "", "http://x").searchParams.get("page_token");
      const start = isStuck ? 0 : fills.findIndex(({ id }) => id === token) + 1;
      response.end(JSON.stringify(fills.slice(start, start + 100)));
    });
    const port = await listen(server);
    const broker = createAlpacaBroker({ tradingUrl: `http://127.0.0.1:${port}`, keys: { keyId: "PK", secret: "s" } });
    expect((await broker.executionsSince(null)).map(({ cumulativeQty }) => Number(cumulativeQty))).toEqual(
      fills.map((_, n) => n + 1),
    );
    isStuck = true;
    await expect(broker.executionsSince(null)).rejects.toMatchObject({ code: "broker_unavailable" });
    await stop(server);
  });
});

async function listen(server: http.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function stop(server: http.Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

describe("answers that no broker should give", () => {
  const bodies: [string, number, string, Record<string, string>][] = [
    ["an HTML page with status 200", 200, "<html>maintenance</html>", {}],
    ["half of an order", 200, '{"id":"o1","client_order_id":', {}],
    ["an order of wrong types", 200, '{"id":5,"symbol":null}', {}],
    ["an empty body", 200, "", {}],
    ["a redirect", 302, "", { location: "http://127.0.0.1:9/" }],
    ["an HTML page from the edge with 502", 502, "<html>bad gateway</html>", {}],
    ["an HTML page from the edge with 404", 404, "<html>not here</html>", {}],
    ["a 408", 408, '{"code":40810000,"message":"timeout"}', {}],
  ];
  it.each(bodies)("%s: unknown for an order, unavailable for a read (B14)", async (_, status, body, headers) => {
    let requests = 0;
    const server = http.createServer((request, response) => {
      if (request.method === "POST") requests += 1;
      response.writeHead(status, headers).end(body);
    });
    const port = await listen(server);
    const broker = createAlpacaBroker({ tradingUrl: `http://127.0.0.1:${port}`, keys: { keyId: "PK", secret: "s" } });
    expect(await broker.submit(order("odd-12345"))).toMatchObject({ kind: "unknown" });
    expect(requests).toBe(1);
    await expect(broker.account()).rejects.toMatchObject({ code: "broker_unavailable" });
    await expect(broker.orderByClientId("x")).rejects.toMatchObject({ code: "broker_unavailable" });
    await stop(server);
  });

  it("an answer that drips past the timeout is aborted, body included (B15)", async () => {
    const server = http.createServer((_request, response) => {
      response.writeHead(200).write("{");
      const drip = setInterval(() => response.write(" "), 50);
      response.on("close", () => clearInterval(drip));
    });
    const port = await listen(server);
    const broker = createAlpacaBroker({
      tradingUrl: `http://127.0.0.1:${port}`,
      keys: { keyId: "PK", secret: "s" },
      timeoutMs: 300,
    });
    const startedAt = performance.now();
    expect(await broker.submit(order("drip-1234"))).toMatchObject({ kind: "unknown" });
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    await stop(server);
  });
});

describe("the wrong environment", () => {
  const keysOf = (keyId: string) => ({ keyId, secret: "s" });
  it("live keys never meet the paper address, nor paper keys the live one (B26)", () => {
    const brokers = createBrokers();
    const refused = expect.objectContaining({ code: "broker_refused" }) as Failure;
    const open = (environment: AccountEnvironment, keyId: string) => () =>
      brokers.withKeys({ broker: "ALPACA", environment }, keysOf(keyId));
    expect(open("PAPER", "AKLIVE")).toThrow(refused);
    expect(open("LIVE", "PKPAPER")).toThrow(refused);
    expect(open("PAPER", "PKPAPER")).not.toThrow();
    expect(open("LIVE", "AKLIVE")).not.toThrow();
  });

  it("one address for both environments is refused before anything is asked (B26)", () => {
    process.env.ALPACA_PAPER_URL = "https://api.alpaca.markets";
    forgetEnv();
    try {
      const open = () => createBrokers().withKeys({ broker: "ALPACA", environment: "PAPER" }, keysOf("PKPAPER"));
      expect(open).toThrow(expect.objectContaining({ code: "unavailable" }) as Failure);
    } finally {
      delete process.env.ALPACA_PAPER_URL;
      forgetEnv();
    }
  });
});

it("an account whose keys were erased has no broker", () => {
  const account = { ...target, id: "a", userId: "u", access: "KEYS" as const, sealedKeys: null };
  expect(() => createBrokers().forAccount(account)).toThrow(Failure);
});
