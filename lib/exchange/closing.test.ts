import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { exchanges, limitOrder, marketOrder, openTrader, type PracticeTrader } from "@/lib/proof/practice-trader.ts";
import type { Exchange } from "./start.ts";

// A busy machine needs longer to open a market.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const running = exchanges();
let exchange: Exchange;
let trader: PracticeTrader;
let price: number;
beforeAll(async () => {
  exchange = await running.open({ seed: 3 });
  await exchange.control.clock({ advanceMinutes: 10 });
});
beforeEach(async () => {
  trader = await openTrader(exchange, "100000", { margin: true });
  price = await trader.last("SPY");
  await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "10"));
});
afterAll(() => running.closeAll());

const qty = async () => (await trader.send("GET", "/v2/positions/SPY")).body.qty;
const rest = () => trader.send("POST", "/v2/orders", limitOrder("SPY", "sell", "4", (price * 1.3).toFixed(2)));

describe("closing a position", () => {
  it.each([
    ["all of it", "", undefined],
    ["a number of shares", "?qty=2.5", "7.5"],
    ["a percentage, in whole shares", "?percentage=25", "8"],
  ])("%s", async (_, query, left) => {
    const { status, body } = await trader.send("DELETE", `/v2/positions/SPY${query}`);
    expect([status, body.side, body.type]).toEqual([200, "sell", "market"]);
    expect(await qty()).toBe(left);
  });

  it("a short one is bought back", async () => {
    await trader.send("DELETE", "/v2/positions/SPY");
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "sell", "4"));
    const { status, body } = await trader.send("DELETE", "/v2/positions/SPY?percentage=50");
    expect([status, body.side, body.qty]).toEqual([200, "buy", "2"]);
    expect(await qty()).toBe("-2");
  });

  it.each([
    ["both a number and a percentage", "?qty=1&percentage=10", 422],
    ["more than all", "?percentage=100.5", 422],
    ["less than a share of whole shares", "?percentage=1", 422],
    ["more than there is", "?qty=11", 403],
  ])("%s is refused", async (_, query, status) => {
    expect((await trader.send("DELETE", `/v2/positions/SPY${query}`)).status).toBe(status);
    expect(await qty()).toBe("10");
  });

  it("one that is not there answers 404", async () => {
    const { status, body } = await trader.send("DELETE", "/v2/positions/NOPE");
    expect([status, body]).toEqual([404, { code: 40410000, message: "position does not exist" }]);
  });

  it("what open orders hold is not sold with it", async () => {
    const { body } = await rest();
    const refusal = await trader.send("DELETE", "/v2/positions/SPY");
    expect(refusal).toMatchObject({
      status: 403,
      body: { code: 40310000, held_for_orders: "4", related_orders: [body.id] },
    });
  });

  it("all at once, each with its own result: what is held fails, unless its orders are cancelled first", async () => {
    await rest();
    const failed = await trader.send("DELETE", "/v2/positions");
    expect(failed).toMatchObject({ status: 207, body: [{ symbol: "SPY", status: 403, body: { code: 40310000 } }] });
    const done = await trader.send("DELETE", "/v2/positions?cancel_orders=true");
    expect(done).toMatchObject({
      status: 207,
      body: [{ symbol: "SPY", status: 200, body: { side: "sell", qty: "10" } }],
    });
    expect((await trader.send("GET", "/v2/positions")).body).toEqual([]);
    expect((await trader.send("GET", "/v2/orders")).body).toEqual([]);
  });
});

describe("cancelling", () => {
  it("all orders, each with its own result", async () => {
    const ids = [(await rest()).body.id, (await rest()).body.id];
    const { status, body } = await trader.send("DELETE", "/v2/orders");
    expect([status, body]).toEqual([207, ids.map((id) => ({ id, status: 200 }))]);
    expect((await trader.send("DELETE", "/v2/orders")).body).toEqual([]);
  });

  it("an order that is already cancelled is done again, a filled one is refused", async () => {
    const { id } = (await rest()).body;
    for (let i = 0; i < 2; i += 1) expect((await trader.send("DELETE", `/v2/orders/${String(id)}`)).status).toBe(204);
    const filled = trader.truth().orders[0]?.id ?? "";
    const answer = await trader.send("DELETE", `/v2/orders/${filled}`);
    expect(answer).toEqual({ status: 422, body: { code: 42210000, message: 'order is already in "filled" state' } });
  });

  it("another account's order is not found", async () => {
    const { id } = (await rest()).body;
    const stranger = await openTrader(exchange);
    for (const method of ["GET", "PATCH", "DELETE"])
      expect(
        (await stranger.send(method, `/v2/orders/${String(id)}`, method === "PATCH" ? { qty: "1" } : undefined)).status,
      ).toBe(404);
  });
});
