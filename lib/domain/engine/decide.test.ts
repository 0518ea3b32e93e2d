import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { money, sum, text } from "../money.ts";
import { newYorkInstant } from "../time.ts";
import { canonicalJson } from "./canonical.ts";
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
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import type { AccountState, HeldPosition, MarketView, Plan, SymbolView } from "./plan.ts";

const at = (hour: number, minute: number) => newYorkInstant(EXAMPLE_TODAY, hour, minute);
const quote = (last: string) => ({ last, bid: last, ask: last, at: at(10, 4) });
const NO_SEATS: MarketView["seats"] = [];

/** The plan for one held position. */
function holding(
  position: Partial<HeldPosition>,
  symbol: Partial<SymbolView> = {},
  account: Partial<AccountState> = {},
  market: Partial<MarketView> = {},
): Plan {
  const view = exampleMarket([exampleSymbol("AAA", symbol)], NO_SEATS, market);
  return decide(exampleAccount({ positions: [examplePosition("AAA", position)], ...account }), view, examplePolicy);
}

const reasons = (plan: Plan) => plan.orders.map(({ purpose, reason }) => `${purpose} ${reason}`);

describe("an entry", () => {
  const market = exampleMarket([exampleSymbol("AAA")], [exampleSeat("AAA")]);

  it("is a bracket of whole shares: limit over the ask, the tighter stop, the user's target", () => {
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
      stopLossPrice: "95.49",
      takeProfitPrice: "110.58",
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
    expect(decide(exampleAccount(), calm, examplePolicy).orders[0]!.stopLossPrice).toBe("97.52");
  });

  it("speaks in today's prices after a split: 2 for 1", () => {
    const split = exampleMarket([exampleSymbol("AAA", { splitToday: "2", quote: quote("50") })], [exampleSeat("AAA")]);
    const [order] = decide(exampleAccount(), split, examplePolicy).orders;
    expect(order).toMatchObject({ qty: "39", limitPrice: "50.25", stopLossPrice: "47.73", atr: 1 });
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
    expect(order).toMatchObject({ reason: "entry_breakout", stopLossPrice: "96.52" });
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

describe("a holding is closed", () => {
  const weak = { momentumPercentile: 59 };
  const under = { features: exampleFeatures({ close: 84 }) };

  it("never on the first weak review, on the second it is; the same session counts once", () => {
    const first = holding({}, weak);
    expect(reasons(first)).toEqual([]);
    expect(first.reviews[0]!.review).toMatchObject({ weakReviews: 1, reviewedSession: EXAMPLE_PRIOR });
    const again = holding({ review: first.reviews[0]!.review }, weak);
    expect(again.reviews).toEqual(first.reviews);
    expect(reasons(again)).toEqual([]);
    const once = { ...examplePosition("AAA").review, weakReviews: 1 };
    expect(reasons(holding({ review: once }, weak))).toEqual(["EXIT momentum_faded"]);
    expect(holding({ review: once }).reviews[0]!.review.weakReviews).toBe(0);
  });

  it("after two closes below SMA200", () => {
    const once = { ...examplePosition("AAA").review, highestClose: "85", belowTrend: 1 };
    const plan = holding({ review: once, stopPrice: "70", avgEntryPrice: "85" }, under);
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
    expect(reasons(holding({ review }))).toEqual(["EXIT trailing_stop"]);
    expect(reasons(holding({ review: { ...review, highestClose: "106" } }))).toEqual([]);
  });

  it("not by bars from before its entry", () => {
    const review = { highestClose: null, entryAtr: 2, weakReviews: 0, belowTrend: 0, reviewedSession: null };
    const plan = holding({ openedSession: EXAMPLE_TODAY, review }, { ...weak, ...under });
    expect(reasons(plan)).toEqual([]);
    expect(plan.reviews[0]!.review).toEqual(review);
  });

  it("mean reversion: above SMA5, above RSI2 70, or after 7 sessions", () => {
    const strategy = "MEAN_REVERSION" as const;
    expect(reasons(holding({ strategy }, { features: examplePullback({ sma5: 99 }) }))).toEqual(["EXIT mean_reverted"]);
    expect(reasons(holding({ strategy }, { features: examplePullback({ rsi2: 71 }) }))).toEqual(["EXIT mean_reverted"]);
    expect(reasons(holding({ strategy, openedSession: "2020-01-27" }, { features: examplePullback() }))).toEqual([]);
    expect(reasons(holding({ strategy, openedSession: "2020-01-23" }, { features: examplePullback() }))).toEqual([
      "EXIT time_stop",
    ]);
  });

  it("breakout: below the 10-day low, after 10 sessions without +1R, or trailing once it made +2R", () => {
    const strategy = "BREAKOUT" as const;
    const review = { ...examplePosition("AAA").review, highestClose: "100" };
    expect(reasons(holding({ strategy }, { features: exampleFeatures({ close: 91 }) }))).toEqual([
      "EXIT channel_broken",
    ]);
    expect(reasons(holding({ strategy, openedSession: "2020-01-17", review }))).toEqual(["EXIT time_stop"]);
    expect(
      reasons(holding({ strategy, openedSession: "2020-01-17", review: { ...review, highestClose: "102" } })),
    ).toEqual([]);
    expect(reasons(holding({ strategy, review: { ...review, highestClose: "106.1" } }))).toEqual([
      "EXIT trailing_stop",
    ]);
    expect(reasons(holding({ strategy, avgEntryPrice: "99", review: { ...review, highestClose: "106.1" } }))).toEqual(
      [],
    );
  });

  it("at its stop or target only where no live order covers it", () => {
    expect(reasons(holding({}, { quote: quote("93") }))).toEqual([]);
    expect(reasons(holding({ protectedQty: "0" }, { quote: quote("93") }))).toEqual(["EXIT protective_stop"]);
    expect(reasons(holding({ protectedQty: "0" }, { quote: quote("108") }))).toEqual(["EXIT profit_target"]);
  });

  it("by the kill switch, with everything that is ours and nothing that is not", () => {
    const positions = [examplePosition("AAA"), examplePosition("BBB", { strategy: null })];
    const plan = decide(
      exampleAccount({ positions, killState: "FLATTEN" }),
      exampleMarket([exampleSymbol("AAA"), exampleSymbol("BBB")], NO_SEATS),
      examplePolicy,
    );
    expect(plan.orders.map(({ symbol, purpose, reason }) => [symbol, purpose, reason])).toEqual([
      ["AAA", "FLATTEN", "kill_flatten"],
    ]);
  });

  it("once: not while its exit is in flight, not while the market is closed", () => {
    const review = { ...examplePosition("AAA").review, weakReviews: 1 };
    const exit = exampleOrder("AAA", { side: "SELL", role: "EXIT", qty: "20", limitPrice: null });
    expect(reasons(holding({ review }, weak, { openOrders: [exit] }))).toEqual([]);
    const closed = { session: { ...exampleMarket([], []).session, isOpen: false } };
    expect(reasons(holding({ review }, weak, {}, closed))).toEqual([]);
  });

  it("fractions included", () => {
    const review = { ...examplePosition("AAA").review, weakReviews: 1 };
    expect(holding({ review, qty: "20.123456789" }, weak).orders[0]!.qty).toBe("20.123456789");
  });
});

describe("protection", () => {
  it("covers the whole shares that no live stop covers", () => {
    const plan = holding({ qty: "20.5", protectedQty: "5" });
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
    const plan = holding({ protectedQty: "0", stopPrice: null, targetPrice: null, avgEntryPrice: "99.99" });
    expect(plan.orders[0]).toMatchObject({ stopLossPrice: "94.99", takeProfitPrice: "109.99" });
  });

  it("is not placed for a sub-share remainder, beside a sell in flight, or for what is not ours", () => {
    expect(reasons(holding({ qty: "0.7", protectedQty: "0" }))).toEqual([]);
    const sell = exampleOrder("AAA", { side: "SELL", role: "STOP", qty: "20" });
    expect(reasons(holding({ protectedQty: "0" }, {}, { openOrders: [sell] }))).toEqual([]);
    expect(reasons(holding({ protectedQty: "0", strategy: null }))).toEqual([]);
  });

  it("leaves shares to a person's order and protects the rest", () => {
    const byHand = exampleOrder("AAA", { side: "SELL", role: "EXTERNAL", qty: "1", strategy: null });
    const plan = holding({ protectedQty: "0" }, {}, { openOrders: [byHand] });
    expect(plan.orders).toMatchObject([{ purpose: "PROTECT", qty: "19" }]);
    // A stop by hand protects its shares already: they are not counted twice.
    const stop = { ...byHand, qty: "4", isStop: true };
    expect(holding({ protectedQty: "4" }, {}, { openOrders: [stop] }).orders).toMatchObject([{ qty: "16" }]);
  });

  it("is placed while the market is closed, and under every kill state", () => {
    const closed = { session: { ...exampleMarket([], []).session, isOpen: false } };
    expect(reasons(holding({ protectedQty: "0" }, {}, {}, closed))).toEqual(["PROTECT protect_position"]);
    expect(reasons(holding({ protectedQty: "0" }, {}, { killState: "REDUCE_ONLY" }))).toEqual([
      "PROTECT protect_position",
    ]);
  });
});

describe("what leaves the plan", () => {
  it("is decimal text of at most 9 places and canonical JSON, also after an odd split and for a price of zero", () => {
    const odd = holding(
      { protectedQty: "0", review: { ...examplePosition("AAA").review, highestClose: "1" } },
      { splitToday: "3", quote: null },
    );
    expect(odd.orders[0]?.decisionPrice).toBe("33.333333333");
    expect(odd.reviews[0]!.review.highestClose).toBe("33.333333333");
    const worthless = exampleMarket([exampleSymbol("AAA", { quote: quote("0") })], [exampleSeat("AAA")]);
    const plan = decide(exampleAccount(), worthless, examplePolicy);
    expect(plan.orders).toEqual([]);
    expect(() => canonicalJson(plan)).not.toThrow();
  });
});

describe("regime trim", () => {
  const names = ["AAA", "BBB", "CCC"];
  const positions = names.map((name) => examplePosition(name, { qty: "150", protectedQty: "150" }));
  const symbols = names.map((name, i) => exampleSymbol(name, { momentumPercentile: 90 - 10 * i }));
  const plan = (label: "neutral" | "risk_off", spyClose: number | null = 330) => {
    const base = exampleMarket(symbols, NO_SEATS);
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

describe("cancels", () => {
  it("are our own entries that waited more than 30 minutes of market time; all of them under a kill state", () => {
    const openOrders = [
      exampleOrder("OLD", { submittedAt: at(9, 34) }),
      exampleOrder("NEW", { submittedAt: at(9, 36) }),
      exampleOrder("EXT", { submittedAt: at(9, 34), clientOrderId: "by-hand", role: "EXTERNAL" }),
      exampleOrder("STP", { submittedAt: at(9, 34), role: "STOP", side: "SELL" }),
    ];
    const market = exampleMarket([], NO_SEATS);
    expect(decide(exampleAccount({ openOrders }), market, examplePolicy).cancels).toEqual(["tw-plan-OLD-0-1"]);
    expect(decide(exampleAccount({ openOrders, killState: "NO_NEW_ENTRIES" }), market, examplePolicy).cancels).toEqual([
      "tw-plan-NEW-0-1",
      "tw-plan-OLD-0-1",
    ]);
  });

  it("are those of a symbol whose kill switch is set, and no others", () => {
    const openOrders = [
      exampleOrder("AAA", { submittedAt: at(9, 36) }),
      exampleOrder("BBB", { submittedAt: at(9, 36) }),
    ];
    const market = exampleMarket([], NO_SEATS);
    const state = exampleAccount({ openOrders, stoppedSymbols: ["BBB"] });
    expect(decide(state, market, examplePolicy).cancels).toEqual(["tw-plan-BBB-0-1"]);
  });
});

describe("an entry that is good for one session", () => {
  const cancelsOf = (
    open: Parameters<typeof exampleOrder>[1],
    session: Partial<MarketView["session"]>,
    time: string,
  ) => {
    const market = exampleMarket([], NO_SEATS);
    const openOrders = [exampleOrder("AAA", { strategy: "MEAN_REVERSION", ...open })];
    const view = { ...market, at: time, session: { ...market.session, ...session } };
    return decide(exampleAccount({ openOrders }), view, examplePolicy).cancels;
  };

  it("is cancelled from the last minutes on, in which no entry is sent; a part that filled changes nothing", () => {
    const closesAt = at(16, 0);
    expect(cancelsOf({ submittedAt: at(15, 45) }, { closesAt }, at(15, 49))).toEqual([]);
    expect(cancelsOf({ submittedAt: at(15, 45) }, { closesAt }, at(15, 50))).toEqual(["tw-plan-AAA-0-1"]);
    expect(cancelsOf({ submittedAt: at(15, 45), filledQty: "4" }, { closesAt }, at(15, 50))).toHaveLength(1);
    expect(cancelsOf({ submittedAt: at(15, 45), filledQty: "10" }, { closesAt }, at(15, 50))).toEqual([]);
  });

  it("ends earlier on a half day, and never waits for the next session", () => {
    expect(cancelsOf({ submittedAt: at(12, 45) }, { closesAt: at(13, 0) }, at(12, 51))).toHaveLength(1);
    expect(cancelsOf({ submittedAt: at(15, 45) }, { isOpen: false }, at(16, 1))).toHaveLength(1);
  });

  it("is no other strategy's entry", () => {
    const closesAt = at(16, 0);
    expect(cancelsOf({ submittedAt: at(15, 45), strategy: "BREAKOUT" }, { closesAt }, at(15, 55))).toEqual([]);
  });
});

describe("the line", () => {
  it("counts each candidate by its first refusing gate, most first", () => {
    const names = ["A", "B", "C"];
    const soon = { isKnown: true, next: "2020-02-04", last: null };
    const symbols = names.map((name, i) => exampleSymbol(name, i < 2 ? { earnings: soon } : { isHalted: true }));
    const plan = decide(
      exampleAccount(),
      exampleMarket(
        symbols,
        names.map((name, i) => exampleSeat(name, { rank: i + 1 })),
      ),
      examplePolicy,
    );
    expect(plan.line).toBe("10:05: 503 screened, 3 seated, 3 signals, 0 orders: 2 earnings, 1 not tradable");
  });

  it("names the gate of the account when there is no candidate", () => {
    const closed = exampleMarket([], NO_SEATS, { session: { ...exampleMarket([], []).session, isOpen: false } });
    expect(decide(exampleAccount(), closed, examplePolicy).line).toBe(
      "10:05: 503 screened, 0 seated, 0 signals, 0 orders: market hours",
    );
  });
});

describe("properties", () => {
  const names = ["AAA", "BBB", "CCC", "DDD", "EEE", "FFF"];
  const sectors = ["Energy", "Utilities", "Materials"];
  const symbolArb = (name: string) =>
    fc
      .record({
        sector: fc.constantFrom(...sectors),
        close: fc.double({ min: 20, max: 300, noNaN: true }),
        atr: fc.double({ min: 0.005, max: 0.08, noNaN: true }),
        sigma: fc.double({ min: 0.05, max: 0.9, noNaN: true }),
        adv: fc.oneof(fc.double({ min: 1e5, max: 1e7, noNaN: true }), fc.double({ min: 1e7, max: 1e9, noNaN: true })),
        percentile: fc
          .double({ min: 55, max: 100, noNaN: true })
          .map((value) => (value > 70 ? 85 + (value - 70) / 2 : value)),
      })
      .map(({ sector, close, atr, sigma, adv, percentile }) =>
        exampleSymbol(name, {
          sector,
          momentumPercentile: percentile,
          quote: quote(close.toFixed(2)),
          features: exampleFeatures({
            close,
            sma50: close * 0.9,
            sma200: close * 0.8,
            high252: close * 1.05,
            atr14: close * atr,
            sigma60: sigma,
            adv20: adv,
          }),
        }),
      );
  const world = fc
    .record({
      symbols: fc.tuple(...names.map(symbolArb)),
      composites: fc.tuple(...names.map(() => fc.double({ min: 45, max: 99, noNaN: true }))),
      label: fc.constantFrom("risk_on" as const, "neutral" as const, "risk_off" as const),
      equity: fc.integer({ min: 20_000, max: 2_000_000 }),
      orderSize: fc.integer({ min: 600, max: 200_000 }),
      maxValue: fc.integer({ min: 600, max: 200_000 }),
      maxPositions: fc.integer({ min: 1, max: 8 }),
      held: fc.subarray(names),
      heldQty: fc.integer({ min: 1, max: 400 }),
      isProtected: fc.boolean(),
      buyingPower: fc.integer({ min: 0, max: 2_000_000 }),
      tolerance: fc.constantFrom("LOW" as const, "MEDIUM" as const, "HIGH" as const),
    })
    .map((w) => {
      const base = exampleMarket(
        w.symbols,
        names.map((name, i) =>
          exampleSeat(name, {
            rank: i + 1,
            composite: w.composites[i]!,
            momentumPercentile: w.symbols[i]!.momentumPercentile,
          }),
        ),
      );
      const market: MarketView = { ...base, regime: { ...base.regime, label: w.label } };
      const equity = String(w.equity);
      const account = exampleAccount({
        equity,
        lastEquity: equity,
        highWaterMark: equity,
        buyingPower: String(w.buyingPower),
        positions: w.held.map((name) =>
          examplePosition(name, { qty: String(w.heldQty), protectedQty: w.isProtected ? String(w.heldQty) : "0" }),
        ),
      });
      const state: AccountState = {
        ...account,
        preferences: {
          ...account.preferences,
          defaultOrderSize: String(w.orderSize),
          maxPositionValue: String(w.maxValue),
          maxPositions: w.maxPositions,
          riskTolerance: w.tolerance,
        },
      };
      return { state, market };
    });

  it("the same input gives the same bytes, through JSON too", () => {
    fc.assert(
      fc.property(world, ({ state, market }) => {
        const once = canonicalJson(decide(state, market, examplePolicy));
        const revived = JSON.parse(JSON.stringify({ state, market })) as { state: AccountState; market: MarketView };
        expect(canonicalJson(decide(revived.state, revived.market, examplePolicy))).toBe(once);
      }),
      { numRuns: 60 },
    );
  });

  it("does not depend on the order of seats, symbols, positions and orders, and leaves its input alone", () => {
    fc.assert(
      fc.property(world, fc.constantFrom(1, 2, 3), ({ state, market }, turn) => {
        const turned = <T>(list: T[]) => [...list.slice(turn), ...list.slice(0, turn)].reverse();
        const before = JSON.stringify({ state, market });
        const plan = decide(state, market, examplePolicy);
        expect(JSON.stringify({ state, market })).toBe(before);
        const shuffled = decide(
          { ...state, positions: turned(state.positions), openOrders: turned(state.openOrders) },
          {
            ...market,
            seats: turned(market.seats),
            symbols: Object.fromEntries(turned(Object.entries(market.symbols))),
          },
          examplePolicy,
        );
        expect(canonicalJson(shuffled)).toBe(canonicalJson(plan));
      }),
      { numRuns: 60 },
    );
  });

  it("every entry stays within every cap, alone and together", () => {
    let entries = 0;
    fc.assert(
      fc.property(world, ({ state, market }) => {
        const plan = decide(state, market, examplePolicy);
        const { portfolio_limits: limits } = examplePolicy;
        const equity = money(state.equity);
        const value = (order: Plan["orders"][number]) =>
          money(order.qty).times(order.limitPrice ?? order.decisionPrice);
        const buys = plan.orders.filter(({ purpose }) => purpose === "ENTRY");
        entries += buys.length;
        for (const order of buys) {
          expect(money(order.qty).isInteger() && money(order.qty).gte(1)).toBe(true);
          const cap = { LOW: 0.5, MEDIUM: 1, HIGH: 1.5 }[state.preferences.riskTolerance];
          expect(value(order).lte(money(state.preferences.defaultOrderSize).times(cap))).toBe(true);
          expect(value(order).lte(state.preferences.maxPositionValue)).toBe(true);
          expect(value(order).lte(equity.times(limits.max_name_fraction))).toBe(true);
          expect(
            value(order).lte(money(market.symbols[order.symbol]!.features!.adv20!).times(limits.max_adv_fraction)),
          ).toBe(true);
          expect(
            money(order.stopLossPrice!).lt(order.limitPrice!) && money(order.takeProfitPrice!).gt(order.limitPrice!),
          ).toBe(true);
          expect(order.gates.every(({ passed, isWarning }) => passed || isWarning)).toBe(true);
          expect(state.positions.some(({ symbol }) => symbol === order.symbol)).toBe(false);
        }
        if (buys.length === 0) return;
        const heldValue = (filter: (symbol: string) => boolean) =>
          sum(
            state.positions
              .filter(({ symbol }) => filter(symbol))
              .map(({ symbol, qty }) => money(qty).times(market.symbols[symbol]!.quote!.last)),
          );
        const total = sum(buys.map(value));
        expect(total.lte(money(state.buyingPower).minus(equity.times(limits.cash_buffer)))).toBe(true);
        const cap = { risk_on: 1, neutral: 0.6, risk_off: 0.25 }[market.regime.label];
        expect(
          heldValue(() => true)
            .plus(total)
            .lte(equity.times(cap)),
        ).toBe(true);
        for (const sector of new Set(buys.map(({ symbol }) => market.symbols[symbol]!.sector))) {
          const within = (symbol: string) => market.symbols[symbol]!.sector === sector;
          const used = heldValue(within).plus(sum(buys.filter(({ symbol }) => within(symbol)).map(value)));
          expect(used.lte(equity.times(limits.max_sector_fraction))).toBe(true);
        }
        expect(state.positions.length + buys.length).toBeLessThanOrEqual(state.preferences.maxPositions);
      }),
      { numRuns: 300 },
    );
    expect(entries).toBeGreaterThan(100);
  });

  it("legs are numbered exits first, and candidates point at their legs", () => {
    fc.assert(
      fc.property(world, ({ state, market }) => {
        const plan = decide(state, market, examplePolicy);
        expect(plan.orders.map(({ leg }) => leg)).toEqual(plan.orders.map((_, i) => i));
        const sides = plan.orders.map(({ side }) => side);
        expect(sides).toEqual([...sides].sort().reverse());
        for (const { symbol, leg } of plan.candidates) if (leg !== null) expect(plan.orders[leg]!.symbol).toBe(symbol);
        expect(plan.candidates).toHaveLength(market.seats.length);
        for (const { symbol, purpose, qty } of plan.orders) {
          if (purpose === "ENTRY") continue;
          expect(money(qty).lte(state.positions.find((position) => position.symbol === symbol)!.qty)).toBe(true);
        }
      }),
    );
  });

  it("whatever stops entries never stops an exit", () => {
    fc.assert(
      fc.property(world, ({ state, market }) => {
        const sells = (plan: Plan) =>
          plan.orders
            .filter(({ side }) => side === "SELL")
            .map(({ symbol, purpose, qty, reason }) => [symbol, purpose, qty, reason]);
        const stopped: AccountState = {
          ...state,
          automationOff: "paused by you",
          killState: "REDUCE_ONLY",
          haltReason: "halted",
          buyingPower: "0",
          ordersLastMinute: 999,
          ordersToday: 9999,
          dayTrades: 9,
          lastEquity: text(money(state.equity).times(2)),
          highWaterMark: text(money(state.equity).times(2)),
          stopOuts: names.map((symbol) => ({ symbol, session: EXAMPLE_PRIOR })),
        };
        const plan = decide(stopped, market, examplePolicy);
        expect(sells(plan)).toEqual(sells(decide(state, market, examplePolicy)));
        expect(plan.orders.filter(({ side }) => side === "BUY")).toEqual([]);
      }),
    );
  });

  it("taking evidence away never adds an entry or makes one larger", () => {
    const bought = (plan: Plan) =>
      new Map(plan.orders.filter(({ side }) => side === "BUY").map(({ symbol, qty }) => [symbol, money(qty)]));
    fc.assert(
      fc.property(
        world,
        fc.constantFrom(...names),
        fc.constantFrom("features", "quote", "earnings", "atr14", "sigma60", "adv20", "sma200", "high252", "sessions"),
        ({ state, market }, name, what) => {
          const only: MarketView = { ...market, seats: market.seats.filter(({ symbol }) => symbol === name) };
          const view = only.symbols[name]!;
          const poorer: SymbolView =
            what === "features"
              ? { ...view, features: null }
              : what === "quote"
                ? { ...view, quote: null }
                : what === "earnings"
                  ? { ...view, earnings: { isKnown: false, next: null, last: null } }
                  : what === "sessions"
                    ? view
                    : { ...view, features: { ...view.features!, [what]: null } };
          const less: MarketView = {
            ...only,
            symbols: { ...only.symbols, [name]: poorer },
            sessions: what === "sessions" ? [] : only.sessions,
          };
          const rich = bought(decide(state, only, examplePolicy));
          for (const [symbol, qty] of bought(decide(state, less, examplePolicy)))
            expect(rich.get(symbol)?.gte(qty)).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
});
