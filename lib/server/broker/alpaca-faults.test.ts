/** Named faults of the broker's answers: docs/faults.md. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { identityMismatch } from "@/lib/domain/orders.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import { createAlpacaBroker } from "./alpaca.ts";
import type { OrderRequest } from "./broker.ts";

const request: OrderRequest = {
  clientOrderId: "tw-mutated-answer-0-1",
  symbol: "SPY",
  side: "BUY",
  qty: "3",
  orderClass: "BRACKET",
  type: "LIMIT",
  timeInForce: "gtc",
  limitPrice: "50",
  stopPrice: null,
  takeProfitPrice: "60",
  stopLossPrice: "40",
};

/** A broker that answers every request with 200 and this body. */
let body = "";
const server = http.createServer((_, response) => response.writeHead(200).end(body));
let real: Record<string, unknown>;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const exchange = await startTestExchange({
    port: 0,
    databaseUrl: null,
    controlToken: "test-control-token",
    paused: true,
  });
  await exchange.control.clock({ advanceMinutes: 6 });
  const { key_id, secret } = await exchange.control.createAccount();
  const broker = createAlpacaBroker({ tradingUrl: exchange.url, keys: { keyId: key_id, secret } });
  expect(await broker.submit(request)).toMatchObject({ kind: "accepted" });
  const headers = { "APCA-API-KEY-ID": key_id, "APCA-API-SECRET-KEY": secret };
  const answer = await fetch(
    `${exchange.url}/v2/orders:by_client_order_id?client_order_id=${request.clientOrderId}&nested=true`,
    { headers },
  );
  real = (await answer.json()) as Record<string, unknown>;
  await exchange.close();
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    "",
    "NaN",
    "-1",
    "1e999",
    "Infinity",
    0,
    -3,
    true,
    [],
    {},
    "buy",
    "filled",
    "no_such_status",
    "constructor",
    "__proto__",
    "2024-13-45T99:99:99Z",
  ),
  fc.anything({ maxDepth: 2 }),
);
/** One or several changes to the broker's true answer: a field lost, replaced, added, or the text cut short. */
const mutated = fc
  .record({
    fields: fc.array(fc.tuple(fc.nat(60), fc.oneof(fc.constant("lost" as const), odd)), { minLength: 1, maxLength: 3 }),
    added: fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 }),
    share: fc.oneof(
      { weight: 4, arbitrary: fc.constant(1) },
      { weight: 1, arbitrary: fc.double({ min: 0, max: 0.99, noNaN: true }) },
    ),
  })
  .map(({ fields, added, share }) => {
    const names = Object.keys(real);
    const answer: Record<string, unknown> = { ...added, ...real };
    for (const [nth, value] of fields) {
      const name = names[nth % names.length] ?? "id";
      if (value === "lost") delete answer[name];
      else answer[name] = value;
    }
    const text = JSON.stringify(answer, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
    return text.slice(0, Math.floor(text.length * share));
  });

it(
  "whatever is wrong with an answer of 200, it is no crash, and no success with another order's facts (B14)",
  { timeout: 30_000 },
  async () => {
    const { port } = server.address() as AddressInfo;
    const budget = { take: () => Promise.resolve(true), pause: () => undefined, pausedForMs: () => 0 };
    const broker = createAlpacaBroker({
      tradingUrl: `http://127.0.0.1:${port}`,
      keys: { keyId: "PK", secret: "s" },
      budget,
    });
    body = JSON.stringify(real);
    expect(await broker.submit(request)).toMatchObject({ kind: "accepted" });
    const outcomes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(mutated, async (answer) => {
        body = answer;
        const outcome = await broker.submit(request);
        outcomes.set(outcome.kind, (outcomes.get(outcome.kind) ?? 0) + 1);
        expect(["accepted", "unknown"]).toContain(outcome.kind);
        if (outcome.kind !== "accepted") return;
        const { order } = outcome;
        expect(order.id).not.toBe("");
        expect(order.filledQty).toMatch(/^\d+(\.\d+)?$/);
        for (const price of [order.limitPrice, order.filledAvgPrice])
          if (price !== null) expect(price).toMatch(/^\d+(\.\d+)?$/);
        // What the services compare before they follow an order.
        if (order.clientOrderId === request.clientOrderId && identityMismatch(request, order) === null)
          expect(JSON.parse(answer)).toMatchObject({
            client_order_id: request.clientOrderId,
            symbol: "SPY",
            side: "buy",
          });
      }),
      { numRuns: 500 },
    );
    // Both ends were reached: changes that do no harm, and changes that make the answer unreadable.
    expect(outcomes.get("accepted")).toBeGreaterThan(10);
    expect(outcomes.get("unknown")).toBeGreaterThan(10);
  },
);
