import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { waitAfterThrottle } from "./alpaca-errors.ts";
import { createAlpacaBroker } from "./alpaca.ts";
import type { Broker, OrderRequest } from "./broker.ts";
import { createRequestBudget } from "./request-budget.ts";
import { createLocalBucket } from "./token-bucket.ts";

let server: http.Server;
let broker: Broker;
const asked: string[] = [];
/** Answers 429 while it says so; the headers of each. */
let throttles: Record<string, string>[] = [];

const CLOCK = {
  timestamp: "2026-10-08T15:00:00Z",
  is_open: true,
  next_open: "2026-10-09T13:30:00Z",
  next_close: "2026-10-08T20:00:00Z",
};
const inSeconds = (seconds: number) => ({ "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + seconds) });

beforeEach(async () => {
  asked.length = 0;
  throttles = [];
  server = http.createServer((request, response) => {
    asked.push(`${request.method ?? ""} ${request.url ?? ""}`);
    const throttle = throttles.shift();
    if (throttle) response.writeHead(429, throttle).end('{"code":42910000,"message":"rate limit exceeded"}');
    else if (request.method === "DELETE") response.writeHead(204).end();
    else response.end(JSON.stringify(CLOCK));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  broker = createAlpacaBroker({ tradingUrl: `http://127.0.0.1:${port}`, keys: { keyId: "PK", secret: "s" } });
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const order: OrderRequest = {
  clientOrderId: "throttled-1",
  symbol: "SPY",
  side: "BUY",
  qty: "1",
  orderClass: "SIMPLE",
  type: "MARKET",
  timeInForce: "day",
  limitPrice: null,
  stopPrice: null,
  takeProfitPrice: null,
  stopLossPrice: null,
};

describe("the wait after a 429", () => {
  it("lasts to the reset and a second more, with chance; bounded; a second where the reset is past or missing (B7)", () => {
    const least = (resetInMs: number | null) => waitAfterThrottle(resetInMs, () => 0);
    expect(least(4_000)).toBe(5_000);
    expect(least(null)).toBe(1_000);
    expect(least(-30_000)).toBe(1_000);
    expect(least(86_400_000)).toBe(61_000);
    expect(waitAfterThrottle(0, () => 0.999)).toBeGreaterThan(1_000);
  });
});

describe("a broker that asks to wait", { timeout: 20_000 }, () => {
  it("gets the reading and the cancel again after its reset, the cancel first (B7)", async () => {
    throttles = [inSeconds(-5)];
    const reading = broker.clock();
    await expect.poll(() => asked.length).toBe(1);
    const cancel = broker.cancel("o1");
    expect(await cancel).toEqual({ kind: "requested" });
    expect((await reading).isOpen).toBe(true);
    expect(asked).toEqual(["GET /v2/clock", "DELETE /v2/orders/o1", "GET /v2/clock"]);
  });

  it("fifty times in a row is asked three times and no more; an order is never sent again from here (B7)", async () => {
    throttles = Array.from({ length: 50 }, () => ({}));
    await expect(broker.clock()).rejects.toMatchObject({ code: "broker_unavailable" });
    expect(asked).toHaveLength(3);
    // While the broker wants nothing, an order is not even tried: proven not sent, with the time to wait.
    expect(await broker.submit(order)).toMatchObject({ kind: "throttled" });
    expect(asked).toHaveLength(3);
    const submitted = async () => {
      await broker.submit(order);
      return asked.length;
    };
    await expect.poll(submitted, { timeout: 10_000 }).toBe(4);
  });

  it("an order is retried when the pause is over, whatever chance made of it (B7)", async () => {
    // Each wait draws a new random part: long for the pause, none for the request after it.
    const chance = vi.spyOn(Math, "random").mockReturnValueOnce(0.999).mockReturnValue(0);
    const { port } = server.address() as AddressInfo;
    const budget = createRequestBudget(createLocalBucket());
    const keys = { keyId: "PK", secret: "s" };
    const fresh = createAlpacaBroker({ tradingUrl: `http://127.0.0.1:${port}`, keys, budget });
    throttles = [{}];
    const outcome = await fresh.submit(order);
    chance.mockRestore();
    expect(outcome.kind).toBe("throttled");
    expect(outcome.kind === "throttled" && outcome.retryAfterMs).toBeGreaterThanOrEqual(
      Math.floor(budget.pausedForMs()),
    );
  });

  it("an order that our own budget keeps is proven not sent (B7)", async () => {
    const { port } = server.address() as AddressInfo;
    const budget = createRequestBudget(createLocalBucket());
    budget.pause(60_000);
    const held = createAlpacaBroker({
      tradingUrl: `http://127.0.0.1:${port}`,
      keys: { keyId: "PK", secret: "s" },
      budget,
    });
    expect(await held.submit(order)).toMatchObject({ kind: "throttled" });
    expect(asked).toEqual([]);
  });
});
