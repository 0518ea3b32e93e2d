import { describe, expect, it } from "vitest";
import {
  exampleAccount,
  exampleMarket,
  exampleOrder,
  examplePolicy as policy,
  examplePosition,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import { kpis, plan, rich } from "@/lib/proof/example-rotation.ts";
import { canonicalJson } from "./engine/canonical.ts";
import type { MarketView } from "./engine/plan.ts";
import { sessionsBetween } from "./market-calendar.ts";
import { tripOutcome } from "./metrics.ts";
import { money } from "./money.ts";
import { rotationDue } from "./rotation.ts";
import { kpiSnapshot } from "./rotation/kpis.ts";
import { orderOfLeg } from "./rotation/order-of-leg.ts";

/** Symbols in sectors of their own, all seated with the given composites. */
function marketOf(composites: Record<string, number>, held: string[] = []): MarketView {
  const names = [...new Set([...Object.keys(composites), ...held])];
  return exampleMarket(
    names.map((name) => exampleSymbol(name, { sector: `Sector ${name}` })),
    Object.entries(composites).map(([name, composite], i) => exampleSeat(name, { rank: i + 1, composite })),
  );
}

describe("a rotation is due", () => {
  it("after ten sessions for fourteen days; a holiday shifts it, a missed day is made up for, the first is due at once", () => {
    expect(rotationDue(null, "2020-02-03", 14)).toBe(true);
    expect(rotationDue("2020-01-31", "2020-02-13", 14)).toBe(false);
    expect(rotationDue("2020-01-31", "2020-02-14", 14)).toBe(true);
    // Presidents' Day lies between.
    expect(rotationDue("2020-02-07", "2020-02-21", 14)).toBe(false);
    expect(rotationDue("2020-02-07", "2020-02-24", 14)).toBe(true);
    expect(rotationDue("2020-01-31", "2020-02-20", 14)).toBe(true);
  });

  it("every ten sessions across ten years, whatever holidays lie between (T3)", () => {
    const sessions = sessionsBetween("2016-01-04", "2025-12-31");
    const turns: number[] = [];
    for (const [place, session] of sessions.entries()) {
      const last = turns.at(-1);
      if (rotationDue(last === undefined ? null : sessions[last]!, session, 14)) turns.push(place);
    }
    expect(sessions.length).toBeGreaterThan(2_500);
    expect(turns).toEqual(Array.from({ length: Math.ceil(sessions.length / 10) }, (_, turn) => 10 * turn));
  });
});

describe("a plan", () => {
  it("enters seats for free places, in equal risk, with price guards of 3 %", () => {
    const { legs, actions, metrics, accounts } = plan(
      [exampleAccount({ preferences: rich })],
      marketOf({ AAA: 80, BBB: 78 }),
    );
    expect(legs.map(({ kind, symbol, side, qty }) => [kind, symbol, side, qty])).toEqual([
      ["enter", "AAA", "BUY", "77"],
      ["enter", "BBB", "BUY", "77"],
    ]);
    expect(legs[0]).toMatchObject({ priceGuardLow: "97", priceGuardHigh: "103", decisionPrice: "100" });
    expect(actions.map(({ type, symbol, changeShares }) => [type, symbol, changeShares])).toEqual([
      ["BUY", "AAA", "77"],
      ["BUY", "BBB", "77"],
    ]);
    expect(metrics.guardrails).toMatchObject({ allChecksPassed: true, violations: [] });
    expect(metrics.turnover.turnoverPct).toBeCloseTo(7.7, 9);
    expect(metrics.currentPortfolio).toMatchObject({ totalValue: "100000", positionCount: 0, cashBufferPct: 100 });
    expect(metrics.projectedPortfolio).toMatchObject({ positionCount: 2, grossExposurePct: 15.4, cashBufferPct: 84.6 });
    expect(accounts[0]!.entries[0]).toMatchObject({ symbol: "AAA", strongFamilies: 3, line: 0.7 });
  });

  it("swaps the weakest holding for a better seat where the gain pays, sells before buys", () => {
    const market = marketOf({ AAA: 90 }, ["OLD", "ODD"]);
    market.symbols.OLD = { ...market.symbols.OLD!, momentumPercentile: 65 };
    const state = exampleAccount({
      preferences: { ...rich, maxPositions: 2 },
      positions: [examplePosition("OLD", { qty: "80" }), examplePosition("ODD", { qty: "80" })],
    });
    const { legs, accounts } = plan([state], market);
    expect(legs.map(({ kind, symbol, side, leg }) => [leg, kind, symbol, side])).toEqual([
      [0, "swap", "OLD", "SELL"],
      [1, "swap", "AAA", "BUY"],
    ]);
    expect(accounts[0]!.swaps).toBe(1);
    const dear = plan([state], market, { costAwareThresholdBps: 500 });
    expect(dear.legs).toEqual([]);
    expect(dear.accounts[0]!.skipped.find(({ symbol }) => symbol === "AAA")!.why).toBe(
      "benefit 120.0 bps is below 500.0 bps, the least that a trade has to bring",
    );
  });

  it("sells what an exit rule asks for first and always, the cap notwithstanding, and says that the cap is passed", () => {
    const market = marketOf({ AAA: 90 }, ["OLD"]);
    market.symbols.OLD = { ...market.symbols.OLD!, momentumPercentile: 10 };
    const review = { ...examplePosition("OLD").review, weakReviews: 1 };
    const state = exampleAccount({ preferences: rich, positions: [examplePosition("OLD", { qty: "70.5", review })] });
    const { legs, metrics } = plan([state], market, { turnoverCapPctPerPeriod: 1 });
    expect(legs.map(({ kind, symbol, qty, reason }) => [kind, symbol, qty, reason])).toEqual([
      ["forced_exit", "OLD", "70.5", "Momentum faded"],
    ]);
    expect(metrics.guardrails.allChecksPassed).toBe(false);
    expect(metrics.guardrails.violations[0]).toMatch(/^turnover:/);
  });

  it("tells a cost that is not known from none: the leg has no figure, and the plan's is of the value whose cost is known", () => {
    const old = { strategy: "MEAN_REVERSION" as const, openedSession: "2020-01-06", protectedQty: "70" };
    const state = (held: string[]) =>
      exampleAccount({
        preferences: rich,
        positions: held.map((name) => examplePosition(name, { qty: "70", ...old })),
      });
    const unknown = marketOf({}, ["AAA", "BBB"]);
    unknown.symbols.AAA = { ...unknown.symbols.AAA!, features: null };
    const mixed = plan([state(["AAA", "BBB"])], unknown);
    expect(mixed.legs.map(({ kind, symbol }) => [kind, symbol])).toEqual([
      ["forced_exit", "AAA"],
      ["forced_exit", "BBB"],
    ]);
    const [none, known] = mixed.legs.map(({ costBps }) => costBps);
    expect(none).toBeNull();
    expect(known).toBeGreaterThan(0);
    expect(mixed.metrics.costs.estimatedCostsBps).toBeCloseTo(known!, 9);
    expect(plan([state(["AAA"])], unknown).metrics.costs.estimatedCostsBps).toBeNull();
    expect(plan([state([])], unknown).metrics.costs.estimatedCostsBps).toBe(0);
  });

  it("trades a drifted holding to the nearest edge of its band, and leaves it alone inside", () => {
    const state = (qty: string) =>
      exampleAccount({
        preferences: { ...rich, maxPositionValue: "5000", maxPositions: 1 },
        positions: [examplePosition("AAA", { qty })],
      });
    const weak = marketOf({ AAA: 30 });
    // Target 5 % of equity, band 1 pp; the limit of 5,000 USD is the upper edge.
    expect(plan([state("45")], weak).legs).toEqual([]);
    expect(plan([state("60")], weak).legs).toMatchObject([{ kind: "resize", side: "SELL", qty: "10" }]);
    expect(plan([state("30")], marketOf({ AAA: 80 })).legs).toMatchObject([{ kind: "resize", side: "BUY", qty: "9" }]);
  });

  it("adds to a holding only where the gates of an entry let it, and says which does not", () => {
    const held = exampleAccount({
      preferences: { ...rich, maxPositions: 1 },
      positions: [examplePosition("AAA", { qty: "30" })],
    });
    const market = marketOf({ AAA: 80 });
    const earnings = { isKnown: true, next: market.session.date, last: null };
    const reporting = { ...market, symbols: { AAA: { ...market.symbols.AAA!, earnings } } };
    expect(plan([held], market).legs).toMatchObject([{ kind: "resize", side: "BUY", symbol: "AAA" }]);
    for (const [account, view, why] of [
      [{ ...held, lastEquity: "110000" }, market, "refused by daily loss"],
      [{ ...held, highWaterMark: "115000" }, market, "refused by drawdown"],
      [{ ...held, killState: "REDUCE_ONLY" as const }, market, "refused by kill switch"],
      [held, reporting, "refused by earnings"],
      [held, marketOf({ AAA: 30 }), "refused by conviction"],
      [held, marketOf({}, ["AAA"]), "not seated"],
    ] as const) {
      const { legs, accounts } = plan([account], view);
      expect(legs).toEqual([]);
      expect(accounts[0]!.skipped).toEqual([{ symbol: "AAA", why }]);
    }
  });

  it("says why a purchase is none: below the smallest order, less than a share, or of a cost that is not known", () => {
    const whyOf = (qty: string, change: Parameters<typeof exampleSymbol>[1] = {}, price = "100") => {
      const state = exampleAccount({
        preferences: { ...rich, maxPositionValue: "5000", maxPositions: 1 },
        positions: [examplePosition("AAA", { qty })],
      });
      const market = marketOf({ AAA: 80 });
      const quote = { ...market.symbols.AAA!.quote!, last: price, bid: price, ask: price };
      market.symbols.AAA = { ...market.symbols.AAA!, quote, ...change };
      const { legs, accounts } = plan([state], market);
      expect(legs).toEqual([]);
      return accounts[0]!.skipped;
    };
    // Target 5 % of equity, band 1 pp: what lacks to 4,000 USD is bought.
    expect(whyOf("39.2")).toEqual([{ symbol: "AAA", why: "$80.00 is below the smallest order of $100.00" }]);
    expect(whyOf("38.98")).toEqual([{ symbol: "AAA", why: "less than one share" }]);
    const features = { ...exampleSymbol("AAA").features!, adv20: null };
    expect(whyOf("30", { features })).toEqual([{ symbol: "AAA", why: "its cost is not known" }]);
  });

  it("leaves foreign positions, symbols in flight and accounts that are paused alone", () => {
    const market = marketOf({ AAA: 80, BBB: 80 });
    const foreign = exampleAccount({
      preferences: rich,
      positions: [examplePosition("AAA", { strategy: null })],
      openOrders: [exampleOrder("BBB")],
    });
    expect(plan([foreign], market).legs).toEqual([]);
    const paused = plan([exampleAccount({ automationOff: "paused by you" })], market);
    expect(paused.accounts).toEqual([]);
    const halted = plan([exampleAccount({ killState: "NO_NEW_ENTRIES", preferences: rich })], market);
    expect(halted.legs).toEqual([]);
  });

  it("buys nothing of a symbol whose kill switch is set, new or held, and still sells it", () => {
    const stoppedSymbols = ["AAA"];
    const market = marketOf({ AAA: 80, BBB: 80 });
    const fresh = plan([exampleAccount({ preferences: rich, stoppedSymbols })], market);
    expect(fresh.legs.map(({ symbol }) => symbol)).toEqual(["BBB"]);
    const held = (qty: string) =>
      exampleAccount({ preferences: rich, stoppedSymbols, positions: [examplePosition("AAA", { qty })] });
    const alone = marketOf({ AAA: 80 });
    expect(plan([held("30")], alone).legs).toEqual([]);
    const free = { ...held("30"), stoppedSymbols: [] };
    expect(plan([free], alone).legs).toMatchObject([{ kind: "resize", side: "BUY" }]);
    expect(plan([held("300")], alone).legs).toMatchObject([{ kind: "resize", side: "SELL" }]);
  });

  it("drops the lowest benefit over cost first when the turnover cap is reached", () => {
    const composites = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`N${i}`, 60 + 3 * i]));
    const { legs, metrics } = plan([exampleAccount({ preferences: rich })], marketOf(composites), {
      turnoverCapPctPerPeriod: 13,
    });
    expect(legs.map(({ symbol }) => symbol)).toEqual(["N7", "N8", "N9"]);
    expect(metrics.turnover.turnoverPct).toBeLessThanOrEqual(13);
  });

  it("adds up accounts by symbol, whatever their order", () => {
    const market = marketOf({ AAA: 80 });
    const accounts = ["a", "b"].map((accountId) => exampleAccount({ accountId, preferences: rich }));
    const both = plan(accounts, market);
    expect(both.actions).toMatchObject([{ symbol: "AAA", changeShares: "154" }]);
    expect(both.legs.map(({ accountId, leg }) => [accountId, leg])).toEqual([
      ["a", 0],
      ["b", 0],
    ]);
    expect(canonicalJson(plan(accounts.reverse(), market))).toBe(canonicalJson(both));
  });
});

describe("a leg at its execution", () => {
  const market = marketOf({ AAA: 80 });
  const state = exampleAccount({ preferences: { ...rich } });
  const [leg] = plan([state], market).legs;
  const priced = (last: string) => ({
    ...market,
    symbols: { AAA: { ...market.symbols.AAA!, quote: { ...market.symbols.AAA!.quote!, last, bid: null, ask: null } } },
  });

  it("becomes a bracket inside its guards", () => {
    expect(orderOfLeg(leg!, state, market, policy)).toMatchObject({
      refusal: null,
      order: { purpose: "ENTRY", qty: "77", reason: "rotation", orderClass: "BRACKET", limitPrice: "100.52" },
    });
    expect(orderOfLeg(leg!, state, priced("102.9"), policy).order?.limitPrice).toBe("103");
  });

  it("is refused when its price ran away, its seat is gone, the kill switch is pulled or the shares are gone", () => {
    expect(orderOfLeg(leg!, state, priced("103.01"), policy).refusal).toContain("outside 97 … 103");
    expect(orderOfLeg(leg!, state, { ...market, seats: [] }, policy).refusal).toBe("no longer seated");
    expect(orderOfLeg(leg!, { ...state, killState: "REDUCE_ONLY" }, market, policy).refusal).toContain("kill switch");
    expect(orderOfLeg(leg!, { ...state, stoppedSymbols: ["AAA"] }, market, policy).refusal).toContain("kill switch");
    const sell = { ...leg!, side: "SELL" as const, qty: "10" };
    expect(orderOfLeg(sell, state, market, policy).refusal).toBe("no longer held");
    const holding = { ...state, positions: [examplePosition("AAA", { qty: "9" })] };
    expect(orderOfLeg(sell, holding, market, policy).refusal).toContain("9 shares are left");
    const whole = { ...state, positions: [examplePosition("AAA", { qty: "10" })] };
    expect(orderOfLeg(sell, whole, market, policy).order).toMatchObject({ purpose: "EXIT", type: "MARKET", qty: "10" });
  });

  it("a resize may add to what is held", () => {
    const holding = { ...state, positions: [examplePosition("AAA", { qty: "30" })] };
    expect(orderOfLeg({ ...leg!, kind: "resize", qty: "10" }, holding, market, policy).order?.qty).toBe("10");
    expect(orderOfLeg({ ...leg!, qty: "10" }, holding, market, policy).refusal).toContain("already held or in flight");
  });
});

describe("key figures", () => {
  it("come from closed round trips, and are null where there are none", () => {
    expect(kpis).toEqual({ avgWinToLoss: null, hitRate: null, timeStopRate: null, slippagePct: null });
    const trips = [
      { pnl: money(30), exitReason: "profit_target" },
      { pnl: money(10), exitReason: "time_stop" },
      { pnl: money(-10), exitReason: "protective_stop" },
      { pnl: money(0), exitReason: "time_stop" },
    ].map((trip) => ({ ...trip, outcome: tripOutcome(trip.pnl) }));
    expect(kpiSnapshot(trips, [2, 4])).toEqual({
      avgWinToLoss: 2,
      hitRate: 2 / 3,
      timeStopRate: 0.5,
      slippagePct: 0.03,
    });
  });
});
