import { afterEach, describe, expect, it, vi } from "vitest";
import { money } from "../domain/money.ts";
import {
  accountedFor,
  exchanges,
  held,
  limitOrder,
  marketOrder,
  openTrader,
  TAPE,
} from "@/lib/proof/practice-trader.ts";
import { changedMarket } from "@/lib/proof/market/changed-market.ts";

// A busy machine needs longer to open a market.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const running = exchanges();
afterEach(() => running.closeAll());

describe("corporate actions", () => {
  it("the split of 2020-08-31 multiplies shares, divides prices and keeps the value", async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-08-28" });
    const trader = await openTrader(exchange);
    await trader.send("POST", "/v2/orders", marketOrder("FOUR", "buy", "10"));
    await trader.send("POST", "/v2/orders", {
      ...limitOrder("FOUR", "sell", "10", "800.00"),
      time_in_force: "gtc",
      client_order_id: "resting",
    });
    await exchange.control.clock({ advanceMinutes: 390 });
    const before = trader.truth();
    await exchange.control.clock({ jumpTo: "2020-08-31" });
    const after = trader.truth();
    expect(after.positions[0]?.qty).toBe("40");
    expect(
      money(after.positions[0]?.avg_entry_price ?? "0")
        .times(4)
        .toDecimalPlaces(6)
        .toFixed(),
    ).toBe(before.positions[0]?.avg_entry_price);
    expect(after.cash).toBe(before.cash);
    expect(Math.abs(Number(after.equity) / Number(before.equity) - 1)).toBeLessThan(0.01);
    const { body } = await trader.send("GET", "/v2/orders:by_client_order_id?client_order_id=resting");
    expect([body.qty, body.limit_price]).toEqual(["40", "200"]);
    const split = after.activities.find((activity) => activity.activity_type === "SPLIT");
    expect([split?.symbol, split?.qty, split?.date]).toEqual(["FOUR", "30", "2020-08-31"]);
    const bars = (await trader.send("GET", "/v2/stocks/FOUR/bars?timeframe=1Day&start=2020-08-27&adjustment=split"))
      .body.bars;
    expect((bars as { c: number }[]).every((bar) => bar.c < 140)).toBe(true);
  });

  it("an entry that was partly filled, replaced and split has all of its shares under its exits", async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-08-28" });
    const trader = await openTrader(exchange);
    const price = await trader.last("FOUR");
    exchange.control.addFault({ kind: "partial_fills", share: 0.4, symbol: "FOUR" });
    const { body } = await trader.send("POST", "/v2/orders", {
      ...limitOrder("FOUR", "buy", "10", (price * 1.05).toFixed(2)),
      time_in_force: "gtc",
      order_class: "bracket",
      take_profit: { limit_price: (price * 1.5).toFixed(2) },
      stop_loss: { stop_price: (price * 0.5).toFixed(2) },
    });
    const lower = { limit_price: (price * 0.8).toFixed(2) };
    const { body: waiting } = await trader.send("PATCH", `/v2/orders/${String(body.id)}`, lower);
    exchange.control.clearFaults();
    await exchange.control.clock({ jumpTo: "2020-08-31" });
    const raised = { limit_price: ((await trader.last("FOUR")) * 1.05).toFixed(2) };
    await trader.send("PATCH", `/v2/orders/${String(waiting.id)}`, raised);
    await exchange.control.clock({ advanceMinutes: 2 });
    const { orders, positions } = trader.truth();
    expect(positions[0]?.qty).toBe("40");
    const legs = orders.filter(({ side }) => side === "sell");
    expect(legs.map(({ qty, status }) => [qty, status])).toEqual(Array(2).fill(["40", "new"]));
    // What was traded before the split stays as it was reported.
    expect((await trader.send("GET", `/v2/orders/${String(body.id)}`)).body.filled_qty).toBe("4");
  });

  it("a dividend is paid in cash on its ex-date to those who held the share overnight", async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-02-06" });
    const trader = await openTrader(exchange);
    await trader.send("POST", "/v2/orders", marketOrder("FOUR", "buy", "100"));
    await exchange.control.clock({ jumpTo: "2020-02-07" });
    const dividend = trader.truth().activities.find((activity) => activity.activity_type === "DIV");
    expect([dividend?.net_amount, dividend?.date]).toEqual(["77", "2020-02-07"]);
    expect(held(trader.truth())).toEqual(accountedFor(trader.truth()));
  });

  it("a dividend on the day of a split is paid on the new shares, as adjusted bars and backtests have it", async () => {
    const date = "2024-01-09";
    const exchange = await running.open({
      seed: 3,
      generate: changedMarket(() => ({
        splits: [{ date, symbol: "SPY", ratio: "2" }],
        dividends: [{ date, symbol: "SPY", amount: "0.5" }],
      })),
    });
    const trader = await openTrader(exchange);
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "10"));
    await exchange.control.clock({ jumpTo: date });
    const found = trader.truth().activities.filter(({ symbol }) => symbol === "SPY");
    const kinds = found.map((activity) => [activity.activity_type, activity.qty, activity.net_amount]);
    expect(kinds.filter(([kind]) => kind !== "FILL")).toEqual([
      ["SPLIT", "10", "0"],
      ["DIV", "20", "10"],
    ]);
    expect(held(trader.truth())).toEqual(accountedFor(trader.truth()));
  });

  it("who is short of a share owes its dividend, and a split multiplies what is owed", async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-02-06" });
    const trader = await openTrader(exchange, "100000", { margin: true });
    await trader.send("POST", "/v2/orders", marketOrder("FOUR", "sell", "100"));
    await exchange.control.clock({ jumpTo: "2020-02-07" });
    const dividend = trader.truth().activities.find((activity) => activity.activity_type === "DIV");
    expect([dividend?.net_amount, dividend?.activity_sub_type]).toEqual(["-77", "SPD"]);
    await exchange.control.venueActions.applyCorporateAction({ kind: "split", symbol: "FOUR", ratio: "4" });
    expect(trader.truth().positions[0]?.qty).toBe("-400");
    expect(held(trader.truth())).toEqual(accountedFor(trader.truth()));
  });
});

describe("the list of corporate actions", () => {
  const listed = async (trader: Awaited<ReturnType<typeof openTrader>>, range: string) => {
    const { body } = await trader.send("GET", `/v1/corporate-actions?symbols=FOUR&limit=1000&${range}`);
    return body.corporate_actions as Partial<
      Record<"cash_dividends" | "forward_splits", { ex_date: string; process_date: string }[]>
    >;
  };

  it("looks a dividend up by the day it is processed on, three weeks after its ex-date", async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-02-06" });
    const trader = await openTrader(exchange);
    expect((await listed(trader, "start=2020-02-07&end=2020-02-27")).cash_dividends).toBeUndefined();
    expect((await listed(trader, "start=2020-02-28&end=2020-02-28")).cash_dividends).toMatchObject([
      { ex_date: "2020-02-07", process_date: "2020-02-28" },
    ]);
    // What is announced later is not there yet.
    expect((await listed(trader, "start=2020-03-01&end=2020-12-31")).cash_dividends).toBeUndefined();
  });

  it("looks a split up by its ex-date, ten days ahead of it", async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-08-20" });
    const trader = await openTrader(exchange);
    expect((await listed(trader, "start=2020-08-31&end=2020-12-31")).forward_splits).toBeUndefined();
    await exchange.control.clock({ jumpTo: "2020-08-21" });
    expect((await listed(trader, "start=2020-08-31&end=2020-08-31")).forward_splits).toMatchObject([
      { ex_date: "2020-08-31", process_date: "2020-08-31" },
    ]);
  });
});

describe("corporate actions by the control API", () => {
  const holding = async (qty = "15") => {
    const exchange = await running.open({ tape: TAPE, start: "2020-06-01" });
    const trader = await openTrader(exchange);
    await trader.send("POST", "/v2/orders", marketOrder("FOUR", "buy", qty));
    const rests = { ...limitOrder("FOUR", "sell", "5", "900.00"), time_in_force: "gtc", client_order_id: "rests" };
    await trader.send("POST", "/v2/orders", rests);
    const apply = exchange.control.venueActions.applyCorporateAction;
    const activitiesOf = (type: string) =>
      trader.truth().activities.filter(({ activity_type }) => activity_type === type);
    return { exchange, trader, apply, activitiesOf, last: await trader.last("FOUR") };
  };

  it("a reverse split pays the fraction of a share in cash, with its part of the cost", async () => {
    const { trader, apply, activitiesOf } = await holding();
    const before = trader.truth();
    await apply({ kind: "split", symbol: "FOUR", ratio: "0.1", paysFractions: true });
    const after = trader.truth();
    expect(after.positions[0]?.qty).toBe("1");
    expect(Number(after.positions[0]?.avg_entry_price)).toBeCloseTo(
      Number(before.positions[0]?.avg_entry_price) * 10,
      6,
    );
    const paid = money(after.cash).minus(before.cash);
    // Half a share at the price the market still has.
    expect(paid.toFixed()).toBe(
      money(await trader.last("FOUR"))
        .div(2)
        .toDecimalPlaces(2)
        .toFixed(),
    );
    expect(activitiesOf("SPLIT")).toMatchObject([
      { qty: "-14", net_amount: paid.toFixed(), activity_sub_type: "RSPLIT" },
    ]);
    expect(await trader.order("rests")).toMatchObject({ qty: "0.5", limit_price: "9000" });
    expect(held(after)).toEqual(accountedFor(after));
  });

  it("a cash merger pays every share, cancels the orders and takes the symbol off the list", async () => {
    const { trader, apply, activitiesOf } = await holding();
    const before = trader.truth();
    await apply({ kind: "cash_merger", symbol: "FOUR", cash: "333.33" });
    const after = trader.truth();
    expect(after.positions).toEqual([]);
    expect(money(after.cash).minus(before.cash).toFixed()).toBe("4999.95");
    expect(activitiesOf("MA")).toMatchObject([
      { symbol: "FOUR", qty: "-15", net_amount: "4999.95", activity_sub_type: "CMA" },
    ]);
    expect((await trader.order("rests")).status).toBe("canceled");
    expect(await trader.refusal(marketOrder("FOUR", "buy", "1"))).toMatchObject({ status: 422, code: 42210000 });
    expect(held(after)).toEqual(accountedFor(after));
  });

  it("a stock merger turns shares into the acquirer's, with the same cost and cash for the fraction", async () => {
    const { trader, apply, activitiesOf } = await holding();
    const cost = money(trader.truth().positions[0]?.avg_entry_price ?? "0").times(15);
    await apply({ kind: "stock_merger", symbol: "FOUR", newSymbol: "BROAD", ratio: "1.5", cash: "10" });
    const after = trader.truth();
    expect(after.positions).toMatchObject([{ symbol: "BROAD", qty: "22" }]);
    expect(
      money(after.positions[0]?.avg_entry_price ?? "0")
        .times("22.5")
        .minus(cost)
        .abs()
        .lt("0.000001"),
    ).toBe(true);
    const [gone, come] = activitiesOf("MA");
    expect([gone?.qty, gone?.net_amount, come?.symbol, come?.qty]).toEqual(["-15", "150", "BROAD", "22"]);
    expect(gone?.group_id).toBe(come?.group_id);
    expect(held(after)).toEqual(accountedFor(after));
  });

  it("a spin-off gives shares of the new company and moves its part of the cost", async () => {
    const { trader, apply, activitiesOf } = await holding("12");
    const cost = money(trader.truth().positions[0]?.avg_entry_price ?? "0").times(12);
    await apply({ kind: "spin_off", symbol: "FOUR", newSymbol: "BROAD", ratio: "0.25", costShare: "0.2" });
    const [four, broad] = trader.truth().positions;
    expect([four?.qty, broad?.symbol, broad?.qty]).toEqual(["12", "BROAD", "3"]);
    const costs = [money(four?.avg_entry_price ?? "0").times(12), money(broad?.avg_entry_price ?? "0").times(3)];
    expect(costs.map((part) => part.div(cost).toDecimalPlaces(6).toFixed())).toEqual(["0.8", "0.2"]);
    expect(activitiesOf("SPIN")).toMatchObject([{ symbol: "BROAD", qty: "3", net_amount: "0" }]);
    expect(held(trader.truth())).toEqual(accountedFor(trader.truth()));
  });

  it("a change of symbol carries shares, cost and orders over", async () => {
    const { trader, apply, activitiesOf } = await holding();
    const before = trader.truth().positions[0];
    await apply({ kind: "name_change", symbol: "FOUR", newSymbol: "BROAD" });
    expect(trader.truth().positions).toEqual([{ ...before, symbol: "BROAD" }]);
    expect(await trader.order("rests")).toMatchObject({ symbol: "BROAD", status: "new", qty: "5" });
    expect(activitiesOf("NC").map(({ symbol, qty }) => [symbol, qty])).toEqual([
      ["FOUR", "-15"],
      ["BROAD", "15"],
    ]);
  });

  it("an action for an unknown symbol is refused", async () => {
    const { apply } = await holding();
    await expect(apply({ kind: "dividend", symbol: "NOSUCH", amount: "1" })).rejects.toMatchObject({ status: 422 });
  });
});
