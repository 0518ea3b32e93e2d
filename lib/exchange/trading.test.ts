import path from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { money, ZERO } from "../domain/money.ts";
import type { Truth } from "./control.ts";
import { openTrader, type PracticeTrader } from "./practice-trader.ts";
import { type Exchange, startExchange } from "./start.ts";

const TAPE = path.resolve(import.meta.dirname, "../../..", "shared/market/sp500-2019-2020");

let running: Exchange[] = [];
afterEach(async () => {
  await Promise.all(running.map((exchange) => exchange.close()));
  running = [];
});

async function exchangeOf(options: Partial<Parameters<typeof startExchange>[0]>): Promise<Exchange> {
  const exchange = await startExchange({ port: 0, paused: true, ...options });
  running.push(exchange);
  return exchange;
}

const market = (symbol: string, side: string, qty: string) => ({
  symbol,
  side,
  qty,
  type: "market",
  time_in_force: "day",
});
const limit = (symbol: string, side: string, qty: string, limit_price: string) => ({
  ...market(symbol, side, qty),
  type: "limit",
  limit_price,
});

async function lastPrice(trader: PracticeTrader, symbol: string): Promise<number> {
  const { body } = await trader.send("GET", `/v2/stocks/${symbol}/trades/latest`);
  return (body.trade as { p: number }).p;
}

function orderIn(truth: Truth, clientId: string) {
  const order = truth.orders.find((candidate) => candidate.client_order_id === clientId);
  if (order === undefined) throw new Error(`no order ${clientId}`);
  return order;
}

/** Cash is the deposit, less what was bought, plus what was sold and paid; shares are what was bought, less what was sold, plus what splits made. */
function expectConserved(truth: Truth): void {
  let cash = money(truth.deposit);
  const shares = new Map<string, ReturnType<typeof money>>();
  for (const fill of truth.fills) {
    const sign = fill.side === "buy" ? 1 : -1;
    cash = cash.minus(money(fill.qty).times(fill.price).times(sign));
    shares.set(fill.symbol, (shares.get(fill.symbol) ?? ZERO).plus(money(fill.qty).times(sign)));
  }
  for (const { activity_type: type, net_amount: amount = "0", symbol = "", qty = "0" } of truth.activities) {
    if (type === "DIV") cash = cash.plus(amount);
    if (type === "SPLIT") shares.set(symbol, (shares.get(symbol) ?? ZERO).plus(qty));
  }
  expect(truth.cash).toBe(cash.toFixed());
  const held = [...shares].filter(([, qty]) => !qty.isZero()).map(([symbol, qty]) => `${symbol} ${qty.toFixed()}`);
  expect(truth.positions.map(({ symbol, qty }) => `${symbol} ${qty}`).sort()).toEqual(held.sort());
}

describe("fills", () => {
  it("a large order fills in parts, never more than a tenth of the minute's volume", async () => {
    const exchange = await exchangeOf({ tape: TAPE, start: "2020-03-02" });
    const trader = await openTrader(exchange, "100000000");
    await trader.send("POST", "/v2/orders", { ...market("ZBRA", "buy", "30000"), client_order_id: "large" });
    await exchange.control.clock({ advanceMinutes: 390 });
    const { fills } = trader.truth();
    expect(fills.length).toBeGreaterThan(20);
    const { body } = await trader.send("GET", "/v2/stocks/ZBRA/bars?timeframe=1Min&start=2020-03-02&limit=1000");
    const volumes = new Map((body.bars as { t: string; v: number }[]).map((bar) => [bar.t.slice(0, 16), bar.v]));
    const byMinute = new Map<string, number>();
    for (const fill of fills.slice(1)) {
      // A fill at a minute's end belongs to the minute that ended.
      const minute = new Date(Date.parse(fill.at.slice(0, 19) + "Z") - 60_000).toISOString().slice(0, 16);
      byMinute.set(minute, (byMinute.get(minute) ?? 0) + Number(fill.qty));
    }
    for (const [minute, qty] of byMinute)
      expect(qty).toBeLessThanOrEqual(Math.max(1, 0.1 * (volumes.get(minute) ?? 0)));
    expectConserved(trader.truth());
  });

  it("a buy limit rests until the ask comes down to it, and never pays more", async () => {
    const exchange = await exchangeOf({ tape: TAPE, start: "2020-03-09" });
    const trader = await openTrader(exchange);
    const price = await lastPrice(trader, "AAPL");
    const bid = (price * 0.985).toFixed(2);
    await trader.send("POST", "/v2/orders", {
      ...limit("AAPL", "buy", "10", bid),
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
    const exchange = await exchangeOf({ tape: TAPE, start: "2020-03-11" });
    const trader = await openTrader(exchange);
    await trader.send("POST", "/v2/orders", market("SPY", "buy", "10"));
    await exchange.control.clock({ advanceMinutes: 390 });
    const close = await lastPrice(trader, "SPY");
    const stop = (close * 0.99).toFixed(2);
    const order = {
      ...market("SPY", "sell", "10"),
      type: "stop",
      stop_price: stop,
      time_in_force: "gtc",
      client_order_id: "stop",
    };
    expect((await trader.send("POST", "/v2/orders", order)).body.status).toBe("accepted");
    await exchange.control.clock({ jumpTo: "2020-03-12" });
    // The opening of 2020-03-12 was about 7 % below the close before.
    const filled = orderIn(trader.truth(), "stop");
    expect(filled.status).toBe("filled");
    expect(Number(filled.filled_avg_price)).toBeLessThan(close * 0.96);
    expectConserved(trader.truth());
  });

  it("a day order expires at the close, at 13:00 on a half day", async () => {
    const exchange = await exchangeOf({ tape: TAPE, start: "2020-11-27" });
    const trader = await openTrader(exchange);
    const { body } = await trader.send("POST", "/v2/orders", {
      ...limit("AAPL", "buy", "1", "1.00"),
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
    const exchange = await exchangeOf({ tape: TAPE, start: "2020-06-01" });
    const trader = await openTrader(exchange);
    await exchange.control.clock({ advanceMinutes: 390 });
    const { body } = await trader.send("POST", "/v2/orders", {
      ...market("MSFT", "buy", "5"),
      client_order_id: "evening",
    });
    expect([body.status, body.expires_at]).toEqual(["accepted", "2020-06-02T20:00:00Z"]);
    await exchange.control.clock({ advanceMinutes: 1 });
    expect(orderIn(trader.truth(), "evening").status).toBe("filled");
  });

  it("a notional order spends no more than asked, to nine places of a share", async () => {
    const exchange = await exchangeOf({ seed: 3 });
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
    expectConserved(trader.truth());
  });
});

describe("groups", () => {
  it("when the stop of a bracket fills the profit goes, and a pair holds the shares once", async () => {
    const exchange = await exchangeOf({ tape: TAPE, start: "2020-03-05" });
    const trader = await openTrader(exchange);
    const price = await lastPrice(trader, "SPY");
    const exits = {
      take_profit: { limit_price: (price * 1.2).toFixed(2) },
      stop_loss: { stop_price: (price * 0.97).toFixed(2) },
    };
    await trader.send("POST", "/v2/orders", {
      ...market("SPY", "buy", "20"),
      time_in_force: "gtc",
      order_class: "bracket",
      ...exits,
    });
    const position = (await trader.send("GET", "/v2/positions/SPY")).body;
    expect([position.qty, position.qty_available]).toEqual(["20", "0"]);
    const refused = await trader.send("POST", "/v2/orders", market("SPY", "sell", "1"));
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
    expectConserved(trader.truth());
  });

  it("a partly filled profit leaves the stop the rest", async () => {
    const exchange = await exchangeOf({ tape: TAPE, start: "2020-03-02" });
    const trader = await openTrader(exchange, "100000000");
    await trader.send("POST", "/v2/orders", { ...market("ZBRA", "buy", "20000"), time_in_force: "gtc" });
    await exchange.control.clock({ jumpTo: "2020-03-12" });
    const price = await lastPrice(trader, "ZBRA");
    const oco = {
      symbol: "ZBRA",
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
    expectConserved(trader.truth());
  });

  it("an order that could trade with the account's own is refused, a bracket is not", async () => {
    const exchange = await exchangeOf({ seed: 3 });
    const trader = await openTrader(exchange);
    const price = await lastPrice(trader, "SPY");
    await trader.send("POST", "/v2/orders", market("SPY", "buy", "10"));
    await trader.send("POST", "/v2/orders", limit("SPY", "sell", "5", (price * 1.1).toFixed(2)));
    const crossing = await trader.send("POST", "/v2/orders", market("SPY", "buy", "1"));
    expect([crossing.status, crossing.body.code]).toEqual([403, 40310000]);
    expect(crossing.body.existing_order_id).toBeDefined();
    expect((await trader.send("POST", "/v2/orders", limit("SPY", "buy", "1", (price * 0.9).toFixed(2)))).status).toBe(
      200,
    );
    const exits = {
      take_profit: { limit_price: (price * 1.3).toFixed(2) },
      stop_loss: { stop_price: (price * 0.7).toFixed(2) },
    };
    const bracket = { ...market("SPY", "buy", "1"), order_class: "bracket", ...exits };
    expect((await trader.send("POST", "/v2/orders", bracket)).status).toBe(200);
  });

  it("a bracket whose stop is above its price is refused", async () => {
    const exchange = await exchangeOf({ seed: 3 });
    const trader = await openTrader(exchange);
    const price = await lastPrice(trader, "SPY");
    const exits = {
      take_profit: { limit_price: (price * 1.3).toFixed(2) },
      stop_loss: { stop_price: (price * 1.1).toFixed(2) },
    };
    const answer = await trader.send("POST", "/v2/orders", {
      ...market("SPY", "buy", "1"),
      order_class: "bracket",
      ...exits,
    });
    expect([answer.status, answer.body.code]).toEqual([422, 42210000]);
  });
});

describe("corporate actions", () => {
  it("the split of 2020-08-31 multiplies shares, divides prices and keeps the value", async () => {
    const exchange = await exchangeOf({ tape: TAPE, start: "2020-08-28" });
    const trader = await openTrader(exchange);
    await trader.send("POST", "/v2/orders", market("AAPL", "buy", "10"));
    await trader.send("POST", "/v2/orders", {
      ...limit("AAPL", "sell", "10", "800.00"),
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
    expect([split?.symbol, split?.qty, split?.date]).toEqual(["AAPL", "30", "2020-08-31"]);
    const bars = (await trader.send("GET", "/v2/stocks/AAPL/bars?timeframe=1Day&start=2020-08-27&adjustment=split"))
      .body.bars;
    expect((bars as { c: number }[]).every((bar) => bar.c < 140)).toBe(true);
  });

  it("a dividend is paid in cash on its ex-date to those who held the share overnight", async () => {
    const exchange = await exchangeOf({ tape: TAPE, start: "2020-02-06" });
    const trader = await openTrader(exchange);
    await trader.send("POST", "/v2/orders", market("AAPL", "buy", "100"));
    await exchange.control.clock({ jumpTo: "2020-02-07" });
    const dividend = trader.truth().activities.find((activity) => activity.activity_type === "DIV");
    expect([dividend?.net_amount, dividend?.date]).toEqual(["77", "2020-02-07"]);
    expectConserved(trader.truth());
  });
});

describe("exactness", () => {
  it("whatever is ordered, cash and shares follow from the fills, nothing is oversold and no order overfilled", async () => {
    const exchange = await exchangeOf({ seed: 4 });
    const scout = await openTrader(exchange);
    const assets = (await scout.send("GET", "/v2/assets")).body as unknown as { symbol: string }[];
    const symbols = assets.slice(10, 14).map((asset) => asset.symbol);
    const step = fc.record({
      symbol: fc.constantFrom(...symbols),
      side: fc.constantFrom("buy", "buy", "sell"),
      type: fc.constantFrom("market", "limit", "stop", "stop_limit", "notional", "bracket"),
      qty: fc.oneof(
        fc.integer({ min: 1, max: 400 }).map(String),
        fc.integer({ min: 1, max: 10_000_000 }).map((n) => money(n).div(1e6).toFixed()),
      ),
      shift: fc.double({ min: -0.03, max: 0.03, noNaN: true }),
      then: fc.constantFrom("nothing", "cancel all", "advance", "next day"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const trader = await openTrader(exchange, "50000");
        for (const { symbol, side, type, qty, shift, then } of steps) {
          const price = await lastPrice(trader, symbol);
          const at = (factor: number) => (price * factor).toFixed(2);
          const order: Record<string, unknown> = { ...market(symbol, side, qty), type };
          if (type === "limit" || type === "stop_limit") order.limit_price = at(1 + shift);
          if (type === "stop" || type === "stop_limit") order.stop_price = at(1 - shift);
          if (type === "notional")
            Object.assign(order, { type: "market", qty: undefined, notional: money(qty).toDecimalPlaces(2).toFixed() });
          if (type === "bracket") {
            const exits = { take_profit: { limit_price: at(1.01) }, stop_loss: { stop_price: at(0.99) } };
            Object.assign(order, { type: "market", order_class: "bracket", ...exits });
          }
          const { status } = await trader.send("POST", "/v2/orders", order);
          expect([200, 403, 422]).toContain(status);
          if (then === "cancel all") await trader.send("DELETE", "/v2/orders");
          if (then === "advance") await exchange.control.clock({ advanceMinutes: 7 });
          if (then === "next day") await exchange.control.clock({ advanceMinutes: 390 });
        }
        const truth = trader.truth();
        expectConserved(truth);
        for (const position of truth.positions) expect(money(position.qty).gt(0)).toBe(true);
        for (const order of truth.orders) {
          if (order.qty !== null) expect(money(order.filled_qty).lte(order.qty)).toBe(true);
        }
      }),
      { numRuns: 25 },
    );
  }, 60_000);

  it("the same seed and the same orders give the same fills", async () => {
    const runs = [];
    for (let run = 0; run < 2; run += 1) {
      const exchange = await exchangeOf({ seed: 9 });
      const trader = await openTrader(exchange, "1000000");
      const price = await lastPrice(trader, "SPY");
      await trader.send("POST", "/v2/orders", market("SPY", "buy", "900"));
      await trader.send("POST", "/v2/orders", {
        ...limit("SPY", "sell", "400", (price * 1.01).toFixed(2)),
        time_in_force: "gtc",
      });
      await exchange.control.clock({ advanceMinutes: 800 });
      runs.push(
        trader.truth().fills.map(({ symbol, side, qty, price: paid, at }) => ({ symbol, side, qty, paid, at })),
      );
    }
    expect(runs[0]?.length).toBeGreaterThan(0);
    expect(runs[1]).toEqual(runs[0]);
  });
});
