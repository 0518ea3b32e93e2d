import { afterEach, describe, expect, it, vi } from "vitest";
import { accountedFor, exchanges, held, marketOrder, openTrader, TAPE } from "@/lib/proof/practice-trader.ts";

// A busy machine needs longer to open a market.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const running = exchanges();
afterEach(() => running.closeAll());

interface Bar {
  t: string;
  o: number;
  h: number;
  l: number;
  c: number;
}

/** Where a trailing sell must go off by the minute bars: the first that falls to the stop of the highest price before. */
function firstFall(bars: Bar[], start: number, distance: (mark: number) => number): { bar: Bar; stop: number } | null {
  let mark = start;
  const stopAt = () => Math.floor((mark - distance(mark)) * 100 + 1e-6) / 100;
  for (const bar of bars) {
    if (bar.l <= stopAt()) return { bar, stop: stopAt() };
    mark = Math.max(mark, bar.h);
    if (bar.c <= stopAt()) return { bar, stop: stopAt() };
  }
  return null;
}

async function sold(trail: object) {
  const exchange = await running.open({ tape: TAPE, start: "2020-03-03" });
  const trader = await openTrader(exchange);
  await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "10"));
  const start = await trader.last("SPY");
  const order = { ...marketOrder("SPY", "sell", "10"), type: "trailing_stop", time_in_force: "gtc", ...trail };
  const reply = await trader.send("POST", "/v2/orders", { ...order, client_order_id: "trail" });
  const live = await trader.order("trail");
  await exchange.control.clock({ advanceMinutes: 389 });
  const bars = (await trader.send("GET", "/v2/stocks/SPY/bars?timeframe=1Min&start=2020-03-03&limit=1000")).body.bars;
  return { trader, start, reply, live, bars: bars as Bar[] };
}

describe("trailing stops", () => {
  it("the mark begins at the last price, with the stop a trail below it", async () => {
    const { reply, live, start } = await sold({ trail_price: "6.00" });
    expect([reply.body.type, reply.body.trail_price, reply.body.trail_percent]).toEqual(["trailing_stop", "6", null]);
    expect([live.status, live.hwm, live.stop_price]).toEqual([
      "new",
      String(start),
      String(Math.round((start - 6) * 100) / 100),
    ]);
  });

  it.each([
    ["a price", { trail_price: "6.00" }, () => 6],
    ["a percentage", { trail_percent: "1.5" }, (mark: number) => mark * 0.015],
  ])("it sells at the first fall from the highest price by %s", async (_, trail, distance) => {
    const { trader, start, bars } = await sold(trail);
    const expected = firstFall(bars, start, distance);
    if (expected === null) throw new Error("the market never fell that far");
    const order = await trader.order("trail");
    expect(order.status).toBe("filled");
    expect(String(order.filled_at).slice(0, 16) > expected.bar.t.slice(0, 16)).toBe(true);
    expect(Date.parse(String(order.filled_at)) - Date.parse(expected.bar.t)).toBe(60_000);
    expect(order.stop_price).toBe(String(expected.stop));
    // Half a spread below the stop, or below the open where the market gapped over it.
    expect(Number(order.filled_avg_price)).toBeLessThan(expected.stop);
    expect(Number(order.filled_avg_price)).toBeGreaterThan(Math.min(expected.stop, expected.bar.o) * 0.999);
    expect(held(trader.truth())).toEqual(accountedFor(trader.truth()));
  });

  it("a buy follows the lowest price and buys at the first rise from it", async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-03-04" });
    const trader = await openTrader(exchange);
    const order = { ...marketOrder("SPY", "buy", "10"), type: "trailing_stop", trail_percent: "0.5" };
    await trader.send("POST", "/v2/orders", { ...order, client_order_id: "trail" });
    await exchange.control.clock({ advanceMinutes: 380 });
    const filled = await trader.order("trail");
    expect(filled.status).toBe("filled");
    expect(Number(filled.stop_price)).toBeCloseTo(Number(filled.hwm) * 1.005, 1);
    expect(Number(filled.filled_avg_price)).toBeGreaterThanOrEqual(Number(filled.stop_price));
  });

  it("a new trail moves the stop, and the mark continues", async () => {
    const { trader, live } = await sold({ trail_price: "60.00" });
    const before = await trader.order("trail");
    const answer = await trader.send("PATCH", `/v2/orders/${String(live.id)}`, { trail: "50.00" });
    expect(answer.status).toBe(200);
    const after = (await trader.send("GET", `/v2/orders/${String(answer.body.id)}`)).body;
    expect([after.hwm, after.trail_price]).toEqual([before.hwm, "50"]);
    expect(Number(after.stop_price)).toBeCloseTo(Number(before.hwm) - 50, 8);
    const wrong = await trader.send("PATCH", `/v2/orders/${String(after.id)}`, { stop_price: "1.00" });
    expect([wrong.status, wrong.body.code]).toEqual([422, 42210000]);
  });

  it("the mark survives the night", async () => {
    const exchange = await running.open({ tape: TAPE, start: "2020-03-03" });
    const trader = await openTrader(exchange);
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "10"));
    const order = {
      ...marketOrder("SPY", "sell", "10"),
      type: "trailing_stop",
      time_in_force: "gtc",
      trail_percent: "30",
    };
    await trader.send("POST", "/v2/orders", { ...order, client_order_id: "trail" });
    await exchange.control.clock({ advanceMinutes: 390 });
    const { hwm } = await trader.order("trail");
    await exchange.control.clock({ jumpTo: "2020-03-06" });
    expect(Number((await trader.order("trail")).hwm)).toBeGreaterThanOrEqual(Number(hwm));
    expect((await trader.order("trail")).status).toBe("new");
  });
});
