import { afterEach, describe, expect, it, vi } from "vitest";
import { money } from "../domain/money.ts";
import {
  accountedFor,
  exchanges,
  held,
  limitOrder,
  marketOrder,
  openTrader,
  type PracticeTrader,
  TAPE,
} from "@/lib/proof/practice-trader.ts";

// A busy machine needs longer to open a market.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const running = exchanges();
afterEach(() => running.closeAll());

describe("groups", () => {
  it("when the stop of a bracket fills the profit goes, and a pair holds the shares once", async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-03-05" });
    const trader = await openTrader(exchange);
    const price = await trader.last("SPY");
    const exits = {
      take_profit: { limit_price: (price * 1.2).toFixed(2) },
      stop_loss: { stop_price: (price * 0.97).toFixed(2) },
    };
    await trader.send("POST", "/v2/orders", {
      ...marketOrder("SPY", "buy", "20"),
      time_in_force: "gtc",
      order_class: "bracket",
      ...exits,
    });
    const position = (await trader.send("GET", "/v2/positions/SPY")).body;
    expect([position.qty, position.qty_available]).toEqual(["20", "0"]);
    const refused = await trader.send("POST", "/v2/orders", marketOrder("SPY", "sell", "1"));
    expect([refused.status, refused.body.code, refused.body.held_for_orders]).toEqual([403, 40310000, "20"]);
    await exchange.control.clock({ jumpTo: "2020-03-10" });
    const legs = trader
      .truth()
      .orders.slice(1)
      .map((order) => [order.type, order.status]);
    expect(legs).toEqual([
      ["limit", "canceled"],
      ["stop", "filled"],
    ]);
    expect(trader.truth().positions).toEqual([]);
    expect(held(trader.truth())).toEqual(accountedFor(trader.truth()));
  });

  it("a partly filled profit leaves the stop the rest", async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-03-02" });
    const trader = await openTrader(exchange, "100000000");
    await trader.send("POST", "/v2/orders", { ...marketOrder("THIN", "buy", "20000"), time_in_force: "gtc" });
    await exchange.control.clock({ jumpTo: "2020-03-12" });
    const price = await trader.last("THIN");
    const oco = {
      symbol: "THIN",
      side: "sell",
      type: "limit",
      qty: "20000",
      time_in_force: "gtc",
      order_class: "oco",
      take_profit: { limit_price: (price * 0.995).toFixed(2) },
      stop_loss: { stop_price: (price * 0.5).toFixed(2) },
    };
    const { body } = await trader.send("POST", "/v2/orders", oco);
    const { filled_qty } = trader.truth().orders.find((order) => order.id === body.id) ?? { filled_qty: "0" };
    const stop = trader.truth().orders.find((order) => order.type === "stop");
    expect(money(filled_qty).gt(0) && money(filled_qty).lt(20000)).toBe(true);
    expect(
      money(stop?.qty ?? "0")
        .plus(filled_qty)
        .toFixed(),
    ).toBe("20000");
    expect(held(trader.truth())).toEqual(accountedFor(trader.truth()));
  });

  it("an order that could trade with the account's own is refused, a bracket is not", async () => {
    const exchange = await running.open({ seed: 3 });
    const trader = await openTrader(exchange);
    const price = await trader.last("SPY");
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "10"));
    await trader.send("POST", "/v2/orders", limitOrder("SPY", "sell", "5", (price * 1.1).toFixed(2)));
    const crossing = await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "1"));
    expect([crossing.status, crossing.body.code]).toEqual([403, 40310000]);
    expect(crossing.body.existing_order_id).toBeDefined();
    expect(
      (await trader.send("POST", "/v2/orders", limitOrder("SPY", "buy", "1", (price * 0.9).toFixed(2)))).status,
    ).toBe(200);
    const exits = {
      take_profit: { limit_price: (price * 1.3).toFixed(2) },
      stop_loss: { stop_price: (price * 0.7).toFixed(2) },
    };
    const bracket = { ...marketOrder("SPY", "buy", "1"), order_class: "bracket", ...exits };
    expect((await trader.send("POST", "/v2/orders", bracket)).status).toBe(200);
  });

  it("a bracket whose stop is above its price is refused", async () => {
    const exchange = await running.open({ seed: 3 });
    const trader = await openTrader(exchange);
    const price = await trader.last("SPY");
    const exits = {
      take_profit: { limit_price: (price * 1.3).toFixed(2) },
      stop_loss: { stop_price: (price * 1.1).toFixed(2) },
    };
    const answer = await trader.send("POST", "/v2/orders", {
      ...marketOrder("SPY", "buy", "1"),
      order_class: "bracket",
      ...exits,
    });
    expect([answer.status, answer.body.code]).toEqual([422, 42210000]);
  });
});

describe("the life of a group", () => {
  const exitsAround = (price: number) => ({
    take_profit: { limit_price: (price * 1.3).toFixed(2) },
    stop_loss: { stop_price: (price * 0.7).toFixed(2) },
  });
  const open = async () => {
    const exchange = await running.open({ seed: 3 });
    await exchange.control.clock({ advanceMinutes: 10 });
    const trader = await openTrader(exchange);
    return { exchange, trader, price: await trader.last("SPY") };
  };
  const groupOf = async (trader: PracticeTrader, id: unknown) => {
    const { body } = await trader.send("GET", `/v2/orders/${String(id)}?nested=true`);
    return [body, ...(body.legs as Record<string, unknown>[])];
  };

  it("an entry replaced by one that lives on takes its exits along, so that its shares end with their stop", async () => {
    const { exchange, trader, price } = await open();
    const entry = { ...limitOrder("SPY", "buy", "10", (price * 0.8).toFixed(2)), order_class: "bracket" };
    const { body } = await trader.send("POST", "/v2/orders", { ...entry, ...exitsAround(price) });
    const { body: gtc } = await trader.send("PATCH", `/v2/orders/${String(body.id)}`, { time_in_force: "gtc" });
    const legs = (gtc.legs as Record<string, unknown>[]).map((leg) => [leg.time_in_force, leg.expires_at]);
    expect(legs).toEqual(Array(2).fill(["gtc", gtc.expires_at]));
    await exchange.control.clock({ advanceMinutes: 390 });
    const last = await trader.last("SPY");
    const { body: raised } = await trader.send("PATCH", `/v2/orders/${String(gtc.id)}`, {
      limit_price: (last * 1.05).toFixed(2),
    });
    expect((await groupOf(trader, raised.id)).map(({ status }) => status)).toEqual(["filled", "new", "new"]);
  });

  it("an entry replaced by one for the day leaves no exits waiting behind", async () => {
    const { exchange, trader, price } = await open();
    const entry = { ...limitOrder("SPY", "buy", "10", (price * 0.8).toFixed(2)), time_in_force: "gtc" };
    const { body } = await trader.send("POST", "/v2/orders", {
      ...entry,
      order_class: "bracket",
      ...exitsAround(price),
    });
    const { body: day } = await trader.send("PATCH", `/v2/orders/${String(body.id)}`, { time_in_force: "day" });
    await exchange.control.clock({ advanceMinutes: 390 });
    expect((await groupOf(trader, day.id)).map(({ status }) => status)).toEqual(Array(3).fill("expired"));
    expect((await trader.send("GET", "/v2/orders")).body).toEqual([]);
  });

  it("the stop of a pair lives as long as what replaced the pair's first order", async () => {
    const { exchange, trader, price } = await open();
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "10"));
    const pair = { ...marketOrder("SPY", "sell", "10"), type: "limit", order_class: "oco", ...exitsAround(price) };
    const { body } = await trader.send("POST", "/v2/orders", pair);
    const { body: gtc } = await trader.send("PATCH", `/v2/orders/${String(body.id)}`, { time_in_force: "gtc" });
    await exchange.control.clock({ advanceMinutes: 390 });
    const group = await groupOf(trader, gtc.id);
    expect(group.map((order) => [order.type, order.status, order.time_in_force])).toEqual([
      ["limit", "new", "gtc"],
      ["stop", "new", "gtc"],
    ]);
  });
});

describe("what closes a position", () => {
  it("is no entry of a bracket or of an order with one exit: both are refused, a pair of exits is not", async () => {
    const exchange = await running.open({ seed: 3 });
    const trader = await openTrader(exchange);
    const price = await trader.last("SPY");
    const [above, below] = [(price * 1.1).toFixed(2), (price * 0.9).toFixed(2)];
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "10"));
    const sale = { ...marketOrder("SPY", "sell", "10"), stop_loss: { stop_price: above } };
    const profit = { take_profit: { limit_price: below } };
    expect(await trader.refusal({ ...sale, ...profit, order_class: "bracket" })).toEqual({
      status: 422,
      code: 42210000,
      message: "bracket orders must be entry orders",
    });
    expect(await trader.refusal({ ...sale, order_class: "oto" })).toMatchObject({ status: 422, code: 42210000 });
    const pair = {
      ...{ ...marketOrder("SPY", "sell", "10"), type: "limit", order_class: "oco" },
      ...{ take_profit: { limit_price: above }, stop_loss: { stop_price: below } },
    };
    expect((await trader.send("POST", "/v2/orders", pair)).status).toBe(200);
  });

  it("takes nothing from a position on the other side", async () => {
    const exchange = await running.open({ seed: 3 });
    const trader = await openTrader(exchange, "100000", { margin: true });
    const price = await trader.last("SPY");
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "10"));
    const sale = { ...limitOrder("SPY", "sell", "10", (price * 1.1).toFixed(2)), time_in_force: "gtc" };
    const { body } = await trader.send("POST", "/v2/orders", { ...sale, client_order_id: "sale" });
    // The shares go by hand, and then as many are owed.
    await exchange.control.manualActions.moveShares(trader.account.account_number, { symbol: "SPY", qty: "-10" });
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "sell", "10"));
    await trader.send("PATCH", `/v2/orders/${String(body.id)}`, { limit_price: (price * 0.99).toFixed(2) });
    await exchange.control.clock({ advanceMinutes: 1 });
    expect(trader.truth().positions).toMatchObject([{ symbol: "SPY", qty: "-10" }]);
    expect(trader.truth().orders.at(-1)).toMatchObject({ side: "sell", filled_qty: "0", status: "canceled" });
  });
});

describe("exits in the minute of their entry", () => {
  interface MinuteBar {
    o: number;
    l: number;
    c: number;
  }

  /** A market that stands before the minute in which SPY falls furthest, and that minute's bar. */
  async function beforeTheFall() {
    const ahead = await running.open({ seed: 3 });
    await ahead.control.clock({ advanceMinutes: 120 });
    const path = "/v2/stocks/SPY/bars?timeframe=1Min&start=2024-01-08&limit=1000";
    const { bars } = (await (await openTrader(ahead)).send("GET", path)).body as unknown as { bars: MinuteBar[] };
    const fallOf = ({ o, c }: MinuteBar) => o - c;
    const bar = bars.slice(5).reduce((most, other) => (fallOf(other) > fallOf(most) ? other : most));
    const exchange = await running.open({ seed: 3 });
    await exchange.control.clock({ advanceMinutes: bars.indexOf(bar) });
    return { exchange, trader: await openTrader(exchange, "100000", { margin: true }), bar };
  }

  /** A bracket whose entry fills half way down. */
  const bracketAt = (entry: number, profit: number, stop: number) => ({
    ...limitOrder("SPY", "buy", "50", entry.toFixed(2)),
    order_class: "bracket",
    take_profit: { limit_price: profit.toFixed(2) },
    stop_loss: { stop_price: stop.toFixed(2) },
  });
  const tradesOf = (trader: PracticeTrader) => trader.truth().fills.map(({ side, qty }) => `${side} ${qty}`);

  it("a profit is not taken at a price from before the entry", async () => {
    const { exchange, trader, bar } = await beforeTheFall();
    const entry = (bar.o + bar.c) / 2;
    const sent = await trader.send("POST", "/v2/orders", bracketAt(entry, entry + 0.05, entry - 20));
    expect([sent.status, tradesOf(trader)]).toEqual([200, []]);
    // The market stood above the profit's limit when the minute began, and only then.
    expect(bar.o).toBeGreaterThan(entry + 0.1);
    await exchange.control.clock({ advanceMinutes: 1 });
    expect(tradesOf(trader)).toEqual(["buy 50"]);
    expect(trader.truth().orders.map(({ status }) => status)).toEqual(["filled", "new", "new"]);
  });

  it("a stop does not go off at a price from before the entry", async () => {
    const { exchange, trader, bar } = await beforeTheFall();
    const entry = (bar.o + bar.c) / 2;
    const sent = await trader.send("POST", "/v2/orders", {
      ...limitOrder("SPY", "sell", "50", bar.c.toFixed(2)),
      ...{ type: "stop_limit", stop_price: entry.toFixed(2) },
      ...{ order_class: "oto", stop_loss: { stop_price: (bar.o - 0.02).toFixed(2) } },
    });
    expect(sent.status).toBe(200);
    await exchange.control.clock({ advanceMinutes: 1 });
    expect(tradesOf(trader)).toEqual(["sell 50"]);
  });

  it("a stop that the market has passed when the entry's minute ends goes off in the next one", async () => {
    const { exchange, trader, bar } = await beforeTheFall();
    const entry = (bar.o + bar.c) / 2;
    const stop = entry - 0.05;
    await trader.send("POST", "/v2/orders", bracketAt(entry, entry + 20, stop));
    expect(stop).toBeGreaterThan(bar.c);
    await exchange.control.clock({ advanceMinutes: 1 });
    expect(tradesOf(trader)).toEqual(["buy 50"]);
    await exchange.control.clock({ advanceMinutes: 1 });
    expect(tradesOf(trader)).toEqual(["buy 50", "sell 50"]);
    // It gapped below the stop: no better price than the minute's open is had.
    expect(Number(trader.truth().fills[1]?.price)).toBeLessThanOrEqual(bar.c);
  });
});
