import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { examplePolicy as policy } from "@/lib/proof/example-market.ts";
import { kellyLowerBound, kellyRiskFraction, riskMultiple, tripRecord } from "./kelly.ts";
import { money } from "./money.ts";

const alternating = (win: number, loss: number, count: number) =>
  Array.from({ length: count }, (_, i) => (i % 2 === 0 ? win : loss));

describe("R", () => {
  it("is P&L over the initial risk; unknown where there was none", () => {
    expect(riskMultiple(money("-67.71"), money("250"))).toBe(-0.27084);
    expect(riskMultiple(money("10"), money("0"))).toBeNull();
  });

  it("round trips without an initial risk are left out and counted as such", () => {
    expect(tripRecord("MOMENTUM", [1, null, -1, null])).toEqual({
      strategy: "MOMENTUM",
      count: 2,
      unrated: 2,
      r: [1, -1],
    });
  });
});

describe("the lower bound of mean(R)/mean(R²)", () => {
  it("is the ratio less 1.28 standard errors, as worked by hand with equal weights", () => {
    // 50 of +2 and 50 of −1: mean 0.5, mean square 2.5, f 0.2; e = (R − 0.2·R²)/2.5 = 0.48 and −0.48.
    const error = Math.sqrt((100 / 99) * (0.48 ** 2 / 100));
    expect(kellyLowerBound(alternating(2, -1, 100), 1e12, 1.2815515655446)).toBeCloseTo(
      0.2 - 1.2815515655446 * error,
      9,
    );
  });

  it("approaches the ratio with many trips, and is 0 where nothing can be estimated", () => {
    expect(kellyLowerBound(alternating(2, -1, 1_000_000), 1e12, 1.28)).toBeCloseTo(0.2, 2);
    for (const r of [[], [1], new Array<number>(200).fill(0)]) expect(kellyLowerBound(r, 60, 1.28)).toBe(0);
  });

  it("is the same whichever half-lives were asked for before", () => {
    const r = alternating(2, -1, 120);
    const alone = [60, 20, 60].map((halfLife) => kellyLowerBound(r, halfLife, 1));
    expect(alone[2]).toBe(alone[0]);
    expect(alone[1]).not.toBe(alone[0]);
  });

  it("more confidence never bets more, and halving weights follow the latest trips", () => {
    // R has six decimal places (riskMultiple): a smaller one, whose square underflows, cannot occur.
    const multiple = fc.integer({ min: -5_000_000, max: 20_000_000 }).map((millionths) => millionths / 1e6);
    fc.assert(
      fc.property(
        fc.array(multiple, { minLength: 2, maxLength: 300 }),
        fc.double({ min: 0, max: 4, noNaN: true }),
        (r, z) => {
          expect(kellyLowerBound(r, 60, z)).toBeLessThanOrEqual(kellyLowerBound(r, 60, 0) + 1e-12);
        },
      ),
    );
    const good = alternating(2, -1, 120);
    const bad = alternating(0.5, -1, 120);
    expect(kellyLowerBound([...bad, ...good], 60, 0)).toBeGreaterThan(kellyLowerBound([...good, ...bad], 60, 0));
  });
});

describe("the part of equity at risk", () => {
  const trips = (r: number[]) => tripRecord("MOMENTUM", r);

  it("says nothing below 100 round trips of the strategy, nor for another one", () => {
    expect(kellyRiskFraction(trips(alternating(2, -1, 99)), "MOMENTUM", policy)).toBeNull();
    expect(kellyRiskFraction(trips(alternating(2, -1, 100)), "BREAKOUT", policy)).toBeNull();
  });

  it("is a quarter of the bound over the last 250 trips, and never less than the probe of 0.1 %", () => {
    const r = alternating(2, -1, 300);
    const { kelly_z } = policy.portfolio_limits;
    const quarter = kellyLowerBound(r.slice(-250), 60, kelly_z) / 4;
    expect(quarter).toBeGreaterThan(0.001);
    expect(kellyRiskFraction(trips(r), "MOMENTUM", policy)).toBeCloseTo(quarter, 12);
    expect(kellyRiskFraction(trips(alternating(0.5, -1, 300)), "MOMENTUM", policy)).toBe(0.001);
  });
});
