import fc from "fast-check";
import { expect, it } from "vitest";
import { exampleFeatures, examplePolicy, examplePullback, exampleSeat } from "@/lib/proof/example-market.ts";
import { STRATEGY_NAMES } from "../enums.ts";
import { conditionsOf, hasSignal } from "./signal.ts";
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
