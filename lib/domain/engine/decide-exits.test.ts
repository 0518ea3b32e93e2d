import { describe, expect, it } from "vitest";
import { decide } from "./decide.ts";
import {
  EXAMPLE_PRIOR,
  EXAMPLE_TODAY,
  exampleAccount,
  exampleFeatures,
  exampleMarket,
  exampleOrder,
  examplePolicy,
  examplePosition,
  examplePullback,
  exampleQuote,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import { planHolding } from "@/lib/proof/example-plan.ts";
import type { Plan } from "./plan.ts";

const reasons = (plan: Plan) => plan.orders.map(({ purpose, reason }) => `${purpose} ${reason}`);

describe("a holding is closed", () => {
  const weak = { momentumPercentile: 59 };
  const under = { features: exampleFeatures({ close: 84 }) };

  it("never on the first weak review, on the second it is; the same session counts once", () => {
    const first = planHolding({}, weak);
    expect(reasons(first)).toEqual([]);
    expect(first.reviews[0]!.review).toMatchObject({ weakReviews: 1, reviewedSession: EXAMPLE_PRIOR });
    const again = planHolding({ review: first.reviews[0]!.review }, weak);
    expect(again.reviews).toEqual(first.reviews);
    expect(reasons(again)).toEqual([]);
    const once = { ...examplePosition("AAA").review, weakReviews: 1 };
    expect(reasons(planHolding({ review: once }, weak))).toEqual(["EXIT momentum_faded"]);
    expect(planHolding({ review: once }).reviews[0]!.review.weakReviews).toBe(0);
  });

  it("after two closes below SMA200", () => {
    const once = { ...examplePosition("AAA").review, highestClose: "85", belowTrend: 1 };
    const plan = planHolding({ review: once, stopPrice: "70", avgEntryPrice: "85" }, under);
    expect(reasons(plan)).toEqual(["EXIT trend_broken"]);
    expect(plan.orders[0]).toMatchObject({
      side: "SELL",
      type: "MARKET",
      orderClass: "SIMPLE",
      timeInForce: "day",
      qty: "20",
    });
  });

  it("when the close falls 3 ATR below the highest close", () => {
    const review = { ...examplePosition("AAA").review, highestClose: "106.01" };
    expect(reasons(planHolding({ review }))).toEqual(["EXIT trailing_stop"]);
    expect(reasons(planHolding({ review: { ...review, highestClose: "106" } }))).toEqual([]);
  });

  it("not by bars from before its entry", () => {
    const review = { highestClose: null, entryAtr: 2, weakReviews: 0, belowTrend: 0, reviewedSession: null };
    const plan = planHolding({ openedSession: EXAMPLE_TODAY, review }, { ...weak, ...under });
    expect(reasons(plan)).toEqual([]);
    expect(plan.reviews[0]!.review).toEqual(review);
  });

  it("mean reversion: above SMA5, above RSI2 70, or after 7 sessions", () => {
    const strategy = "MEAN_REVERSION" as const;
    expect(reasons(planHolding({ strategy }, { features: examplePullback({ sma5: 99 }) }))).toEqual([
      "EXIT mean_reverted",
    ]);
    expect(reasons(planHolding({ strategy }, { features: examplePullback({ rsi2: 71 }) }))).toEqual([
      "EXIT mean_reverted",
    ]);
    expect(reasons(planHolding({ strategy, openedSession: "2020-01-27" }, { features: examplePullback() }))).toEqual(
      [],
    );
    expect(reasons(planHolding({ strategy, openedSession: "2020-01-23" }, { features: examplePullback() }))).toEqual([
      "EXIT time_stop",
    ]);
  });

  it("breakout: below the 10-day low, after 10 sessions without +1R, or trailing once it made +2R", () => {
    const strategy = "BREAKOUT" as const;
    const review = { ...examplePosition("AAA").review, highestClose: "100" };
    expect(reasons(planHolding({ strategy }, { features: exampleFeatures({ close: 91 }) }))).toEqual([
      "EXIT channel_broken",
    ]);
    expect(reasons(planHolding({ strategy, openedSession: "2020-01-17", review }))).toEqual(["EXIT time_stop"]);
    expect(
      reasons(planHolding({ strategy, openedSession: "2020-01-17", review: { ...review, highestClose: "102" } })),
    ).toEqual([]);
    expect(reasons(planHolding({ strategy, review: { ...review, highestClose: "106.1" } }))).toEqual([
      "EXIT trailing_stop",
    ]);
    expect(
      reasons(planHolding({ strategy, avgEntryPrice: "99", review: { ...review, highestClose: "106.1" } })),
    ).toEqual([]);
  });

  it("at its stop or target only where no live order covers it", () => {
    expect(reasons(planHolding({}, { quote: exampleQuote("93") }))).toEqual([]);
    expect(reasons(planHolding({ protectedQty: "0" }, { quote: exampleQuote("93") }))).toEqual([
      "EXIT protective_stop",
    ]);
    expect(reasons(planHolding({ protectedQty: "0" }, { quote: exampleQuote("108") }))).toEqual(["EXIT profit_target"]);
  });

  it("by the kill switch, with everything that is ours and nothing that is not", () => {
    const positions = [examplePosition("AAA"), examplePosition("BBB", { strategy: null })];
    const plan = decide(
      exampleAccount({ positions, killState: "FLATTEN" }),
      exampleMarket([exampleSymbol("AAA"), exampleSymbol("BBB")], []),
      examplePolicy,
    );
    expect(plan.orders.map(({ symbol, purpose, reason }) => [symbol, purpose, reason])).toEqual([
      ["AAA", "FLATTEN", "kill_flatten"],
    ]);
  });

  it("once: not while its exit is in flight, not while the market is closed", () => {
    const review = { ...examplePosition("AAA").review, weakReviews: 1 };
    const exit = exampleOrder("AAA", { side: "SELL", role: "EXIT", qty: "20", limitPrice: null });
    expect(reasons(planHolding({ review }, weak, { openOrders: [exit] }))).toEqual([]);
    const closed = { session: { ...exampleMarket([], []).session, isOpen: false } };
    expect(reasons(planHolding({ review }, weak, {}, closed))).toEqual([]);
  });

  it("fractions included", () => {
    const review = { ...examplePosition("AAA").review, weakReviews: 1 };
    expect(planHolding({ review, qty: "20.123456789" }, weak).orders[0]!.qty).toBe("20.123456789");
  });
});

describe("protection", () => {
  it("covers the whole shares that no live stop covers", () => {
    const plan = planHolding({ qty: "20.5", protectedQty: "5" });
    expect(plan.orders).toMatchObject([
      {
        purpose: "PROTECT",
        orderClass: "OCO",
        side: "SELL",
        qty: "15",
        timeInForce: "gtc",
        stopLossPrice: "93.1",
        takeProfitPrice: "107.8",
        limitPrice: "107.8",
      },
    ]);
  });

  it("derives stop and target from the entry price where none is stored", () => {
    const plan = planHolding({ protectedQty: "0", stopPrice: null, targetPrice: null, avgEntryPrice: "99.99" });
    expect(plan.orders[0]).toMatchObject({ stopLossPrice: "94.99", takeProfitPrice: "109.99" });
  });

  it("is not placed for a sub-share remainder, beside a sell in flight, or for what is not ours", () => {
    expect(reasons(planHolding({ qty: "0.7", protectedQty: "0" }))).toEqual([]);
    const sell = exampleOrder("AAA", { side: "SELL", role: "STOP", qty: "20" });
    expect(reasons(planHolding({ protectedQty: "0" }, {}, { openOrders: [sell] }))).toEqual([]);
    expect(reasons(planHolding({ protectedQty: "0", strategy: null }))).toEqual([]);
  });

  it("leaves shares to the owner's own order and protects the rest", () => {
    const byHand = exampleOrder("AAA", { side: "SELL", role: "EXTERNAL", qty: "1", strategy: null });
    const plan = planHolding({ protectedQty: "0" }, {}, { openOrders: [byHand] });
    expect(plan.orders).toMatchObject([{ purpose: "PROTECT", qty: "19" }]);
    // A stop by hand protects its shares already: they are not counted twice.
    const stop = { ...byHand, qty: "4", isStop: true };
    expect(planHolding({ protectedQty: "4" }, {}, { openOrders: [stop] }).orders).toMatchObject([{ qty: "16" }]);
  });

  it("is placed while the market is closed, and under every kill state", () => {
    const closed = { session: { ...exampleMarket([], []).session, isOpen: false } };
    expect(reasons(planHolding({ protectedQty: "0" }, {}, {}, closed))).toEqual(["PROTECT protect_position"]);
    expect(reasons(planHolding({ protectedQty: "0" }, {}, { killState: "REDUCE_ONLY" }))).toEqual([
      "PROTECT protect_position",
    ]);
  });
});

describe("regime trim", () => {
  const names = ["AAA", "BBB", "CCC"];
  const positions = names.map((name) => examplePosition(name, { qty: "150", protectedQty: "150" }));
  const symbols = names.map((name, i) => exampleSymbol(name, { momentumPercentile: 90 - 10 * i }));
  const plan = (label: "neutral" | "risk_off", spyClose: number | null = 330) => {
    const base = exampleMarket(symbols, []);
    return decide(
      exampleAccount({ positions }),
      { ...base, regime: { ...base.regime, label, spyClose } },
      examplePolicy,
    );
  };

  it("sells down to the risk_off cap, weakest confidence first", () => {
    expect(plan("risk_off").orders.map(({ symbol, purpose, reason }) => [symbol, purpose, reason])).toEqual([
      ["CCC", "TRIM", "regime_trim"],
      ["BBB", "TRIM", "regime_trim"],
    ]);
  });

  it("does not sell in neutral, nor without SPY to say so", () => {
    expect(plan("neutral").orders).toEqual([]);
    expect(plan("risk_off", null).orders).toEqual([]);
  });
});
