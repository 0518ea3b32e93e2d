import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  exampleAccount,
  exampleFeatures,
  exampleMarket,
  examplePolicy as policy,
  examplePosition,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import type { AccountState } from "./engine/plan.ts";
import { kellyRiskFraction } from "./kelly.ts";
import { money } from "./money.ts";
import { openBook } from "./risk/book.ts";
import { advRoom } from "./risk/limits.ts";
import { sizeEntry, type SizeInput, volatilityTargetWeight } from "./sizing.ts";

const BIG = { defaultOrderSize: "1000000", maxPositionValue: "1000000" };

/** A candidate at 100 USD for an account of 100,000 USD; the preferences bind nothing unless a test says so. */
function size(
  change: Partial<SizeInput> = {},
  account: Partial<AccountState> = {},
  preferences: Partial<AccountState["preferences"]> = BIG,
) {
  const base = exampleAccount(account);
  const state = { ...base, preferences: { ...base.preferences, ...preferences } };
  const market = change.market ?? exampleMarket([exampleSymbol("AAA")], []);
  const input: SizeInput = {
    state,
    market,
    policy,
    symbol: "AAA",
    book: openBook(state, market, policy),
    strategy: "MOMENTUM",
    limitPrice: money(100),
    atr: 0.01,
    stop: null,
    sigma: 0.01,
    spreadBps: 2,
    volumeRoom: advRoom(market.symbols.AAA?.features ?? null, policy),
    ...change,
  };
  const { qty, boundBy, refusal } = sizeEntry(input);
  return { qty: qty.toNumber(), boundBy, refusal };
}

describe("the least of the bounds, by name", () => {
  it("8 % of equity a name", () => expect(size()).toMatchObject({ qty: 80, boundBy: "name limit" }));
  it("order size × risk tolerance", () => {
    expect(size({}, {}, { ...BIG, defaultOrderSize: "2000" })).toMatchObject({ qty: 20, boundBy: "order size" });
    expect(size({}, {}, { ...BIG, defaultOrderSize: "2000", riskTolerance: "LOW" }).qty).toBe(10);
    expect(size({}, {}, { ...BIG, defaultOrderSize: "2000", riskTolerance: "HIGH" }).qty).toBe(30);
  });
  it("half a percent of equity at the stop: 500/(3 · 4) shares", () =>
    expect(size({ atr: 4 })).toMatchObject({ qty: 41, boundBy: "risk per trade" }));
  it("volatility target (15 %/√20)/σ", () =>
    expect(size({ sigma: 0.7 })).toMatchObject({ qty: 47, boundBy: "volatility target" }));
  it("max position value", () =>
    expect(size({}, {}, { ...BIG, maxPositionValue: "1550" })).toMatchObject({
      qty: 15,
      boundBy: "max position value",
    }));
  it("1 % of dollar volume", () => {
    const market = exampleMarket([exampleSymbol("AAA", { features: exampleFeatures({ adv20: 500_000 }) })], []);
    expect(size({ market })).toMatchObject({ qty: 50, boundBy: "daily volume" });
  });
  it("25 % a sector, and gross by regime", () => {
    const positions = [examplePosition("PPP", { qty: "220" })];
    const market = exampleMarket([exampleSymbol("AAA"), exampleSymbol("PPP")], []);
    expect(size({ market }, { positions })).toMatchObject({ qty: 30, boundBy: "sector limit" });
    const elsewhere = exampleMarket([exampleSymbol("AAA"), exampleSymbol("PPP", { sector: "Energy" })], []);
    const off = { ...elsewhere, regime: { ...elsewhere.regime, label: "risk_off" as const } };
    expect(size({ market: off }, { positions })).toMatchObject({ qty: 30, boundBy: "gross exposure" });
  });
  it("buying power less a 2 % cash buffer", () =>
    expect(size({}, { buyingPower: "5000" })).toMatchObject({ qty: 30, boundBy: "buying power" }));
  it("the Kelly bound on risk, from 100 round trips of the strategy on", () => {
    const losses = (count: number) => ({
      strategy: "MOMENTUM" as const,
      count,
      unrated: 0,
      r: new Array<number>(count).fill(-1),
    });
    const stop = money(95);
    expect(size({ stop }, { trips: losses(99) }).boundBy).toBe("name limit");
    // The probe: 0.1 % of 100,000 USD at risk, 5 USD a share.
    expect(size({ stop }, { trips: losses(100) })).toMatchObject({ qty: 20, boundBy: "Kelly", refusal: null });
    expect(size({ stop }, { trips: { ...losses(100), strategy: "BREAKOUT" } }).boundBy).toBe("name limit");
  });
  it("mean reversion is half, and a momentum book above 12 % volatility is scaled down, never up", () => {
    const preferences = { ...BIG, defaultOrderSize: "2000" };
    expect(size({ strategy: "MEAN_REVERSION" }, {}, preferences).qty).toBe(10);
    expect(size({}, { bookVolatility: 0.24 }, preferences).qty).toBe(10);
    expect(size({}, { bookVolatility: 0.06 }, preferences).qty).toBe(20);
  });
});

describe("no order", () => {
  it("below one share, below $100, and where cost eats more than a quarter of the edge", () => {
    expect(size({}, {}, { ...BIG, defaultOrderSize: "99" })).toMatchObject({
      qty: 0,
      refusal: "order size leaves $99.00, less than one share",
    });
    expect(size({ limitPrice: money(5) }, {}, { ...BIG, defaultOrderSize: "99" }).refusal).toContain(
      "below the smallest order",
    );
    expect(size({ spreadBps: 60 }).refusal).toContain("round-trip cost");
    // Just below: a price below a dollar has four places.
    expect(size({ limitPrice: money("0.0999") }, {}, { ...BIG, defaultOrderSize: "100" }).refusal).toBe(
      "$99.9999 is below the smallest order of $100.00",
    );
  });
  it("where the limits leave less than a quarter of what was intended, and not where the strategy wants no more", () => {
    const preferences = { ...BIG, defaultOrderSize: "6000" };
    expect(size({}, { buyingPower: "3501" }, preferences)).toMatchObject({ qty: 15, refusal: null });
    expect(size({}, { buyingPower: "3401" }, preferences)).toMatchObject({
      qty: 0,
      refusal: "buying power leaves $1,401.00, less than $1,500.00, which is 25 % of the intended $6,000.00",
    });
  });
  it("where whole shares come to less than a quarter of what was intended, though the limits leave more", () => {
    const preferences = { ...BIG, defaultOrderSize: "4000" };
    const sized = (limitPrice: string) =>
      size({ limitPrice: money(limitPrice) }, { buyingPower: "3080" }, preferences).refusal;
    expect(sized("562.90")).toBe(
      "buying power leaves $1,080.00: 1 share for $562.90 is less than $1,000.00, which is 25 % of the intended $4,000.00",
    );
    expect(sized("333.33")).toBe(
      "buying power leaves $1,080.00: 3 shares for $999.99 are less than $1,000.00, which is 25 % of the intended $4,000.00",
    );
  });
  it.each([
    ["ATR", { atr: null }],
    ["volatility", { sigma: null }],
  ])("without %s", (_, change) => expect(size(change).qty).toBe(0));
});

describe("worked figures", () => {
  it("the volatility target at σ 35 % is 9.58 %", () => {
    expect(volatilityTargetWeight(0.35, policy).toFixed(4)).toBe("0.0958");
  });
});

describe("the Kelly bound", () => {
  const multiples = fc.array(fc.double({ min: -5, max: 20, noNaN: true }), { minLength: 100, maxLength: 300 });
  const record = (r: number[]) => ({ strategy: "MOMENTUM" as const, count: r.length, unrated: 0, r });

  it("is no trap: after any record, the probe is bought where the other bounds allow it", () => {
    fc.assert(
      fc.property(multiples, fc.integer({ min: 70, max: 99 }), (r, stop) => {
        const { qty, refusal } = size({ stop: money(stop) }, { trips: record(r) });
        expect(refusal).toBeNull();
        expect(qty).toBeGreaterThanOrEqual(Math.min(80, Math.floor(100 / (100 - stop))));
      }),
    );
  });

  it("bounds the risk: the distance to the stop times the shares is at most a quarter of f of equity, or the probe", () => {
    fc.assert(
      fc.property(multiples, fc.integer({ min: 70, max: 99 }), (r, stop) => {
        const { qty } = size({ stop: money(stop) }, { trips: record(r) });
        const fraction = kellyRiskFraction(record(r), "MOMENTUM", policy)!;
        expect(fraction).toBeGreaterThanOrEqual(0.001);
        expect(qty * (100 - stop)).toBeLessThanOrEqual(100_000 * fraction);
      }),
    );
  });

  it("is monotone: more equity never buys less, a farther stop never buys more", () => {
    fc.assert(
      fc.property(multiples, fc.integer({ min: 70, max: 98 }), fc.integer({ min: 5, max: 20 }), (r, stop, tens) => {
        const at = (level: number, equity: number) =>
          size({ stop: money(level) }, { trips: record(r), equity: String(equity), buyingPower: "1000000" }).qty;
        expect(at(stop, (tens + 1) * 10_000)).toBeGreaterThanOrEqual(at(stop, tens * 10_000));
        expect(at(stop + 1, tens * 10_000)).toBeGreaterThanOrEqual(at(stop, tens * 10_000));
      }),
    );
  });
});
