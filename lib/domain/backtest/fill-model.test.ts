import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SideName } from "../enums.ts";
import { money, text } from "../money.ts";
import { POLICY_2_9_0 } from "../policy.ts";
import { standardNormal } from "./noise.ts";
import { entryFill, fillCost, legFill, legFillAtOpen, priceAfterOpen } from "./fill-model.ts";

const bar = (open: number, high: number, low: number, close: number) => ({ open, high, low, close });
const legs = { stopPrice: money("95"), targetPrice: money("110") };
const price = (fill: { price: { toFixed(): string } } | null) => fill?.price.toFixed() ?? null;

describe("entries", () => {
  it("a limit that came after the open does not fill at a low that was the open", () => {
    expect(entryFill(money("100"), bar(99, 101, 99, 100))).toBeNull();
    expect(entryFill(money("100"), bar(99.5, 101, 99, 100))?.toFixed()).toBe("100");
  });
  it("a limit below the open fills at the limit once the low touches it", () => {
    expect(entryFill(money("100"), bar(102, 103, 100, 101))?.toFixed()).toBe("100");
  });
  it("a limit that the low does not touch does not fill", () => {
    expect(entryFill(money("100"), bar(102, 103, 100.01, 101))).toBeNull();
  });
});

describe("orders decided after the open", () => {
  const open = bar(100, 110, 90, 105);
  const at = (side: SideName, noise: number, day = open) =>
    priceAfterOpen({ side, bar: day, sigmaDaily: 0.02, noise }, POLICY_2_9_0).toNumber();
  const keys = Array.from({ length: 4_000 }, (_, i) => `2020-03-02 S${i}`);

  it("pay half of three times the spread, and what the first minutes moved", () => {
    // 5 bps of spread: 7.5 bps. One deviation: 2 % · √(5/390) = 22.65 bps.
    expect([at("BUY", 0), at("SELL", 0)]).toEqual([100.08, 99.92]);
    expect([at("BUY", 1), at("SELL", 1)]).toEqual([100.31, 100.15]);
    expect([at("BUY", -1), at("SELL", -1)]).toEqual([99.85, 99.69]);
  });
  it("never buy below the session's low nor sell above its high, whatever the chance", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -8, max: 8, noNaN: true }),
        fc.double({ min: 0, max: 0.01, noNaN: true }),
        (z, wide) => {
          const day = bar(100, 100 * (1 + wide), 100 * (1 - wide), 100);
          expect(at("BUY", z, day)).toBeGreaterThanOrEqual(day.low);
          expect(at("SELL", z, day)).toBeLessThanOrEqual(day.high);
          expect(at("BUY", z, day)).toBeGreaterThanOrEqual(at("SELL", z, bar(100, 110, 90, 100)));
        },
      ),
    );
  });
  it("meet a chance with mean 0 and deviation 1 that the seed and the key fix", () => {
    for (const seed of [0, 1, 2, 999_999_999]) {
      const draws = keys.map((key) => standardNormal(seed, key));
      const mean = draws.reduce((total, z) => total + z, 0) / draws.length;
      const deviation = Math.sqrt(draws.reduce((total, z) => total + (z - mean) ** 2, 0) / draws.length);
      // Four standard errors of 4,000 draws.
      expect(Math.abs(mean)).toBeLessThan(4 / Math.sqrt(draws.length));
      expect(Math.abs(deviation - 1)).toBeLessThan(4 / Math.sqrt(2 * draws.length));
      expect(draws).toEqual(keys.map((key) => standardNormal(seed, key)));
    }
    expect(standardNormal(1, keys[0]!)).not.toBe(standardNormal(2, keys[0]!));
  });
  it("cost on average what half the wide spread is, so that waiting for luck does not pay", () => {
    const paid = keys.map((key) => at("BUY", standardNormal(1, key)) / 100 - 1);
    const mean = paid.reduce((total, value) => total + value, 0) / paid.length;
    expect(Math.abs(mean - 0.0008)).toBeLessThan((4 * 0.00227) / Math.sqrt(paid.length));
  });
});

describe("stops and targets", () => {
  it("a stop that is touched fills at the stop less the slip", () => {
    expect(price(legFill(legs, bar(100, 101, 94, 96), 5, false))).toBe("94.9525");
  });
  it("a stop that is gapped over fills at the open less the slip", () => {
    expect(price(legFill(legs, bar(90, 91, 89, 90), 5, false))).toBe("89.955");
    expect(legFillAtOpen(legs, bar(90, 120, 89, 90), 0)).toEqual({ leg: "STOP", price: money("90") });
  });
  it("stop and target in one bar: the stop", () => {
    expect(legFill(legs, bar(100, 111, 94, 105), 0, false)).toEqual({ leg: "STOP", price: money("95") });
  });
  it("a target fills at its price, or at a better open", () => {
    expect(legFill(legs, bar(100, 110, 99, 105), 0, false)).toEqual({ leg: "TARGET", price: money("110") });
    expect(legFillAtOpen(legs, bar(112, 113, 111, 112), 0)).toEqual({ leg: "TARGET", price: money("112") });
  });
  it("the bar of the entry cannot hit its target, but it can hit its stop", () => {
    expect(legFill(legs, bar(100, 120, 99, 118), 0, true)).toBeNull();
    expect(legFill(legs, bar(100, 120, 95, 118), 0, true)?.leg).toBe("STOP");
  });
  it("between stop and target nothing fills", () => {
    expect(legFill(legs, bar(100, 109.99, 95.01, 105), 5, false)).toBeNull();
    expect(legFillAtOpen(legs, bar(100, 120, 80, 105), 5)).toBeNull();
  });
});

describe("costs", () => {
  const worked = { price: money("100"), date: "2020-02-18", sigmaDaily: 0.02, adv: 50e6 } as const;
  it("half the spread, impact and fees of a sell are told apart and add up", () => {
    const cost = fillCost({ ...worked, side: "SELL", qty: money("50") }, POLICY_2_9_0);
    // 5,000 USD: 2.5 bps of spread, 2 bps of impact, SEC fee 0.1105 and TAF 0.00595 rounded up.
    expect([cost.spread, cost.impact, cost.fees, cost.total].map(text)).toEqual(["1.25", "1", "0.13", "2.38"]);
  });
  it("buys pay no regulatory fee", () => {
    expect(text(fillCost({ ...worked, side: "BUY", qty: money("50") }, POLICY_2_9_0).fees)).toBe("0");
  });
  it("volume and volatility that are not known cost more, never less", () => {
    const known = fillCost({ ...worked, side: "BUY", qty: money("50") }, POLICY_2_9_0);
    const unknown = fillCost({ ...worked, side: "BUY", qty: money("50"), adv: null, sigmaDaily: null }, POLICY_2_9_0);
    expect(unknown.total.gt(known.total)).toBe(true);
  });
});
