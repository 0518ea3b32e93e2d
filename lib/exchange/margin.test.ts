import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { money } from "../domain/money.ts";
import {
  accountedFor,
  exchanges,
  held,
  limitOrder,
  marketOrder,
  openTrader,
  type PracticeTrader,
} from "@/lib/proof/practice-trader.ts";
import type { Exchange } from "./start.ts";

// A busy machine needs longer to open a market.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const running = exchanges();
let exchange: Exchange;
let price: number;
beforeAll(async () => {
  exchange = await running.open({ seed: 3 });
  await exchange.control.clock({ advanceMinutes: 10 });
  price = await (await openTrader(exchange)).last("SPY");
});
afterAll(() => running.closeAll());

const account = async (trader: PracticeTrader) =>
  (await trader.send("GET", "/v2/account")).body as Record<string, string>;
const position = async (trader: PracticeTrader) =>
  (await trader.send("GET", "/v2/positions/SPY")).body as Record<string, string>;
const of = (value: unknown) => money(String(value));

describe("what is lent", () => {
  it.each([
    ["a cash account", "100000", {}, "1", "100000"],
    ["a margin account under 2,000 USD", "1999", { margin: true }, "1", "1999"],
    ["a margin account", "5000", { margin: true }, "4", "20000"],
    ["a legacy margin account under 25,000 USD", "24999", { margin: true, legacy: true }, "2", "49998"],
    ["a legacy margin account of 25,000 USD", "25000", { margin: true, legacy: true }, "4", "100000"],
  ])("%s", async (_, cash, kind, multiplier, power) => {
    const wire = await account(await openTrader(exchange, cash, kind));
    expect([wire.multiplier, wire.buying_power]).toEqual([multiplier, power]);
  });

  it("no more than the account's own choice", async () => {
    const trader = await openTrader(exchange, "10000", { margin: true });
    await trader.send("PATCH", "/v2/account/configurations", { max_margin_multiplier: "2" });
    expect(await account(trader)).toMatchObject({ multiplier: "2", buying_power: "20000" });
    const wrong = await trader.send("PATCH", "/v2/account/configurations", { max_margin_multiplier: "3" });
    expect([wrong.status, wrong.body.code]).toEqual([422, 40010001]);
  });

  it("half of the value to open, 30 % to keep: figures and buying power follow the broker's formulas", async () => {
    const trader = await openTrader(exchange, "50000", { margin: true });
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "100"));
    const wire = await account(trader);
    const value = of(await trader.last("SPY")).times(100);
    expect(wire.long_market_value).toBe(value.toFixed());
    expect(wire.initial_margin).toBe(value.div(2).toFixed());
    expect(wire.maintenance_margin).toBe(value.times("0.3").toFixed());
    expect(wire.equity).toBe(of(wire.cash).plus(value).toFixed());
    expect(wire.buying_power).toBe(of(wire.equity).minus(value.times("0.3")).times(4).toFixed());
    expect(wire.regt_buying_power).toBe(of(wire.equity).minus(value.div(2)).times(2).toFixed());
  });

  it("cash goes below zero for what is bought beyond it, and equity does not notice", async () => {
    const trader = await openTrader(exchange, "20000", { margin: true });
    const qty = String(Math.floor(50_000 / price));
    expect((await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", qty))).status).toBe(200);
    const wire = await account(trader);
    expect(Number(wire.cash)).toBeLessThan(-25_000);
    expect(Number(wire.equity)).toBeGreaterThan(19_900);
    expect(held(trader.truth())).toEqual(accountedFor(trader.truth()));
  });
});

describe("short sales", () => {
  it("a sale of what is not there opens a short position, its buy closes it", async () => {
    const trader = await openTrader(exchange, "100000", { margin: true });
    const sent = await trader.send("POST", "/v2/orders", {
      ...marketOrder("SPY", "sell", "10"),
      client_order_id: "short",
    });
    expect(sent.body.position_intent).toBe("sell_to_open");
    const order = await trader.order("short");
    const paid = of(order.filled_avg_price);
    const now = of(await trader.last("SPY"));
    expect(await position(trader)).toMatchObject({
      side: "short",
      qty: "-10",
      qty_available: "-10",
      avg_entry_price: paid.toFixed(),
      cost_basis: paid.times(-10).toFixed(),
      market_value: now.times(-10).toFixed(),
      unrealized_pl: paid.minus(now).times(10).toFixed(),
    });
    expect(await account(trader)).toMatchObject({
      cash: of(100_000).plus(paid.times(10)).toFixed(),
      short_market_value: now.times(-10).toFixed(),
      long_market_value: "0",
      shorting_enabled: true,
    });
    const cover = await trader.send("POST", "/v2/orders", {
      ...marketOrder("SPY", "buy", "10"),
      client_order_id: "cover",
    });
    expect(cover.body.position_intent).toBe("buy_to_close");
    expect((await trader.send("GET", "/v2/positions")).body).toEqual([]);
    const cash = of(100_000).plus(paid.minus(of((await trader.order("cover")).filled_avg_price)).times(10));
    expect((await account(trader)).cash).toBe(cash.toFixed());
  });

  it.each([
    ["an account that does not borrow", {}, "1"],
    ["a fraction", { margin: true }, "0.5"],
  ])("%s is refused", async (_, kind, qty) => {
    const trader = await openTrader(exchange, "100000", kind);
    expect(await trader.refusal(marketOrder("SPY", "sell", qty))).toMatchObject({ status: 403, code: 40310000 });
  });

  it("a symbol that is not lent out, and an account that chose not to, are refused", async () => {
    const trader = await openTrader(exchange, "100000", { margin: true });
    await exchange.control.venueActions.setSymbol("SPY", { easyToBorrow: false });
    expect(await trader.refusal(marketOrder("SPY", "sell", "1"))).toMatchObject({ status: 403, code: 40310000 });
    expect((await trader.send("GET", "/v2/assets/SPY")).body.borrow_status).toBe("hard_to_borrow");
    await exchange.control.venueActions.setSymbol("SPY", { easyToBorrow: true });
    await trader.send("PATCH", "/v2/account/configurations", { no_shorting: true });
    const refusal = await trader.refusal(marketOrder("SPY", "sell", "1"));
    expect(refusal).toEqual({ status: 403, code: 40310000, message: "account is not allowed to short" });
  });

  it("an account that chose not to borrow sells nothing short, and buys nothing with what its shorts brought in", async () => {
    const trader = await openTrader(exchange, "100000", { margin: true });
    const before = (await account(trader)).cash;
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "sell", "10"));
    await trader.send("PATCH", "/v2/account/configurations", { max_margin_multiplier: "1" });
    const refusal = await trader.refusal(marketOrder("SPY", "sell", "1"));
    expect(refusal).toEqual({ status: 403, code: 40310000, message: "account is not allowed to short" });
    const wire = await account(trader);
    expect(wire.shorting_enabled).toBe(false);
    expect(of(wire.cash).gt(of(before))).toBe(true);
    expect(wire.buying_power).toBe(of(wire.cash).plus(of(wire.short_market_value)).toFixed());
  });

  it("no order turns a position round, and no two orders open it in both directions", async () => {
    const trader = await openTrader(exchange, "100000", { margin: true });
    await trader.send("POST", "/v2/orders", limitOrder("SPY", "buy", "1", (price * 0.8).toFixed(2)));
    const both = await trader.refusal(limitOrder("SPY", "sell", "1", (price * 1.2).toFixed(2)));
    expect(both).toMatchObject({ status: 403, message: "cannot open a short sell while a long buy order is open" });
    await trader.send("DELETE", "/v2/orders");
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "5"));
    expect(await trader.refusal(marketOrder("SPY", "sell", "6"))).toMatchObject({ status: 403, code: 40310000 });
    await trader.send("DELETE", "/v2/positions/SPY");
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "sell", "5"));
    expect(await trader.refusal(marketOrder("SPY", "buy", "6"))).toMatchObject({ status: 403, code: 40310000 });
  });

  it("whole shares that are owed are not bought back in fractions", async () => {
    const trader = await openTrader(exchange, "100000", { margin: true });
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "sell", "5"));
    for (const change of [{ qty: "0.5" }, { qty: undefined, notional: "100" }])
      expect(await trader.refusal({ ...marketOrder("SPY", "buy", "1"), ...change })).toMatchObject({ status: 403 });
  });

  it("an open cover holds the shares that are owed, and needs no buying power", async () => {
    const trader = await openTrader(exchange, "100000", { margin: true });
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "sell", "10"));
    const before = (await account(trader)).buying_power;
    await trader.send("POST", "/v2/orders", limitOrder("SPY", "buy", "4", (price * 0.8).toFixed(2)));
    expect((await account(trader)).buying_power).toBe(before);
    expect(await position(trader)).toMatchObject({ qty: "-10", qty_available: "-6" });
  });

  it("a short bracket buys back below, or above at a loss, once", async () => {
    const trader = await openTrader(exchange, "100000", { margin: true });
    const exits = {
      take_profit: { limit_price: (price * 0.7).toFixed(2) },
      stop_loss: { stop_price: (price * 1.3).toFixed(2) },
    };
    const bracket = { ...marketOrder("SPY", "sell", "3"), time_in_force: "gtc", order_class: "bracket", ...exits };
    const { body } = await trader.send("POST", "/v2/orders", bracket);
    const { legs } = (await trader.send("GET", `/v2/orders/${String(body.id)}?nested=true`)).body;
    const seen = (legs as Record<string, string>[]).map((leg) => [leg.side, leg.type, leg.status, leg.position_intent]);
    expect(seen).toEqual([
      ["buy", "limit", "new", "buy_to_close"],
      ["buy", "stop", "new", "buy_to_close"],
    ]);
    expect(await position(trader)).toMatchObject({ qty: "-3", qty_available: "0" });
  });
});

describe("the day-trading rule from before June 2026", () => {
  const roundTrip = async (trader: PracticeTrader) => {
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "1"));
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "sell", "1"));
  };

  it("its fields are only in accounts that still live under it", async () => {
    const fields = ["pattern_day_trader", "daytrade_count", "daytrading_buying_power"];
    const now = await account(await openTrader(exchange, "5000", { margin: true }));
    const then = await account(await openTrader(exchange, "5000", { margin: true, legacy: true }));
    expect([fields.filter((field) => field in now), fields.filter((field) => field in then)]).toEqual([[], fields]);
  });

  it("three day trades are counted, then an entry is refused; without the rule it is not", async () => {
    const trader = await openTrader(exchange, "5000", { margin: true, legacy: true });
    const free = await openTrader(exchange, "5000", { margin: true });
    for (let i = 0; i < 3; i += 1) {
      await roundTrip(trader);
      await roundTrip(free);
    }
    expect(await account(trader)).toMatchObject({ daytrade_count: 3, pattern_day_trader: false });
    expect(await trader.refusal(marketOrder("SPY", "buy", "1"))).toEqual({
      status: 403,
      code: 40310100,
      message: "trade denied due to pattern day trading protection",
    });
    expect((await free.refusal(marketOrder("SPY", "buy", "1"))).status).toBe(200);
  });

  it("checked at the exit only, the fourth exit of the day is refused", async () => {
    const trader = await openTrader(exchange, "5000", { margin: true, legacy: true });
    await trader.send("PATCH", "/v2/account/configurations", { pdt_check: "exit" });
    for (let i = 0; i < 3; i += 1) await roundTrip(trader);
    expect((await trader.refusal(marketOrder("SPY", "buy", "1"))).status).toBe(200);
    expect(await trader.refusal(marketOrder("SPY", "sell", "1"))).toMatchObject({ status: 403, code: 40310100 });
  });
});
