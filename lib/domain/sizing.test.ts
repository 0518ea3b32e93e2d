import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  exampleAccount,
  exampleFeatures,
  exampleMarket,
  examplePolicy as policy,
  examplePosition,
  exampleSymbol,
} from "./engine/example-market.ts";
import type { AccountState } from "./engine/plan.ts";
import { money } from "./money.ts";
import { openBook } from "./risk/book.ts";
import { kellyBet, kellyFraction, sizeEntry, type SizeInput, volatilityTargetWeight } from "./sizing.ts";

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
    book: openBook(state, market),
    strategy: "MOMENTUM",
    limitPrice: money(100),
    atr: 0.01,
    sigma: 0.01,
    spreadBps: 2,
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
  it("quarter Kelly from 100 trips on", () => {
    expect(size({}, { trips: { count: 99, wins: 20, meanWin: 1, meanLoss: -1 } }).boundBy).toBe("name limit");
    expect(size({}, { trips: { count: 100, wins: 60, meanWin: 1, meanLoss: -1 } })).toMatchObject({ boundBy: "Kelly" });
    expect(size({}, { trips: { count: 100, wins: 40, meanWin: 1, meanLoss: -1 } })).toMatchObject({
      qty: 0,
      boundBy: "Kelly",
    });
  });
  it("mean reversion is half, and a momentum book above 12 % volatility is scaled down, never up", () => {
    const preferences = { ...BIG, defaultOrderSize: "2000" };
    expect(size({ strategy: "MEAN_REVERSION" }, {}, preferences).qty).toBe(10);
    expect(size({}, { bookVolatility: 0.24 }, preferences).qty).toBe(10);
    expect(size({}, { bookVolatility: 0.06 }, preferences).qty).toBe(20);
  });
});

describe("no order", () => {
  it("below one share, below 25 USD, and where cost eats more than a quarter of the edge", () => {
    expect(size({}, {}, { ...BIG, defaultOrderSize: "99" })).toMatchObject({
      qty: 0,
      refusal: "order size leaves 99.00 USD, less than one share",
    });
    expect(size({ limitPrice: money(5) }, {}, { ...BIG, defaultOrderSize: "24" }).refusal).toContain(
      "below the smallest order",
    );
    expect(size({ spreadBps: 60 }).refusal).toContain("round-trip cost");
  });
  it.each([
    ["ATR", { atr: null }],
    ["volatility", { sigma: null }],
  ])("without %s", (_, change) => expect(size(change).qty).toBe(0));
});

describe("worked figures", () => {
  it("Kelly of p 0.55 at 1.5 to 1 is a quarter, a quarter of it 0.0625; the volatility target at σ 35 % is 9.58 %", () => {
    expect(kellyBet(0.55, 1.5)).toBeCloseTo(0.25, 12);
    expect(policy.portfolio_limits.kelly_fraction * kellyBet(0.55, 1.5)).toBeCloseTo(0.0625, 12);
    expect(volatilityTargetWeight(0.35, policy).toFixed(4)).toBe("0.0958");
  });
});

describe("Kelly", () => {
  it("never bets more than a quarter of the plain Kelly bet, nor less than nothing, and more wins never bet less", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 5000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0.01, max: 20, noNaN: true }),
        (count, rate, meanWin) => {
          const wins = Math.floor(count * rate);
          const bet = kellyFraction({ count, wins, meanWin, meanLoss: -1 }, policy)!;
          const plain = policy.portfolio_limits.kelly_fraction * Math.max(0, kellyBet(wins / count, meanWin));
          expect(bet).toBeGreaterThanOrEqual(0);
          expect(bet).toBeLessThanOrEqual(plain + 1e-12);
          if (wins < count)
            expect(kellyFraction({ count, wins: wins + 1, meanWin, meanLoss: -1 }, policy)!).toBeGreaterThanOrEqual(
              bet,
            );
        },
      ),
    );
  });

  it("bounds the order: its value is never above the Kelly part of equity", () => {
    fc.assert(
      fc.property(fc.integer({ min: 40, max: 100 }), fc.double({ min: 0.5, max: 3, noNaN: true }), (wins, meanWin) => {
        const trips = { count: 100, wins, meanWin, meanLoss: -1 };
        const { qty } = size({}, { trips });
        expect(qty * 100).toBeLessThanOrEqual(100_000 * kellyFraction(trips, policy)!);
      }),
    );
  });

  it("is a quarter of p − (1 − p)/b at the lower bound of p, and approaches it with many trips", () => {
    const many = kellyFraction({ count: 1e9, wins: 0.55e9, meanWin: 1.5, meanLoss: -1 }, policy);
    expect(many).toBeCloseTo(0.0625, 4);
    const few = kellyFraction({ count: 100, wins: 55, meanWin: 1.5, meanLoss: -1 }, policy)!;
    expect(few).toBeGreaterThan(0);
    expect(few).toBeLessThan(many!);
    expect(kellyFraction({ count: 99, wins: 55, meanWin: 1.5, meanLoss: -1 }, policy)).toBeNull();
    expect(kellyFraction({ count: 100, wins: 0, meanWin: null, meanLoss: -1 }, policy)).toBe(0);
  });
});
