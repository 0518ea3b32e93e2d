import { afterEach, describe, expect, it, vi } from "vitest";
import { money } from "../domain/money.ts";
import {
  accountedFor,
  exchanges,
  held,
  limitOrder,
  marketOrder,
  openTrader,
  orderIn,
  TAPE,
} from "@/lib/proof/practice-trader.ts";
import { changedMarket } from "@/lib/proof/market/changed-market.ts";

// A busy machine needs longer to open a market.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const running = exchanges();
afterEach(() => running.closeAll());

describe("fills", () => {
  it("a large order fills in parts, never more than a tenth of the minute's volume", async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-03-02" });
    const trader = await openTrader(exchange, "100000000");
    await trader.send("POST", "/v2/orders", { ...marketOrder("THIN", "buy", "30000"), client_order_id: "large" });
    await exchange.control.clock({ advanceMinutes: 390 });
    const { fills } = trader.truth();
    expect(fills.length).toBeGreaterThan(20);
    const { body } = await trader.send("GET", "/v2/stocks/THIN/bars?timeframe=1Min&start=2020-03-02&limit=1000");
    const volumes = new Map((body.bars as { t: string; v: number }[]).map((bar) => [bar.t.slice(0, 16), bar.v]));
    const byMinute = new Map<string, number>();
    for (const fill of fills.slice(1)) {
      // A fill at a minute's end belongs to the minute that ended.
      const minute = new Date(Date.parse(fill.at.slice(0, 19) + "Z") - 60_000).toISOString().slice(0, 16);
      byMinute.set(minute, (byMinute.get(minute) ?? 0) + Number(fill.qty));
    }
    for (const [minute, qty] of byMinute)
      expect(qty).toBeLessThanOrEqual(Math.max(1, 0.1 * (volumes.get(minute) ?? 0)));
    expect(held(trader.truth())).toEqual(accountedFor(trader.truth()));
  });

  it("a buy limit rests until the ask comes down to it, and never pays more", async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-03-09" });
    const trader = await openTrader(exchange);
    const price = await trader.last("FOUR");
    const bid = (price * 0.985).toFixed(2);
    await trader.send("POST", "/v2/orders", {
      ...limitOrder("FOUR", "buy", "10", bid),
      time_in_force: "gtc",
      client_order_id: "patient",
    });
    expect(orderIn(trader.truth(), "patient").status).toBe("new");
    await exchange.control.clock({ jumpTo: "2020-03-16" });
    const order = orderIn(trader.truth(), "patient");
    expect(order.status).toBe("filled");
    for (const fill of trader.truth().fills) expect(Number(fill.price)).toBeLessThanOrEqual(Number(bid));
  });

  it("a stop that the market gaps over fills at the open beyond it", async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-03-11" });
    const trader = await openTrader(exchange);
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "10"));
    await exchange.control.clock({ advanceMinutes: 390 });
    const close = await trader.last("SPY");
    const stop = (close * 0.99).toFixed(2);
    const order = {
      ...marketOrder("SPY", "sell", "10"),
      type: "stop",
      stop_price: stop,
      time_in_force: "gtc",
      client_order_id: "stop",
    };
    expect((await trader.send("POST", "/v2/orders", order)).body.status).toBe("accepted");
    await exchange.control.clock({ jumpTo: "2020-03-12" });
    // The opening of 2020-03-12 was about 6 % below the close before.
    const filled = orderIn(trader.truth(), "stop");
    expect(filled.status).toBe("filled");
    expect(Number(filled.filled_avg_price)).toBeLessThan(close * 0.96);
    expect(held(trader.truth())).toEqual(accountedFor(trader.truth()));
  });

  it("a day order expires at the close, at 13:00 on a half day", async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-11-27" });
    const trader = await openTrader(exchange);
    const { body } = await trader.send("POST", "/v2/orders", {
      ...limitOrder("FOUR", "buy", "1", "1.00"),
      client_order_id: "day",
    });
    expect(body.expires_at).toBe("2020-11-27T18:00:00Z");
    await exchange.control.clock({ advanceMinutes: 209 });
    expect(orderIn(trader.truth(), "day").status).toBe("new");
    await exchange.control.clock({ advanceMinutes: 1 });
    expect(orderIn(trader.truth(), "day").status).toBe("expired");
    expect(exchange.control.status().isOpen).toBe(false);
  });

  it("an order sent after the close waits for the next opening", async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-06-01" });
    const trader = await openTrader(exchange);
    await exchange.control.clock({ advanceMinutes: 390 });
    const { body } = await trader.send("POST", "/v2/orders", {
      ...marketOrder("BROAD", "buy", "5"),
      client_order_id: "evening",
    });
    expect([body.status, body.expires_at]).toEqual(["accepted", "2020-06-02T20:00:00Z"]);
    await exchange.control.clock({ advanceMinutes: 1 });
    expect(orderIn(trader.truth(), "evening").status).toBe("filled");
  });

  it("a notional order spends no more than asked, to nine places of a share", async () => {
    const exchange = await running.open({ seed: 3 });
    const trader = await openTrader(exchange);
    const { body } = await trader.send("POST", "/v2/orders", {
      symbol: "SPY",
      side: "buy",
      notional: "1234.56",
      type: "market",
      time_in_force: "day",
      client_order_id: "notional",
    });
    expect([body.qty, body.notional]).toEqual([null, "1234.56"]);
    const { filled_qty, filled_avg_price, status } = orderIn(trader.truth(), "notional");
    const spent = money(filled_qty).times(filled_avg_price as string);
    expect(status).toBe("filled");
    expect(spent.lte("1234.56") && spent.gt("1234.55")).toBe(true);
    expect(held(trader.truth())).toEqual(accountedFor(trader.truth()));
  });

  it("a notional sale of all there is ends filled, though the bid pays less than was asked for", async () => {
    const exchange = await running.open({ seed: 3 });
    const trader = await openTrader(exchange);
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "10"));
    const notional = (await trader.send("GET", "/v2/positions/SPY")).body.market_value;
    const sale = { symbol: "SPY", side: "sell", notional, type: "market", time_in_force: "day" };
    await trader.send("POST", "/v2/orders", { ...sale, client_order_id: "all" });
    await exchange.control.clock({ advanceMinutes: 1 });
    expect(trader.truth().positions).toEqual([]);
    expect(await trader.order("all")).toMatchObject({ status: "filled", filled_qty: "10" });
    const [fill] = (await trader.send("GET", "/v2/account/activities/FILL")).body as unknown as Record<
      string,
      string
    >[];
    expect(fill).toMatchObject({ type: "fill", leaves_qty: "0", order_status: "filled" });
  });

  it("a stop buy that the market gaps far over waits for its band: 2.5 % above the stop", async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-03-12" });
    const trader = await openTrader(exchange);
    await exchange.control.clock({ advanceMinutes: 390 });
    const close = await trader.last("SPY");
    const stop = (close * 1.001).toFixed(2);
    const order = { ...marketOrder("SPY", "buy", "10"), type: "stop", stop_price: stop, time_in_force: "gtc" };
    await trader.send("POST", "/v2/orders", { ...order, client_order_id: "stop" });
    await exchange.control.clock({ jumpTo: "2020-03-13" });
    // The opening of 2020-03-13 was about 5 % above the close before.
    expect((await trader.last("SPY")) / Number(stop)).toBeGreaterThan(1.025);
    await exchange.control.clock({ advanceMinutes: 389 });
    for (const fill of trader.truth().fills)
      expect(Number(fill.price)).toBeLessThanOrEqual(Number(stop) * 1.025 + 0.01);
    expect(trader.truth().fills.length + Number(orderIn(trader.truth(), "stop").status === "new")).toBeGreaterThan(0);
  });

  it("a cash account is not run into debt by an opening far above what was reserved: the order is rejected", async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-03-12" });
    await exchange.control.clock({ advanceMinutes: 390 });
    const scout = await openTrader(exchange);
    const price = await scout.last("SPY");
    const trader = await openTrader(exchange, (price * 10.4).toFixed(2));
    await trader.send("POST", "/v2/orders", { ...marketOrder("SPY", "buy", "10"), client_order_id: "all-in" });
    await exchange.control.clock({ jumpTo: "2020-03-13" });
    const order = await trader.order("all-in");
    expect([order.status, order.filled_qty]).toEqual(["rejected", "0"]);
    expect(order.failed_at).not.toBeNull();
    expect(trader.truth().cash).toBe((price * 10.4).toFixed(2).replace(/\.?0+$/, ""));
  });
});

describe("halts", () => {
  it("orders for a halted symbol are taken and wait, its asset stays tradable; they fill when the halt ends", async () => {
    const exchange = await running.open({ seed: 3 });
    const trader = await openTrader(exchange);
    const { setSymbol } = exchange.control.venueActions;
    await setSymbol("SPY", { isHalted: true });
    const sent = await trader.send("POST", "/v2/orders", {
      ...marketOrder("SPY", "buy", "10"),
      client_order_id: "wait",
    });
    expect(sent.status).toBe(200);
    await exchange.control.clock({ advanceMinutes: 30 });
    expect(await trader.order("wait")).toMatchObject({ status: "new", filled_qty: "0" });
    expect((await trader.send("GET", "/v2/assets/SPY")).body).toMatchObject({ status: "active", tradable: true });
    await setSymbol("SPY", { isHalted: false });
    await exchange.control.clock({ advanceMinutes: 1 });
    expect(await trader.order("wait")).toMatchObject({ status: "filled", filled_qty: "10" });
  });

  it("a halt of the market stops the minutes that it lasts, not the one before it", async () => {
    const halt = { date: "2024-01-08", symbol: "SPY", fromMinute: 20, minutes: 10, reason: "news" } as const;
    const exchange = await running.open({ seed: 3, generate: changedMarket(() => ({ halts: [halt] })) });
    const trader = await openTrader(exchange, "1000000000");
    await exchange.control.clock({ advanceMinutes: 15 });
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "1000000"));
    await exchange.control.clock({ advanceMinutes: 18 });
    const opening = Date.parse("2024-01-08T14:30:00Z");
    const minutes = trader.truth().fills.map(({ at }) => Math.floor((Date.parse(at) - opening) / 60_000));
    // On arrival the running minute's share, then that of each minute when it is over.
    expect(minutes).toEqual([15, 17, 18, 19, 20, 31, 32, 33]);
  });

  it("an immediate order for a halted symbol is cancelled", async () => {
    const exchange = await running.open({ seed: 3 });
    const trader = await openTrader(exchange);
    await exchange.control.venueActions.setSymbol("SPY", { isHalted: true });
    const order = { ...marketOrder("SPY", "buy", "1"), time_in_force: "ioc", client_order_id: "now" };
    await trader.send("POST", "/v2/orders", order);
    expect((await trader.order("now")).status).toBe("canceled");
  });
});

describe("extended hours", () => {
  const evening = async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-06-01" });
    const trader = await openTrader(exchange);
    await exchange.control.clock({ jumpTo: "2020-06-01T17:00:00-04:00" });
    const price = await trader.last("FOUR");
    const order = { ...limitOrder("FOUR", "buy", "2", (price * 1.01).toFixed(2)), client_order_id: "late" };
    return { exchange, trader, price, order };
  };

  it("a limit order that asks for them trades after the close at the last price, others wait for the opening", async () => {
    const { trader, order, price } = await evening();
    const sent = await trader.send("POST", "/v2/orders", { ...order, extended_hours: true });
    expect([sent.body.status, sent.body.expires_at]).toEqual(["pending_new", "2020-06-02T00:00:00Z"]);
    const late = await trader.order("late");
    expect([late.status, late.filled_qty]).toEqual(["filled", "2"]);
    expect(Number(late.filled_avg_price)).toBeCloseTo(price, 0);
    const waits = await trader.send("POST", "/v2/orders", { ...order, client_order_id: "waits" });
    expect([waits.body.status, waits.body.expires_at]).toEqual(["accepted", "2020-06-02T20:00:00Z"]);
  });

  it("what rests in the evening is over at 20:00: it holds no money at night and cannot be replaced", async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-06-01", skipClosed: false });
    const trader = await openTrader(exchange);
    await exchange.control.clock({ jumpTo: "2020-06-01T17:00:00-04:00" });
    const order = { ...limitOrder("FOUR", "buy", "2", "10.00"), extended_hours: true };
    const { body } = await trader.send("POST", "/v2/orders", order);
    await exchange.control.clock({ jumpTo: "2020-06-02T04:30:00-04:00" });
    const ended = { status: "expired", expired_at: "2020-06-02T00:00:00.000000000Z" };
    expect(trader.truth().orders[0]?.status).toBe("expired");
    const refused = await trader.send("PATCH", `/v2/orders/${String(body.id)}`, { limit_price: "9000" });
    expect(refused.status).toBe(422);
    expect((await trader.send("GET", `/v2/orders/${String(body.id)}`)).body).toMatchObject(ended);
    expect((await trader.send("GET", "/v2/account")).body.buying_power).toBe("100000");
  });

  it("a read that finds an order over ends it", async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-06-01", skipClosed: false });
    const trader = await openTrader(exchange);
    await exchange.control.clock({ jumpTo: "2020-06-01T17:00:00-04:00" });
    await trader.send("POST", "/v2/orders", { ...limitOrder("FOUR", "buy", "2", "10.00"), extended_hours: true });
    await exchange.control.clock({ jumpTo: "2020-06-01T20:30:00-04:00" });
    expect((await trader.send("GET", "/v2/account")).body.buying_power).toBe("100000");
    expect((await trader.send("GET", "/v2/orders")).body).toEqual([]);
  });

  it("what rests in the evening has expired at 20:00 when the next day begins", async () => {
    const { exchange, trader, order, price } = await evening();
    await trader.send("POST", "/v2/orders", { ...order, limit_price: (price * 0.9).toFixed(2), extended_hours: true });
    expect((await trader.order("late")).status).toBe("new");
    await exchange.control.clock({ jumpTo: "2020-06-02" });
    expect(await trader.order("late")).toMatchObject({
      status: "expired",
      expired_at: "2020-06-02T00:00:00.000000000Z",
    });
  });

  it("before 04:00 nothing trades", async () => {
    const { exchange, trader, order } = await evening();
    await exchange.control.clock({ jumpTo: "2020-06-02T03:00:00-04:00" });
    const sent = await trader.send("POST", "/v2/orders", { ...order, extended_hours: true });
    expect([sent.body.status, sent.body.expires_at]).toEqual(["accepted", "2020-06-03T00:00:00Z"]);
  });
});
