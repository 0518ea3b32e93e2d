import { describe, expect, it } from "vitest";
import { money, sum } from "../money.ts";
import { decide } from "./decide.ts";
import {
  exampleAccount,
  exampleFeatures,
  exampleMarket,
  examplePolicy,
  examplePullback,
  exampleQuote,
  exampleSeat,
  exampleSymbol,
  exampleTime,
} from "@/lib/proof/example-market.ts";

describe("an entry", () => {
  const market = exampleMarket([exampleSymbol("AAA")], [exampleSeat("AAA")]);

  it("is a bracket of whole shares: limit over the ask, the tighter stop and the user's target measured from the ask", () => {
    const plan = decide(exampleAccount(), market, examplePolicy);
    expect(plan.orders).toHaveLength(1);
    expect(plan.orders[0]).toMatchObject({
      leg: 0,
      purpose: "ENTRY",
      symbol: "AAA",
      side: "BUY",
      qty: "19",
      orderClass: "BRACKET",
      type: "LIMIT",
      timeInForce: "gtc",
      limitPrice: "100.52",
      stopLossPrice: "95.01",
      takeProfitPrice: "110.03",
      decisionPrice: "100",
      reason: "entry_momentum",
      strategy: "MOMENTUM",
      atr: 2,
    });
    expect(plan.orders[0]!.confidence).toBeCloseTo(0.5 * 0.8 + 0.5 * 0.95, 12);
    expect(plan.candidates[0]).toMatchObject({ symbol: "AAA", leg: 0, size: { qty: "19", boundBy: "order size" } });
    expect(plan.line).toBe("10:05: 503 screened, 1 seated, 1 signal, 1 order");
  });

  it("takes the ATR stop where it is the tighter one", () => {
    const calm = exampleMarket(
      [exampleSymbol("AAA", { features: exampleFeatures({ atr14: 1 }) })],
      [exampleSeat("AAA")],
    );
    expect(decide(exampleAccount(), calm, examplePolicy).orders[0]!.stopLossPrice).toBe("97.02");
  });

  it("has no stop that the bid would trigger at once, and a target above all that it may pay", () => {
    const account = exampleAccount();
    const within = (stopLoss: string, profitTarget: string) => {
      const preferences = { ...account.preferences, stopLoss, profitTarget };
      const { orders, candidates } = decide({ ...account, preferences }, tight, examplePolicy);
      const refusal = candidates[0]!.gates.find(({ code }) => code === "size")!.detail;
      return orders[0] === undefined ? refusal : [orders[0].stopLossPrice, orders[0].takeProfitPrice];
    };
    const tight = exampleMarket(
      [exampleSymbol("AAA", { quote: { last: "100", bid: "99.9", ask: "100.02", at: exampleTime(10, 4) } })],
      [exampleSeat("AAA")],
    );
    expect(within("0.1", "10")).toBe("the stop is not below the bid, so that it would sell at once");
    expect(within("0.2", "0.1")).toEqual(["99.81", "100.53"]);
    expect(within("0.2", "0.6")).toEqual(["99.81", "100.63"]);
  });

  it("speaks in today's prices after a split: 2 for 1", () => {
    const split = exampleMarket(
      [exampleSymbol("AAA", { splitToday: "2", quote: exampleQuote("50") })],
      [exampleSeat("AAA")],
    );
    const [order] = decide(exampleAccount(), split, examplePolicy).orders;
    expect(order).toMatchObject({ qty: "39", limitPrice: "50.25", stopLossPrice: "47.5", atr: 1 });
  });

  it("mean reversion bids a quarter ATR below the close, at half size, with a stop that outlives the close", () => {
    const account = exampleAccount();
    const pullback = exampleMarket(
      [exampleSymbol("AAA", { features: examplePullback() })],
      [exampleSeat("AAA", { composite: 92 })],
    );
    const [order] = decide(
      { ...account, preferences: { ...account.preferences, strategy: "MEAN_REVERSION" } },
      pullback,
      examplePolicy,
    ).orders;
    expect(order).toMatchObject({ timeInForce: "gtc", limitPrice: "99.5", qty: "10", reason: "entry_mean_reversion" });
  });

  it("breakout stops 2 ATR below", () => {
    const account = exampleAccount();
    const state = { ...account, preferences: { ...account.preferences, strategy: "BREAKOUT" as const } };
    const strong = exampleMarket([exampleSymbol("AAA")], [exampleSeat("AAA", { composite: 92 })]);
    const [order] = decide(state, strong, examplePolicy).orders;
    expect(order).toMatchObject({ reason: "entry_breakout", stopLossPrice: "96.02" });
  });

  it("a seat without a signal says why; one without features too", () => {
    const mixed = exampleMarket(
      [exampleSymbol("AAA", { features: exampleFeatures({ close: 80 }) }), exampleSymbol("BBB", { features: null })],
      [exampleSeat("AAA"), exampleSeat("BBB", { rank: 2 })],
    );
    const plan = decide(exampleAccount(), mixed, examplePolicy);
    expect(plan.candidates.map(({ hasSignal }) => hasSignal)).toEqual([false, false]);
    expect(plan.candidates[0]!.noSignal).toContain("close over SMA200");
    expect(plan.candidates[1]!.noSignal).toContain("no features");
    expect(plan.line).toBe("10:05: 503 screened, 2 seated, 0 signals, 0 orders");
  });
});

describe("several entries", () => {
  const names = ["AAA", "BBB", "CCC", "DDD"];
  const market = exampleMarket(
    names.map((name) => exampleSymbol(name)),
    names.map((name, i) => exampleSeat(name, { rank: i + 1, composite: 80 + i })),
  );

  it("are taken by confidence, and each takes its slot before the next is judged", () => {
    const account = exampleAccount();
    const plan = decide(
      { ...account, preferences: { ...account.preferences, maxPositions: 2 } },
      market,
      examplePolicy,
    );
    expect(plan.orders.map(({ symbol, leg }) => [symbol, leg])).toEqual([
      ["DDD", 0],
      ["CCC", 1],
    ]);
    expect(plan.candidates.map(({ symbol, failing }) => [symbol, failing])).toEqual([
      ["AAA", ["max_positions"]],
      ["BBB", ["max_positions"]],
      ["CCC", []],
      ["DDD", []],
    ]);
    expect(plan.line).toBe("10:05: 503 screened, 4 seated, 4 signals, 2 orders: 2 max positions");
  });

  it("share the sector's room and the buying power", () => {
    const account = exampleAccount({
      equity: "20000",
      lastEquity: "20000",
      highWaterMark: "20000",
      buyingPower: "20000",
    });
    const five = exampleMarket(
      [...names, "EEE"].map((name) => exampleSymbol(name)),
      [...names, "EEE"].map((name, i) => exampleSeat(name, { rank: i + 1, composite: 80 + i })),
    );
    const preferences = {
      ...account.preferences,
      defaultOrderSize: "50000",
      riskTolerance: "HIGH" as const,
      maxPositionValue: "50000",
    };
    const plan = decide({ ...account, preferences }, five, examplePolicy);
    const spent = sum(plan.orders.map(({ qty, limitPrice }) => money(qty).times(limitPrice!)));
    expect(spent.lte(5000)).toBe(true);
    expect(plan.orders).toHaveLength(4);
    expect(plan.candidates[0]!.size!.boundBy).toBe("sector limit");
    expect(plan.candidates[0]!.failing).toEqual(["sector", "size"]);
  });
});
