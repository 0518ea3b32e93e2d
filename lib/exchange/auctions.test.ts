import { afterEach, describe, expect, it, vi } from "vitest";
import {
  accountedFor,
  exchanges,
  held,
  limitOrder,
  marketOrder,
  openTrader,
  TAPE,
} from "@/lib/proof/practice-trader.ts";

// A busy machine needs longer to open a market.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const running = exchanges();
afterEach(() => running.closeAll());

async function at(instant: string, start = "2020-03-02") {
  const exchange = await running.open({ tape: TAPE, start });
  const trader = await openTrader(exchange, "1000000");
  await exchange.control.clock({ jumpTo: instant });
  const day = async (date: string) => {
    const { body } = await trader.send("GET", `/v2/stocks/FOUR/bars?timeframe=1Day&start=${date}&limit=1`);
    return (body.bars as { o: number; c: number }[])[0] as { o: number; c: number };
  };
  return { exchange, trader, day };
}

const opg = (order: object) => ({ ...order, time_in_force: "opg", client_order_id: "auction" });
const cls = (order: object) => ({ ...order, time_in_force: "cls", client_order_id: "auction" });

describe("the opening auction", () => {
  it("fills an order of the morning at the day's opening price, without a spread", async () => {
    const { exchange, trader, day } = await at("2020-03-03T08:00:00-05:00");
    const sent = await trader.send("POST", "/v2/orders", opg(marketOrder("FOUR", "buy", "10")));
    expect([sent.body.status, sent.body.expires_at]).toEqual(["accepted", "2020-03-03T14:30:00Z"]);
    await exchange.control.clock({ jumpTo: "2020-03-03" });
    const order = await trader.order("auction");
    expect(order.status).toBe("filled");
    await exchange.control.clock({ jumpTo: "2020-03-04" });
    expect(order.filled_avg_price).toBe(String((await day("2020-03-03")).o));
    expect(held(trader.truth())).toEqual(accountedFor(trader.truth()));
  });

  it("cancels a limit that the opening price does not meet", async () => {
    const { exchange, trader } = await at("2020-03-03T08:00:00-05:00");
    await trader.send("POST", "/v2/orders", opg(limitOrder("FOUR", "buy", "10", "10.00")));
    await exchange.control.clock({ jumpTo: "2020-03-03" });
    expect(await trader.order("auction")).toMatchObject({ status: "canceled", filled_qty: "0" });
  });

  it("takes orders of the evening from 19:00 on for the next session", async () => {
    const { exchange, trader } = await at("2020-03-06T19:00:00-05:00");
    const sent = await trader.send("POST", "/v2/orders", opg(marketOrder("FOUR", "buy", "10")));
    expect(sent.body.expires_at).toBe("2020-03-09T13:30:00Z");
    await exchange.control.clock({ jumpTo: "2020-03-09" });
    expect((await trader.order("auction")).status).toBe("filled");
  });

  it("refuses orders from 9:28 to 19:00", async () => {
    const { exchange, trader } = await at("2020-03-03T09:28:00-05:00");
    for (const instant of ["2020-03-03T09:28:00-05:00", "2020-03-03T12:00:00-05:00", "2020-03-03T18:59:00-05:00"]) {
      await exchange.control.clock({ jumpTo: instant });
      const refusal = await trader.refusal(opg(marketOrder("FOUR", "buy", "10")));
      expect(refusal).toMatchObject({ status: 422, code: 42210000 });
    }
  });
});

describe("the closing auction", () => {
  it("fills an order of the day at the closing price, and not before", async () => {
    const { exchange, trader, day } = await at("2020-03-03T12:00:00-05:00");
    const sent = await trader.send("POST", "/v2/orders", cls(marketOrder("FOUR", "buy", "10")));
    expect([sent.body.status, sent.body.expires_at]).toEqual(["pending_new", "2020-03-03T21:00:00Z"]);
    await exchange.control.clock({ jumpTo: "2020-03-03T15:59:00-05:00" });
    expect((await trader.order("auction")).status).toBe("new");
    await exchange.control.clock({ jumpTo: "2020-03-03T16:00:00-05:00" });
    const order = await trader.order("auction");
    expect([order.status, order.filled_avg_price]).toEqual(["filled", String((await day("2020-03-03")).c)]);
  });

  it("takes no more than the account's share of the minute and cancels the rest", async () => {
    const { exchange, trader } = await at("2020-03-03T12:00:00-05:00");
    const poor = { symbol: "THIN", side: "buy", type: "market", qty: "3500" };
    await trader.send("POST", "/v2/orders", cls(poor));
    await exchange.control.clock({ jumpTo: "2020-03-03T16:00:00-05:00" });
    const order = await trader.order("auction");
    expect(order.status).toBe("canceled");
    expect(Number(order.filled_qty)).toBeGreaterThan(0);
    expect(held(trader.truth())).toEqual(accountedFor(trader.truth()));
  });

  it.each([
    ["in the last ten minutes", "2020-03-03T15:50:00-05:00", "2020-03-02"],
    ["in the last ten minutes of a half day", "2020-11-27T12:50:00-05:00", "2020-11-25"],
  ])("refuses an order %s", async (_, instant, start) => {
    const { trader } = await at(instant, start);
    expect(await trader.refusal(cls(marketOrder("FOUR", "buy", "10")))).toMatchObject({ status: 422, code: 42210000 });
  });
});
