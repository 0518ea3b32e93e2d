import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { exchanges, limitOrder, marketOrder, openTrader, type PracticeTrader } from "@/lib/proof/practice-trader.ts";
import type { Exchange } from "./start.ts";

/** What the broker refuses, with which status and code. */

// A busy machine needs longer to open a market.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const running = exchanges();
let exchange: Exchange;
let trader: PracticeTrader;
let price: number;
let [other, third] = ["", ""];
beforeAll(async () => {
  exchange = await running.open({ seed: 3 });
  await exchange.control.clock({ advanceMinutes: 10 });
  trader = await openTrader(exchange);
  price = await trader.last("SPY");
  const assets = (await trader.send("GET", "/v2/assets")).body as unknown as { symbol: string }[];
  [other, third] = assets.slice(20, 22).map(({ symbol }) => symbol) as [string, string];
});
afterAll(() => running.closeAll());

const buy = (change: object) => ({ ...marketOrder("SPY", "buy", "1"), ...change });
const refused = (status: number, code: number) => ({ status, code });
const INVALID = refused(422, 40010001);
const UNFIT = refused(422, 42210000);
const FORBIDDEN = refused(403, 40310000);

it("an order until cancelled ends with a session, the last one within ninety days", async () => {
  const order = { ...limitOrder("SPY", "buy", "1", "1.00"), time_in_force: "gtc" };
  const { body } = await (await openTrader(exchange)).send("POST", "/v2/orders", order);
  // The ninetieth day is a Sunday.
  expect(body.expires_at).toBe("2024-04-05T20:00:00Z");
});

describe("an order that is wrong in itself is refused", () => {
  it.each([
    ["no symbol", { symbol: undefined }, INVALID],
    ["no side", { side: undefined }, INVALID],
    ["an unknown side", { side: "sell_short" }, INVALID],
    ["no type", { type: undefined }, INVALID],
    ["an unknown type", { type: "pegged" }, INVALID],
    ["no time in force", { time_in_force: undefined }, INVALID],
    ["an unknown time in force", { time_in_force: "gtd" }, INVALID],
    ["neither quantity nor notional", { qty: undefined }, INVALID],
    ["quantity and notional", { notional: "10" }, INVALID],
    ["a quantity of zero", { qty: "0" }, INVALID],
    ["a negative quantity", { qty: "-1" }, INVALID],
    ["a quantity in exponents", { qty: "1e-7" }, INVALID],
    ["a quantity of ten places", { qty: "0.0000000001" }, INVALID],
    ["a client id of 129 characters", { client_order_id: "x".repeat(129) }, INVALID],
    ["a limit order without limit", { type: "limit" }, INVALID],
    ["a market order with a limit", { limit_price: "10" }, UNFIT],
    ["a stop order without stop", { type: "stop" }, INVALID],
    ["a market order with a stop", { stop_price: "10" }, UNFIT],
    ["a stop-limit order without its limit", { type: "stop_limit", stop_price: "10" }, INVALID],
    ["a limit between the cents", { type: "limit", limit_price: "290.123" }, UNFIT],
    ["a penny limit of five places", { type: "limit", limit_price: "0.12345" }, UNFIT],
    ["a trailing stop without a trail", { type: "trailing_stop" }, INVALID],
    ["a trailing stop with two trails", { type: "trailing_stop", trail_price: "1", trail_percent: "1" }, INVALID],
    ["a market order with a trail", { trail_price: "1" }, UNFIT],
    ["a trail of 100 %", { type: "trailing_stop", trail_percent: "100" }, UNFIT],
    ["a trailing stop for now or never", { type: "trailing_stop", trail_price: "1", time_in_force: "ioc" }, UNFIT],
    ["a trail in extended hours", { type: "trailing_stop", trail_price: "1", extended_hours: true }, UNFIT],
    ["an auction order with a stop", { type: "stop", stop_price: "10", time_in_force: "cls" }, UNFIT],
    ["an auction order for a fraction", { qty: "0.5", time_in_force: "cls" }, UNFIT],
    ["a market order in extended hours", { extended_hours: true }, UNFIT],
    [
      "an immediate order in extended hours",
      { type: "limit", limit_price: "10", time_in_force: "ioc", extended_hours: true },
      UNFIT,
    ],
    ["extended hours that are no flag", { extended_hours: "yes" }, INVALID],
    ["a fraction that lives for days", { qty: "0.5", time_in_force: "gtc" }, UNFIT],
    ["a fraction with a trail", { qty: "0.5", type: "trailing_stop", trail_price: "1" }, UNFIT],
    ["less than a dollar", { qty: undefined, notional: "0.99" }, UNFIT],
    ["a notional order that lives for days", { qty: undefined, notional: "10", time_in_force: "gtc" }, UNFIT],
    ["legs on a simple order", { take_profit: { limit_price: "900" } }, UNFIT],
    ["a bracket without a stop", { order_class: "bracket", take_profit: { limit_price: "900" } }, INVALID],
    [
      "a bracket of fractions",
      { qty: "0.5", order_class: "bracket", take_profit: { limit_price: "9000" }, stop_loss: { stop_price: "1" } },
      UNFIT,
    ],
    [
      "a bracket for now or never",
      {
        time_in_force: "fok",
        order_class: "bracket",
        take_profit: { limit_price: "9000" },
        stop_loss: { stop_price: "1" },
      },
      UNFIT,
    ],
    [
      "a one-triggers-other with two legs",
      { order_class: "oto", take_profit: { limit_price: "9000" }, stop_loss: { stop_price: "1" } },
      INVALID,
    ],
    ["a wrong intent", { position_intent: "sell_to_open" }, UNFIT],
    ["an intent that it does not have", { position_intent: "buy_to_close" }, UNFIT],
    ["an unknown symbol", { symbol: "NOSUCH" }, UNFIT],
  ] as const)("%s", async (_, change, expected) => {
    const answer = await trader.refusal(buy(change));
    expect({ status: answer.status, code: answer.code }).toEqual(expected);
    expect(answer.message).toEqual(expect.any(String));
    expect(trader.truth().orders).toEqual([]);
  });
});

describe("what the broker says about a symbol", () => {
  it("an order for a symbol that is off the list, or not tradable, is refused, and its asset says so", async () => {
    const { venueActions } = exchange.control;
    await venueActions.setSymbol(other, { status: "inactive" });
    expect(await trader.refusal(marketOrder(other, "buy", "1"))).toMatchObject(UNFIT);
    expect((await trader.send("GET", `/v2/assets/${other}`)).body.status).toBe("inactive");
    await venueActions.setSymbol(other, { status: "active", tradable: false });
    expect(await trader.refusal(marketOrder(other, "buy", "1"))).toMatchObject(UNFIT);
    await venueActions.setSymbol(other, { tradable: true });
    expect((await trader.send("POST", "/v2/orders", marketOrder(other, "buy", "1"))).status).toBe(200);
  });

  it("fractions of a symbol that has none are refused, whole shares are not", async () => {
    await exchange.control.venueActions.setSymbol(third, { fractionable: false });
    const answer = await trader.refusal(marketOrder(third, "buy", "0.5"));
    expect(answer).toEqual({ ...FORBIDDEN, message: `asset "${third}" is not fractionable` });
    expect((await trader.send("POST", "/v2/orders", marketOrder(third, "buy", "1"))).status).toBe(200);
  });
});

describe("means", () => {
  it("an open buy reserves buying power, a sale adds nothing until it has filled", async () => {
    const own = await openTrader(exchange, "10000");
    const power = async () => (await own.send("GET", "/v2/account")).body.buying_power;
    const limit = (price * 0.8).toFixed(2);
    await own.send("POST", "/v2/orders", { ...limitOrder("SPY", "buy", "10", limit), client_order_id: "buy" });
    expect(await power()).toBe(String(Math.round((10_000 - 10 * Number(limit)) * 100) / 100));
    await own.send("POST", "/v2/orders", marketOrder(other, "buy", "5"));
    const before = await power();
    const dear = ((await own.last(other)) * 1.5).toFixed(2);
    await own.send("POST", "/v2/orders", limitOrder(other, "sell", "5", dear));
    expect(await power()).toBe(before);
    const refusal = await own.send("POST", "/v2/orders", limitOrder("SPY", "buy", "1000", limit));
    expect(refusal).toMatchObject({ status: 403, body: { code: 40310000, message: "insufficient buying power" } });
    expect([refusal.body.buying_power, refusal.body.cost_basis]).toEqual([
      before,
      String(Math.round(Number(limit) * 100_000) / 100),
    ]);
  });

  it("a sale of more than is free names what is held and by which orders", async () => {
    const own = await openTrader(exchange);
    await own.send("POST", "/v2/orders", marketOrder("SPY", "buy", "10"));
    const resting = await own.send("POST", "/v2/orders", limitOrder("SPY", "sell", "7", (price * 1.3).toFixed(2)));
    expect((await own.send("GET", "/v2/positions/SPY")).body).toMatchObject({ qty: "10", qty_available: "3" });
    const refusal = await own.send("POST", "/v2/orders", marketOrder("SPY", "sell", "4"));
    expect(refusal).toEqual({
      status: 403,
      body: {
        code: 40310000,
        message: "insufficient qty available for order (requested: 4, available: 3)",
        available: "3",
        existing_qty: "10",
        held_for_orders: "7",
        symbol: "SPY",
        related_orders: [resting.body.id],
      },
    });
  });

  it("an amount of money to be sold holds as many shares as it is worth", async () => {
    const own = await openTrader(exchange);
    await own.send("POST", "/v2/orders", marketOrder("SPY", "buy", "10"));
    const rests = { symbol: "SPY", side: "sell", notional: "100", type: "limit", time_in_force: "day" };
    await own.send("POST", "/v2/orders", { ...rests, limit_price: (price * 1.3).toFixed(2) });
    const { qty_available } = (await own.send("GET", "/v2/positions/SPY")).body;
    expect(Number(qty_available)).toBeCloseTo(10 - 100 / (await own.last("SPY")), 8);
  });

  it("a cash account cannot sell what it does not have", async () => {
    const own = await openTrader(exchange);
    const refusal = await own.refusal(marketOrder("SPY", "sell", "1"));
    expect(refusal).toEqual({ ...FORBIDDEN, message: "account is not allowed to short" });
  });

  it("a client id is taken forever, also by an order that was cancelled or replaced", async () => {
    const own = await openTrader(exchange);
    const order = { ...limitOrder("SPY", "buy", "1", "1.00"), client_order_id: "mine" };
    const { id } = (await own.send("POST", "/v2/orders", order)).body;
    await own.send("PATCH", `/v2/orders/${String(id)}`, { limit_price: "2.00", client_order_id: "second" });
    await own.send("DELETE", "/v2/orders");
    for (const client_order_id of ["mine", "second"]) {
      const refusal = await own.refusal({ ...order, client_order_id });
      expect(refusal).toEqual({ ...INVALID, message: "client_order_id must be unique" });
    }
    const other = await openTrader(exchange);
    expect((await other.send("POST", "/v2/orders", order)).status).toBe(200);
  });
});

describe("wash trades", () => {
  const resting = async (order: object) => {
    const own = await openTrader(exchange);
    await own.send("POST", "/v2/orders", marketOrder("SPY", "buy", "10"));
    expect((await own.send("POST", "/v2/orders", order)).status).toBe(200);
    return own;
  };
  const at = (factor: number) => (price * factor).toFixed(2);

  it("a buy limit at or above the own sell limit is refused, below it is not", async () => {
    const own = await resting(limitOrder("SPY", "sell", "5", at(1.1)));
    expect(await own.refusal(limitOrder("SPY", "buy", "1", at(1.1)))).toMatchObject(FORBIDDEN);
    expect((await own.refusal(limitOrder("SPY", "buy", "1", at(1.09)))).status).toBe(200);
  });

  it("a market buy against any own sell is refused, naming it", async () => {
    const own = await resting({ ...marketOrder("SPY", "sell", "5"), type: "stop", stop_price: at(0.8) });
    const answer = await own.send("POST", "/v2/orders", marketOrder("SPY", "buy", "1"));
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 40310000, reject_reason: "opposite side market/stop order exists" },
    });
    expect(answer.body.existing_order_id).toBe(own.truth().orders.at(-1)?.id);
  });

  it("a trailing stop is exempt", async () => {
    const own = await resting({ ...marketOrder("SPY", "sell", "5"), type: "trailing_stop", trail_percent: "20" });
    expect((await own.refusal(marketOrder("SPY", "buy", "1"))).status).toBe(200);
  });
});
