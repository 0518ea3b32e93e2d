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
  trader = await openTrader(exchange);
  price = await trader.last("SPY");
});
afterAll(() => running.closeAll());

const at = (factor: number) => (price * factor).toFixed(2);
async function resting(change: object = {}): Promise<string> {
  const { body } = await trader.send("POST", "/v2/orders", { ...limitOrder("SPY", "buy", "10", at(0.8)), ...change });
  return String(body.id);
}
const patch = (id: string, body: object) => trader.send("PATCH", `/v2/orders/${id}`, body);

describe("replacing", () => {
  it("makes a new order that names the old one, with what was not named as before", async () => {
    const id = await resting({ time_in_force: "gtc" });
    const { status, body } = await patch(id, { limit_price: at(0.7), client_order_id: "fresh" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      replaces: id,
      client_order_id: "fresh",
      qty: "10",
      time_in_force: "gtc",
      status: "pending_new",
    });
    const old = (await trader.send("GET", `/v2/orders/${id}`)).body;
    expect([old.status, old.replaced_by]).toEqual(["replaced", body.id]);
    expect(old.replaced_at).not.toBeNull();
    expect((await trader.order("fresh")).status).toBe("new");
  });

  it.each([
    ["nothing", () => ({})],
    ["the same limit", () => ({ limit_price: at(0.8) })],
    ["a limit between the cents", () => ({ limit_price: "100.001" })],
    ["a stop that a limit order does not have", () => ({ stop_price: at(0.7) })],
    ["a trail that a limit order does not have", () => ({ trail: "1" })],
    ["an amount of money", () => ({ notional: "100" })],
    ["a fraction", () => ({ qty: "1.5" })],
    ["an auction", () => ({ time_in_force: "opg" })],
  ])("%s is refused and leaves the order alone", async (_, change) => {
    const id = await resting();
    const { status, body } = await patch(id, change());
    expect([status, body.code]).toEqual([422, 42210000]);
    expect((await trader.send("GET", `/v2/orders/${id}`)).body.status).toBe("new");
  });

  it("an order that is replaced, cancelled or filled is refused", async () => {
    const replaced = await resting();
    await patch(replaced, { qty: "9" });
    const cancelled = await resting();
    await trader.send("DELETE", `/v2/orders/${cancelled}`);
    const filled = String((await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "1"))).body.id);
    for (const id of [replaced, cancelled, filled])
      expect(await patch(id, { qty: "5" })).toMatchObject({ status: 422, body: { code: 42210000 } });
  });

  it("an amount of money cannot be replaced at all, a fraction not in its quantity", async () => {
    const notional = await resting({ qty: undefined, notional: "100" });
    expect(await patch(notional, { limit_price: at(0.7) })).toMatchObject({ status: 422, body: { code: 42210000 } });
    const fraction = await resting({ qty: "1.5" });
    expect(await patch(fraction, { qty: "2" })).toMatchObject({ status: 422, body: { code: 42210000 } });
    expect((await patch(fraction, { limit_price: at(0.7) })).status).toBe(200);
  });

  it("beyond the buying power is refused; the old order's reservation counts as free", async () => {
    const all = Math.floor(100_000 / Number(at(0.8)));
    const id = await resting({ qty: String(all) });
    expect(await patch(id, { qty: String(all + 2) })).toMatchObject({ status: 403, body: { code: 40310000 } });
    expect((await patch(id, { qty: String(all - 1) })).status).toBe(200);
  });

  it("an order that waits for the opening cannot be replaced", async () => {
    const evening = await running.open({ seed: 3 });
    await evening.control.clock({ advanceMinutes: 390 });
    const own = await openTrader(evening);
    const { body } = await own.send("POST", "/v2/orders", limitOrder("SPY", "buy", "1", "1.00"));
    const answer = await own.send("PATCH", `/v2/orders/${String(body.id)}`, { qty: "2" });
    expect(answer).toEqual({
      status: 422,
      body: { code: 42210000, message: "cannot replace order in accepted status" },
    });
  });

  it("a new quantity of a bracket's entry is the quantity of its exits", async () => {
    const exits = { take_profit: { limit_price: at(1.2) }, stop_loss: { stop_price: at(0.6) } };
    const id = await resting({ order_class: "bracket", ...exits });
    const { body } = await patch(id, { qty: "7" });
    const legs = body.legs as Record<string, string>[];
    expect(legs.map((leg) => [leg.type, leg.qty, leg.status])).toEqual([
      ["limit", "7", "held"],
      ["stop", "7", "held"],
    ]);
  });
});

describe("replacing is no way round the rules of a new order", () => {
  it("a price that could trade with the account's own order is refused on both sides, one that could not is taken", async () => {
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "10"));
    const { body: sale } = await trader.send("POST", "/v2/orders", limitOrder("SPY", "sell", "10", at(1.1)));
    const buy = await resting();
    expect(await patch(buy, { limit_price: at(1.2) })).toMatchObject({
      status: 403,
      body: { code: 40310000, existing_order_id: sale.id, reject_reason: "opposite side limit order exists" },
    });
    expect(await patch(String(sale.id), { limit_price: at(0.7) })).toMatchObject({
      status: 403,
      body: { code: 40310000, existing_order_id: buy },
    });
    expect((await patch(buy, { limit_price: at(0.9) })).status).toBe(200);
  });

  const exits = () => ({ take_profit: { limit_price: at(1.2) }, stop_loss: { stop_price: at(0.6) } });
  const legsOf = async (id: string) =>
    (await trader.send("GET", `/v2/orders/${id}?nested=true`)).body.legs as Record<string, string>[];

  it("exits stay on the two sides of each other", async () => {
    const bracket = { ...marketOrder("SPY", "buy", "10"), order_class: "bracket", ...exits() };
    const { body } = await trader.send("POST", "/v2/orders", bracket);
    const [profit, stop] = (await legsOf(String(body.id))).map(({ id }) => String(id)) as [string, string];
    const crossed = { status: 422, body: { code: 42210000 } };
    expect(await patch(stop, { stop_price: at(1.3) })).toMatchObject(crossed);
    expect(await patch(profit, { limit_price: at(0.5) })).toMatchObject(crossed);
    expect((await patch(stop, { stop_price: at(0.9) })).status).toBe(200);
    expect((await legsOf(String(body.id))).map(({ status }) => status)).toEqual(["new", "new"]);
  });

  it("an entry stays between its exits", async () => {
    const id = await resting({ order_class: "bracket", ...exits() });
    expect(await patch(id, { limit_price: at(1.3) })).toMatchObject({ status: 422, body: { code: 42210000 } });
    expect(await patch(id, { limit_price: at(0.5) })).toMatchObject({ status: 422, body: { code: 42210000 } });
    expect((await patch(id, { limit_price: at(0.7) })).status).toBe(200);
  });

  it.each(["bracket", "oco"])(
    "the profit of a %s that is made smaller and filled leaves the stop the rest of the shares",
    async (kind) => {
      const isPair = kind === "oco";
      if (isPair) await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "10"));
      const order = isPair ? { ...marketOrder("SPY", "sell", "10"), type: "limit" } : marketOrder("SPY", "buy", "10");
      const { body } = await trader.send("POST", "/v2/orders", {
        ...order,
        time_in_force: "gtc",
        order_class: kind,
        ...exits(),
      });
      const first = String(body.id);
      const profit = isPair ? first : String((await legsOf(first))[0]?.id);
      expect((await patch(profit, { qty: "4" })).status).toBe(200);
      const smaller = trader.truth().orders.find(({ qty, type }) => type === "limit" && qty === "4");
      expect((await patch(String(smaller?.id), { limit_price: at(0.98) })).status).toBe(200);
      const stops = trader.truth().orders.filter(({ type }) => type === "stop");
      expect(stops.map(({ qty, status }) => [qty, status])).toEqual([["6", "new"]]);
      const position = (await trader.send("GET", "/v2/positions/SPY")).body;
      expect([position.qty, position.qty_available]).toEqual(["6", "0"]);
    },
  );

  it("a stop that is made smaller goes with the last of the shares", async () => {
    const bracket = { ...marketOrder("SPY", "buy", "10"), time_in_force: "gtc", order_class: "bracket", ...exits() };
    const { body } = await trader.send("POST", "/v2/orders", bracket);
    const [profit, stop] = (await legsOf(String(body.id))).map(({ id }) => String(id)) as [string, string];
    expect((await patch(stop, { qty: "4" })).status).toBe(200);
    expect((await patch(profit, { limit_price: at(0.98) })).status).toBe(200);
    expect(trader.truth().positions).toEqual([]);
    expect(trader.truth().orders.filter(({ status }) => status === "new")).toEqual([]);
  });

  it("an entry that was partly filled before it was replaced has all of its shares under its exits", async () => {
    exchange.control.addFault({ kind: "partial_fills", share: 0.4, symbol: "SPY" });
    const entry = {
      ...limitOrder("SPY", "buy", "10", at(1.05)),
      time_in_force: "gtc",
      order_class: "bracket",
      ...exits(),
    };
    const { body } = await trader.send("POST", "/v2/orders", entry);
    const { body: replaced } = await patch(String(body.id), { limit_price: at(1.04) });
    exchange.control.clearFaults();
    await exchange.control.clock({ advanceMinutes: 2 });
    const stops = trader.truth().orders.filter(({ type }) => type === "stop");
    expect([replaced.qty, stops.map(({ qty, status }) => [qty, status])]).toEqual(["6", [["10", "new"]]]);
    expect((await trader.send("GET", "/v2/positions/SPY")).body).toMatchObject({ qty: "10", qty_available: "0" });
  });
});

describe("a stop that the market has touched", () => {
  /** Ten shares, and their sale with a stop at the market: it has gone off on arrival. */
  async function touchedStop(change: object): Promise<string> {
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "10"));
    exchange.control.addFault({ kind: "partial_fills", share: 0.4, symbol: "SPY" });
    const stop = { ...marketOrder("SPY", "sell", "10"), type: "stop", stop_price: at(1), time_in_force: "gtc" };
    const { body } = await trader.send("POST", "/v2/orders", { ...stop, ...change });
    exchange.control.clearFaults();
    return String(body.id);
  }
  const last = () => trader.truth().orders.at(-1);

  it("sells no more once it has been moved away from the market", async () => {
    const id = await touchedStop({});
    expect((await trader.send("GET", `/v2/orders/${id}`)).body).toMatchObject({ filled_qty: "4" });
    expect((await patch(id, { stop_price: at(0.8) })).status).toBe(200);
    await exchange.control.clock({ advanceMinutes: 2 });
    expect(last()).toMatchObject({ qty: "6", filled_qty: "0", status: "new" });
  });

  it("stays touched where only its limit is moved", async () => {
    const id = await touchedStop({ type: "stop_limit", limit_price: at(1.1) });
    expect((await trader.send("GET", `/v2/orders/${id}`)).body).toMatchObject({ filled_qty: "0" });
    expect((await patch(id, { limit_price: at(0.9) })).status).toBe(200);
    expect(last()).toMatchObject({ filled_qty: "10", status: "filled" });
  });
});
