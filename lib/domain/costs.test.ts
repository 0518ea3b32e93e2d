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

  it.each([
    // On 1,000,000 USD of one share: the SEC fee, and a cent of the activity fee.
    ["2005-06-01", "41.81"],
    ["2008-10-15", "5.61"],
    ["2012-06-01", "22.41"],
    ["2016-03-01", "21.81"],
    ["2017-07-03", "21.81"],
    ["2017-07-05", "23.11"],
    ["2018-05-21", "23.11"],
    ["2018-05-22", "13.01"],
    ["2026-04-02", "0.01"],
    ["2026-04-06", "20.61"],
  ])("the SEC fee of %s: %s USD on a million", (date, fee) => {
    expect(text(sellFees(money(1_000_000), money(1), date))).toBe(fee);
  });

  it.each([
    ["2010-01-04", "3.76"],
    ["2011-07-01", "4.51"],
    ["2012-07-02", "5.96"],
    ["2025-06-02", "8.3"],
    ["2026-01-02", "9.79"],
  ])("the most of FINRA's activity fee on %s, beside at most a cent of the SEC's: %s USD", (date, fee) => {
    expect(text(sellFees(money("0.01"), money(1_000_000), date))).toBe(fee);
  });
});
