import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { money } from "../domain/money.ts";
import type { Truth } from "./control.ts";
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
afterEach(() => running.closeAll());

const TYPES = [
  "market",
  "limit",
  "stop",
  "stop_limit",
  "trailing_stop",
  "notional",
  "bracket",
  "oco",
  "oto",
  "cls",
] as const;
const THEN = ["nothing", "replace", "cancel one", "cancel all", "close half", "advance", "next day"] as const;

interface Step {
  symbol: string;
  side: string;
  type: (typeof TYPES)[number];
  qty: string;
  shift: number;
  then: (typeof THEN)[number];
}

const stepsOf = (symbols: string[]) =>
  fc.array(
    fc.record<Step>({
      symbol: fc.constantFrom(...symbols),
      side: fc.constantFrom("buy", "buy", "sell"),
      type: fc.constantFrom(...TYPES),
      qty: fc.oneof(
        fc.integer({ min: 1, max: 400 }).map(String),
        fc.integer({ min: 1, max: 10_000_000 }).map((n) => money(n).div(1e6).toFixed()),
      ),
      shift: fc.double({ min: -0.03, max: 0.03, noNaN: true }),
      then: fc.constantFrom(...THEN),
    }),
    { minLength: 3, maxLength: 14 },
  );

function orderOf({ symbol, side, type, qty, shift }: Step, price: number): Record<string, unknown> {
  const at = (factor: number) => (price * factor).toFixed(2);
  const order: Record<string, unknown> = { ...marketOrder(symbol, side, qty), type };
  const [up, down] = side === "buy" ? [1.01, 0.99] : [0.99, 1.01];
  const exits = { take_profit: { limit_price: at(up) }, stop_loss: { stop_price: at(down) } };
  if (type === "limit" || type === "stop_limit") order.limit_price = at(1 + shift);
  if (type === "stop" || type === "stop_limit") order.stop_price = at(1 - shift);
  if (type === "trailing_stop") order.trail_percent = "0.5";
  if (type === "notional")
    Object.assign(order, { type: "market", qty: undefined, notional: money(qty).toDecimalPlaces(2).toFixed() });
  if (type === "bracket") Object.assign(order, { type: "market", order_class: "bracket", ...exits });
  if (type === "oto") Object.assign(order, { type: "market", order_class: "oto", stop_loss: exits.stop_loss });
  const oco = { take_profit: { limit_price: at(down) }, stop_loss: { stop_price: at(up) } };
  if (type === "oco") Object.assign(order, { type: "limit", order_class: "oco", ...oco });
  if (type === "cls") Object.assign(order, { type: "market", time_in_force: "cls" });
  return order;
}

async function act(exchange: Exchange, trader: PracticeTrader, step: Step): Promise<void> {
  const open = trader.truth().orders.filter(({ status }) => ["new", "partially_filled"].includes(status));
  const [first] = open;
  if (step.then === "replace" && first !== undefined)
    await trader.send("PATCH", `/v2/orders/${first.id}`, { qty: String(Math.ceil(Number(step.qty))) });
  if (step.then === "cancel one" && first !== undefined) await trader.send("DELETE", `/v2/orders/${first.id}`);
  if (step.then === "cancel all") await trader.send("DELETE", "/v2/orders");
  if (step.then === "close half") await trader.send("DELETE", `/v2/positions/${step.symbol}?percentage=50`);
  if (step.then === "advance") await exchange.control.clock({ advanceMinutes: 7 });
  if (step.then === "next day") await exchange.control.clock({ advanceMinutes: 390 });
}

/** What must be true of an account at any time. */
function expectSound(truth: Truth): void {
  expect(held(truth)).toEqual(accountedFor(truth));
  for (const order of truth.orders) {
    if (order.qty !== null) expect(money(order.filled_qty).lte(order.qty)).toBe(true);
    const fills = truth.fills.filter((fill) => fill.order_id === order.id);
    const filled = fills.reduce((total, fill) => total.plus(fill.qty), money(0));
    const paid = fills.reduce((total, fill) => total.plus(money(fill.qty).times(fill.price)), money(0));
    expect(filled.toFixed()).toBe(order.filled_qty);
    if (order.notional !== null) expect(paid.lte(order.notional)).toBe(true);
  }
}

async function expectHoldsSound(trader: PracticeTrader): Promise<void> {
  const positions = (await trader.send("GET", "/v2/positions")).body as unknown as Record<string, string>[];
  for (const { qty = "0", qty_available: free = "0" } of positions) {
    expect(money(free).abs().lte(money(qty).abs())).toBe(true);
    expect(money(free).isZero() || money(free).isNegative() === money(qty).isNegative()).toBe(true);
  }
}

async function symbolsOf(exchange: Exchange): Promise<string[]> {
  const scout = await openTrader(exchange);
  const assets = (await scout.send("GET", "/v2/assets")).body as unknown as { symbol: string }[];
  return assets.slice(10, 14).map((asset) => asset.symbol);
}

describe("whatever is ordered", () => {
  it("in a cash account: cash and shares follow from the fills, neither goes below zero, nothing is held twice or overfilled", async () => {
    const exchange = await running.open({ seed: 4 });
    const steps = stepsOf(await symbolsOf(exchange));
    let trades = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const trader = await openTrader(exchange, "50000");
        for (const step of sequence) {
          const order = orderOf(step, await trader.last(step.symbol));
          expect([200, 403, 422]).toContain((await trader.send("POST", "/v2/orders", order)).status);
          await act(exchange, trader, step);
          const account = (await trader.send("GET", "/v2/account")).body as Record<string, string>;
          expect(money(account.buying_power ?? "-1").isNegative()).toBe(false);
          expect(money(account.cash ?? "-1").isNegative()).toBe(false);
          expect(money(account.cash ?? "0").gte(account.buying_power ?? "0")).toBe(true);
          await expectHoldsSound(trader);
        }
        const truth = trader.truth();
        trades += truth.fills.length;
        expectSound(truth);
        for (const position of truth.positions) expect(money(position.qty).gt(0)).toBe(true);
      }),
      { numRuns: 16 },
    );
    // Nothing is proven by runs in which nothing trades.
    expect(trades).toBeGreaterThan(5);
  });

  it("in a margin account: cash, longs and shorts follow from the fills, and no more is promised than is there", async () => {
    const exchange = await running.open({ seed: 4 });
    const steps = stepsOf(await symbolsOf(exchange));
    let shorts = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const trader = await openTrader(exchange, "50000", { margin: true, fees: true });
        for (const step of sequence) {
          const order = orderOf(step, await trader.last(step.symbol));
          expect([200, 403, 422]).toContain((await trader.send("POST", "/v2/orders", order)).status);
          await act(exchange, trader, step);
          await expectHoldsSound(trader);
          shorts += trader.truth().positions.filter(({ qty }) => money(qty).isNegative()).length;
        }
        expectSound(trader.truth());
      }),
      { numRuns: 16 },
    );
    expect(shorts).toBeGreaterThan(10);
  });
});

it("the same seed and the same orders give the same fills", async () => {
  const runs = [];
  for (let run = 0; run < 2; run += 1) {
    const exchange = await running.open({ seed: 9 });
    const trader = await openTrader(exchange, "1000000");
    const price = await trader.last("SPY");
    await trader.send("POST", "/v2/orders", marketOrder("SPY", "buy", "900"));
    await trader.send("POST", "/v2/orders", {
      ...limitOrder("SPY", "sell", "400", (price * 1.01).toFixed(2)),
      time_in_force: "gtc",
    });
    await exchange.control.clock({ advanceMinutes: 800 });
    runs.push(trader.truth().fills.map(({ symbol, side, qty, price: paid, at }) => ({ symbol, side, qty, paid, at })));
  }
  expect(runs[0]?.length).toBeGreaterThan(0);
  expect(runs[1]).toEqual(runs[0]);
});
