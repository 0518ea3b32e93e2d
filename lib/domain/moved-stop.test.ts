import fc from "fast-check";
import { expect, it } from "vitest";
import { exampleMarket, examplePolicy, examplePosition, exampleSymbol } from "@/lib/proof/example-market.ts";
import type { HeldPosition } from "./engine/plan.ts";
import { money } from "./money.ts";
import { movedStop } from "./moved-stop.ts";

const preferences = { stopLoss: "5", profitTarget: "10" };
const quoted = (last: string) =>
  exampleSymbol("AAA", { quote: { last, bid: last, ask: last, at: "2020-02-03T15:04:00.000Z" } });

/** ATR 2: the trailing level of MOMENTUM is the highest close less 6. */
function moveOf(
  highestClose: string,
  restingStop: string,
  last = "104",
  change: Partial<HeldPosition> = {},
  policy = examplePolicy,
) {
  const position = examplePosition("AAA", change);
  const review = { ...position.review, highestClose };
  return movedStop({ position, review, market: exampleMarket([quoted(last)], []), restingStop, policy, preferences });
}

it("a stop moves to three ATR below the highest close, with the target beside it", () => {
  expect(moveOf("103", "93.1")).toEqual({ stopPrice: "97", targetPrice: "107.8" });
});

it("a rise of less than the policy's step is left out", () => {
  expect(moveOf("99.3", "93.1")).toBeNull();
  const exits = { ...examplePolicy.exits, trail_step_pct: 0.1 };
  expect(moveOf("99.3", "93.1", "104", {}, { ...examplePolicy, exits })).toMatchObject({ stopPrice: "93.3" });
});

it("a stop is never moved to where the market already is, nor beside a target that it has passed", () => {
  expect(moveOf("103", "93.1", "97")).toBeNull();
  expect(moveOf("103", "93.1", "107.8")).toBeNull();
});

it("a strategy without a trailing level, and shares without a strategy, keep their stop", () => {
  expect(moveOf("103", "93.1", "104", { strategy: "MEAN_REVERSION" })).toBeNull();
  expect(moveOf("103", "93.1", "104", { strategy: null })).toBeNull();
});

it("whatever the prices, a moved stop lies above the old one and below the market", () => {
  const price = fc.integer({ min: 100, max: 50_000 }).map((cents) => String(cents / 100));
  fc.assert(
    fc.property(price, price, price, (highestClose, restingStop, last) => {
      const moved = moveOf(highestClose, restingStop, last);
      if (moved === null) return;
      expect(money(moved.stopPrice).gt(restingStop)).toBe(true);
      expect(money(moved.stopPrice).lt(last)).toBe(true);
      expect(money(moved.targetPrice).gt(last)).toBe(true);
    }),
  );
});
