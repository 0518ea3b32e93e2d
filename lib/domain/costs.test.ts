import { describe, expect, it } from "vitest";
import { oneWayCostBps, roundTripCostBps, sellFees } from "./costs.ts";
import { money, text } from "./money.ts";
import { POLICY_2_9_0 as policy } from "./policy.ts";

describe("costs", () => {
  it.each([
    [5_000, 50e6, 0.02, 4, 4.0],
    [5_000, 2e6, 0.03, 15, 22.5],
    [250_000, 50e6, 0.02, 4, 16.1],
  ])("%i USD in %i a day, σ %f, spread %i → %f bps", (notional, adv, sigmaDaily, spreadBps, expected) => {
    expect(oneWayCostBps({ notional, adv, sigmaDaily, spreadBps }, policy).toFixed(1)).toBe(expected.toFixed(1));
  });

  it("a round trip is two ways and the fee on the sell", () => {
    const input = { notional: 5_000, adv: 50e6, sigmaDaily: 0.02, spreadBps: 4 };
    expect(roundTripCostBps(input, policy, "2020-03-02")).toBeCloseTo(8 + 0.221, 9);
  });

  it("sell fees follow the date and are rounded up to the cent", () => {
    expect(text(sellFees(money(10_000), money(100), "2020-02-14"))).toBe("0.23");
    expect(text(sellFees(money(10_000), money(100), "2020-02-18"))).toBe("0.25");
    expect(text(sellFees(money(10_000), money(100), "2025-06-02"))).toBe("0.02");
  });
});
