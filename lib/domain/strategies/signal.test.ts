import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleFeatures, examplePolicy, examplePullback, exampleSeat } from "@/lib/proof/example-market.ts";
import { STRATEGY_NAMES } from "../enums.ts";
import { atLeast, atMost, conditionsOf, hasSignal, noSignalOf } from "./signal.ts";
import { STRATEGIES } from "./strategies.ts";

const value = fc.oneof(fc.constant(null), fc.double({ min: 0.01, max: 150, noNaN: true }));
const changes = fc.record(
  {
    sma5: value,
    sma50: value,
    sma200: value,
    rsi2: value,
    atr14: value,
    atr20: value,
    adx14: value,
    high20Prior: value,
    high252: value,
    momentum12: value,
    volumeRatio: value,
    gap: value,
  },
  { requiredKeys: [] },
);

it.each(STRATEGY_NAMES)("%s has a signal where every condition of its words is met, and there alone", (name) => {
  const { signal } = STRATEGIES[name];
  const seen = new Set<boolean>();
  fc.assert(
    fc.property(fc.oneof(fc.constant({}), changes), fc.oneof(fc.constant(90), value), (change, momentumPercentile) => {
      const features = name === "MEAN_REVERSION" ? examplePullback(change) : exampleFeatures(change);
      const asked = { seat: exampleSeat("AAA", { momentumPercentile }), features, policy: examplePolicy };
      const conditions = conditionsOf(signal, asked);
      expect(hasSignal(signal, asked)).toBe(conditions.every(({ isMet }) => isMet));
      expect(conditions.length).toBeGreaterThanOrEqual(5);
      seen.add(hasSignal(signal, asked));
    }),
  );
  expect(seen).toEqual(new Set([true, false]));
});

describe("what is lacking is told on its side of the line", () => {
  const told = (...conditions: Parameters<typeof noSignalOf>[0]) => noSignalOf(conditions).noSignal;

  it("just short of it, on it where it does not pass, and where it is no figure", () => {
    expect(told(atLeast("momentum percentile", 79.97, 80, 1))).toBe("momentum percentile 79.97 is below 80.0");
    expect(told(atLeast("close over SMA200", 1, 1, 4, true))).toBe("close over SMA200 1.0000 is not above 1.0000");
    expect(told(atMost("RSI2", 10.004, 10, 1, true))).toBe("RSI2 10.004 is not below 10.0");
    expect(told(atMost("gap in ATR", Number.POSITIVE_INFINITY, 3))).toBe("gap in ATR is not known");
  });

  it("whatever the value, and applying what is needed is enough", () => {
    const percentile = fc.oneof(
      fc.double({ min: 0, max: 80, maxExcluded: true, noNaN: true }),
      fc.double({ min: 79.9, max: 80, maxExcluded: true, noNaN: true }),
      fc.integer({ min: 1, max: 1000 }).map((steps) => 80 - steps * 2 ** -46),
    );
    fc.assert(
      fc.property(percentile, (value) => {
        const { noSignal, nearestFlip } = noSignalOf([atLeast("momentum percentile", value, 80, 1)]);
        const [, is, line] = /^momentum percentile (\S+) is below (\S+)$/.exec(noSignal) ?? [];
        expect(Number(is)).toBeLessThan(Number(line));
        expect(value + Number(/\+(\S+)$/.exec(nearestFlip ?? "")?.[1])).toBeGreaterThanOrEqual(80);
      }),
    );
  });
});
