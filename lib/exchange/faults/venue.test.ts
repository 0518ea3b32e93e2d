import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import WebSocket from "ws";
import type { FaultInput } from "../faults.ts";
import { anotherSymbol, openTrader, type PracticeTrader } from "@/lib/proof/practice-trader.ts";
import type { Exchange } from "../start.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";

/** Faults of the venue, and what happens to accounts from outside. */

let exchange: Exchange;
let trader: PracticeTrader;
let other: string;
const events: [string | undefined, string][] = [];
let socket: WebSocket;

beforeAll(async () => {
  exchange = await startTestExchange({ port: 0, paused: true, seed: 3, controlToken: "control" });
  trader = await openTrader(exchange, "1000000");
  other = await anotherSymbol(trader);
  socket = new WebSocket(`${exchange.url.replace("http", "ws")}/stream`);
  await new Promise((resolve) => socket.once("open", resolve));
  socket.send(JSON.stringify({ action: "auth", key: trader.account.key_id, secret: trader.account.secret }));
  socket.send(JSON.stringify({ action: "listen", data: { streams: ["trade_updates"] } }));
  await new Promise<void>((resolve) => {
    socket.on("message", (raw: Buffer) => {
      const { stream, data } = JSON.parse(raw.toString()) as {
        stream: string;
        data: { event: string; order?: { client_order_id: string } };
      };
      if (stream === "listening") resolve();
      if (stream === "trade_updates") events.push([data.order?.client_order_id, data.event]);
    });
  });
});
afterEach(() => exchange.control.clearFaults());
afterAll(async () => {
  socket.terminate();
  await exchange.close();
});

const set = (input: FaultInput) => exchange.control.addFault(input);
const lifeOf = (id: string) => events.filter(([of]) => of === id).map(([, event]) => event);

async function send(client_order_id: string, more: object = {}): Promise<string> {
  const order = {
    symbol: "SPY",
    side: "buy",
    qty: "10",
    type: "market",
    time_in_force: "day",
    client_order_id,
    ...more,
  };
  const { status, body } = await trader.send("POST", "/v2/orders", order);
  expect([status, body.message]).toEqual([200, undefined]);
  return String(body.id);
}
const resting = (id: string) => send(id, { type: "limit", limit_price: "1.00" });
const order = async (id: string) => (await trader.send("GET", `/v2/orders/${id}`)).body;

describe("the venue", () => {
  it("fills in parts: a share of what is left each time, at least one share, until it is done", async () => {
    set({ kind: "partial_fills", share: 0.4, symbol: "SPY" });
    const id = await send("parts");
    expect(await order(id)).toMatchObject({ status: "partially_filled", filled_qty: "4" });
    const filled = [];
    for (let i = 0; i < 5; i += 1) {
      await exchange.control.clock({ advanceMinutes: 1 });
      filled.push((await order(id)).filled_qty);
    }
    expect(filled).toEqual(["6", "7", "8", "9", "10"]);
    await expect
      .poll(() => lifeOf("parts"))
      .toEqual(["pending_new", "new", ...Array<string>(5).fill("partial_fill"), "fill"]);
  });

  it("halts a symbol: orders rest and fill after the halt, or are refused, or cancelled", async () => {
    const halt = set({ kind: "halted_symbol", symbol: "SPY" });
    const waits = await send("waits");
    await exchange.control.clock({ advanceMinutes: 3 });
    expect(await order(waits)).toMatchObject({ status: "new", filled_qty: "0" });
    expect((await order(await send("elsewhere", { symbol: other }))).filled_qty).not.toBe("0");
    exchange.control.clearFaults(halt.id);
    await exchange.control.clock({ advanceMinutes: 1 });
    expect((await order(waits)).status).toBe("filled");

    set({ kind: "halted_symbol", symbol: "SPY", form: "refuse" });
    const refused = await trader.send("POST", "/v2/orders", {
      symbol: "SPY",
      side: "buy",
      qty: "1",
      type: "market",
      time_in_force: "day",
    });
    expect([refused.status, refused.body.code]).toEqual([403, 40310000]);
    exchange.control.clearFaults();
    set({ kind: "halted_symbol", symbol: "SPY", form: "cancel" });
    expect(await order(await send("cancelled"))).toMatchObject({ status: "canceled", filled_qty: "0" });
    await expect.poll(() => lifeOf("cancelled")).toEqual(["pending_new", "new", "canceled"]);
  });

  it("rejects an order that the broker had taken", async () => {
    set({ kind: "rejected_by_venue", client_order_id: "reject*" });
    expect((await order(await send("rejected"))).status).toBe("rejected");
    await expect.poll(() => lifeOf("rejected")).toEqual(["pending_new", "new", "rejected"]);
    expect((await order(await send("taken"))).status).toBe("filled");
  });

  it("lets the fill win over a cancel: the cancel is answered with 204 or 422, and the order is filled", async () => {
    for (const [form, status] of [
      ["accepted", 204],
      ["refused", 422],
    ] as const) {
      const id = await resting(`race-${form}`);
      set({ kind: "cancel_loses", form });
      const answer = await trader.send("DELETE", `/v2/orders/${id}`);
      expect([answer.status, (await order(id)).status, (await order(id)).filled_qty]).toEqual([status, "filled", "10"]);
      await expect.poll(() => lifeOf(`race-${form}`)).toEqual(["pending_new", "new", "fill"]);
    }
    const spared = await resting("spared");
    expect((await trader.send("DELETE", `/v2/orders/${spared}`)).status).toBe(204);
    expect((await order(spared)).status).toBe("canceled");
  });

  it("takes its time over a cancel: answered at once, done later", async () => {
    const id = await resting("slowly");
    set({ kind: "slow_cancel", ms: 60 });
    expect((await trader.send("DELETE", `/v2/orders/${id}`)).status).toBe(204);
    expect((await order(id)).status).toBe("new");
    await expect.poll(async () => (await order(id)).status).toBe("canceled");
  });

  it("will not replace: refused at once, or promised and then rejected; the old order stands", async () => {
    const id = await resting("kept");
    set({ kind: "replace_rejected" });
    const refused = await trader.send("PATCH", `/v2/orders/${id}`, { qty: "12" });
    expect([refused.status, refused.body.code]).toEqual([422, 42210000]);
    set({ kind: "replace_rejected", form: "later" });
    const promised = await trader.send("PATCH", `/v2/orders/${id}`, { qty: "12" });
    expect([promised.status, promised.body.replaces]).toEqual([200, id]);
    expect(await order(id)).toMatchObject({ status: "new", qty: "10", replaced_by: null });
    expect((await order(String(promised.body.id))).status).toBe("rejected");
    expect((await trader.send("PATCH", `/v2/orders/${id}`, { qty: "12" })).status).toBe(200);
    expect((await order(id)).status).toBe("replaced");
  });
});

describe("from outside", () => {
  async function control(method: string, path: string, body?: unknown) {
    const headers = { "x-control-token": "control", "content-type": "application/json" };
    const answer = await fetch(`${exchange.url}/_control${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }

  it("an order is placed, replaced and cancelled by hand, like any other and past the log of arrivals", async () => {
    const { account_number } = trader.account;
    const before = exchange.control.arrivals().arrivals.length;
    const hand = {
      account_number,
      symbol: other,
      side: "buy",
      qty: "3",
      type: "limit",
      limit_price: "1.00",
      time_in_force: "gtc",
    };
    const placed = await control("POST", "/orders", hand);
    expect([placed.status, placed.body.status]).toEqual([200, "pending_new"]);
    const replaced = await control("PATCH", `/orders/${String(placed.body.id)}`, { qty: "4" });
    expect((await order(String(placed.body.id))).replaced_by).toBe(replaced.body.id);
    await control("DELETE", `/orders/${String(replaced.body.id)}`);
    expect((await order(String(replaced.body.id))).status).toBe("canceled");
    expect(lifeOf(String(placed.body.client_order_id))).toEqual(["pending_new", "new", "replaced"]);
    expect(exchange.control.arrivals().arrivals).toHaveLength(before);
    expect((await control("POST", "/orders", { ...hand, account_number: "PA0" })).status).toBe(404);
    expect((await control("POST", "/orders", { ...hand, qty: "none" })).status).toBe(422);
  });

  it("cash comes and goes exactly, with its activity", async () => {
    const fresh = await openTrader(exchange, "100");
    const { account_number } = fresh.account;
    await control("POST", "/cash", { account_number, amount: "0.10" });
    await control("POST", "/cash", { account_number, amount: "0.20", activity_type: "DIV", symbol: "SPY" });
    await control("POST", "/cash", { account_number, amount: "-50" });
    expect(fresh.truth().cash).toBe("50.3");
    const { body } = await fresh.send("GET", "/v2/account/activities");
    const reported = (body as unknown as { activity_type: string; net_amount: string }[]).map((line) => [
      line.activity_type,
      line.net_amount,
    ]);
    expect(reported).toEqual([
      ["CSW", "-50"],
      ["DIV", "0.2"],
      ["CSD", "0.1"],
      ["CSD", "100"],
    ]);
    expect((await control("POST", "/cash", { account_number, amount: 5 })).status).toBe(400);
    expect((await control("POST", "/cash", { account_number, amount: "0" })).status).toBe(422);
  });

  it("shares come at a price and go at cost, never below none", async () => {
    const fresh = await openTrader(exchange, "100");
    const { account_number } = fresh.account;
    await control("POST", "/positions", { account_number, symbol: "SPY", qty: "10", price: "300" });
    await control("POST", "/positions", { account_number, symbol: "SPY", qty: "-4" });
    expect(fresh.truth().positions).toEqual([{ symbol: "SPY", qty: "6", avg_entry_price: "300" }]);
    expect((await control("POST", "/positions", { account_number, symbol: "SPY", qty: "-7" })).status).toBe(422);
    await control("POST", "/positions", { account_number, symbol: "SPY", qty: "-6" });
    expect([fresh.truth().positions, fresh.truth().cash]).toEqual([[], "100"]);
  });
});
