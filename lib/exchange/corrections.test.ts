import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { money } from "../domain/money.ts";
import { accountedFor, exchanges, held, limitOrder, marketOrder, openTrader } from "@/lib/proof/practice-trader.ts";
import type { Exchange } from "./start.ts";

// A busy machine needs longer to open a market.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const running = exchanges();
let exchange: Exchange;
beforeAll(async () => {
  exchange = await running.open({ seed: 3 });
});
afterAll(() => running.closeAll());

async function bought(cash = "100000") {
  const trader = await openTrader(exchange, cash);
  await trader.send("POST", "/v2/orders", { ...marketOrder("SPY", "buy", "10"), client_order_id: "buy" });
  const fill = trader.truth().fills[0];
  if (fill === undefined) throw new Error("no fill");
  const fillActivity = async () =>
    ((await trader.send("GET", "/v2/account/activities/FILL")).body as unknown as Record<string, string>[])[0];
  return { trader, fill, fillActivity };
}

describe("an execution that is taken back", () => {
  it("returns cash and shares, cancels its activity and the order's quantity", async () => {
    const { trader, fill, fillActivity } = await bought();
    await exchange.control.venueActions.bust(fill.id);
    const truth = trader.truth();
    expect([truth.cash, truth.positions, truth.fills]).toEqual(["100000", [], []]);
    expect((await fillActivity())?.status).toBe("canceled");
    expect(await trader.order("buy")).toMatchObject({ status: "canceled", filled_qty: "0", filled_avg_price: null });
    expect((await trader.send("GET", "/v2/account/portfolio/history?period=1D&timeframe=1H")).body.equity).toEqual([
      100_000,
    ]);
  });

  it("of a sale restores the position with its cost", async () => {
    const { trader, fill } = await bought();
    await exchange.control.clock({ advanceMinutes: 5 });
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "sell", "4"));
    await exchange.control.venueActions.bust(trader.truth().fills[1]?.id ?? "");
    expect(trader.truth().positions).toEqual([{ symbol: "SPY", qty: "10", avg_entry_price: fill.price }]);
    expect(held(trader.truth())).toEqual(accountedFor(trader.truth()));
  });

  it("is refused when its shares were sold since, and when it is not known", async () => {
    const { trader, fill } = await bought();
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "sell", "4"));
    const before = trader.truth();
    await expect(exchange.control.venueActions.bust(fill.id)).rejects.toMatchObject({ status: 422 });
    await expect(exchange.control.venueActions.bust("nope")).rejects.toMatchObject({ status: 404 });
    expect(trader.truth()).toEqual(before);
  });
});

describe("an execution that is corrected", () => {
  it("counts as if it had been so from the start, under a new id", async () => {
    const { trader, fill, fillActivity } = await bought();
    const price = money(fill.price).minus("1.5").toFixed();
    const { id } = await exchange.control.venueActions.correct(fill.id, { price, qty: "8" });
    expect(id).not.toBe(fill.id);
    const truth = trader.truth();
    expect(truth.positions).toEqual([{ symbol: "SPY", qty: "8", avg_entry_price: price }]);
    expect(truth.cash).toBe(money(100_000).minus(money(price).times(8)).toFixed());
    expect(await fillActivity()).toMatchObject({ status: "corrected", price, qty: "8", cum_qty: "8" });
    expect(await trader.order("buy")).toMatchObject({ filled_qty: "8", filled_avg_price: price });
    expect(held(truth)).toEqual(accountedFor(truth));
  });

  it("can be taken back afterwards", async () => {
    const { trader, fill } = await bought();
    const { id } = await exchange.control.venueActions.correct(fill.id, { price: "1" });
    await exchange.control.venueActions.bust(id);
    expect(trader.truth()).toMatchObject({ cash: "100000", positions: [] });
  });

  it("an open order continues with what it still wants", async () => {
    const trader = await openTrader(exchange, "1000000000");
    const price = await trader.last("SPY");
    const order = { ...limitOrder("SPY", "buy", "1000000", (price * 1.01).toFixed(2)), client_order_id: "large" };
    await trader.send("POST", "/v2/orders", order);
    const [fill] = trader.truth().fills;
    expect((await trader.order("large")).status).toBe("partially_filled");
    await exchange.control.venueActions.bust(fill?.id ?? "");
    expect(await trader.order("large")).toMatchObject({ status: "new", filled_qty: "0" });
    expect(held(trader.truth())).toEqual(accountedFor(trader.truth()));
  });
});
