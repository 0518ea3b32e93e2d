import fc from "fast-check";
import { expect, it } from "vitest";
import { anyAccount } from "@/lib/proof/any-account.ts";
import { exampleMarket, examplePolicy, exampleSeat, exampleSymbol } from "@/lib/proof/example-market.ts";
import type { RegimeLabel } from "../enums.ts";
import { decide, decideOrders } from "./decide.ts";
import type { CandidateVerdict } from "./plan.ts";
import { openSession } from "./session-view.ts";

const SYMBOLS = ["AAA", "BBB", "CCC", "DDD"];
const base = exampleMarket(
  SYMBOLS.map((symbol, i) => exampleSymbol(symbol, { sector: i < 2 ? "Energy" : "Utilities" })),
  SYMBOLS.map((symbol, i) => exampleSeat(symbol, { rank: i + 1, composite: 90 - i })),
);

const account = anyAccount(SYMBOLS);

function firstRefusals(candidates: readonly CandidateVerdict[]): Map<string, number> {
  const refusals = new Map<string, number>();
  for (const { failing } of candidates) {
    const [first] = failing;
    if (first !== undefined) refusals.set(first, (refusals.get(first) ?? 0) + 1);
  }
  return refusals;
}

it("a decision without a ledger has the orders, reviews, cancels, counts, refusals and line of the one with it", () => {
  let refused = 0;
  let bought = 0;
  fc.assert(
    fc.property(account, fc.constantFrom<RegimeLabel>("risk_on", "neutral", "risk_off"), (state, label) => {
      const market = { ...base, regime: { ...base.regime, label } };
      const { candidates, ...plan } = decide(state, market, examplePolicy);
      const { refusals, ...decision } = decideOrders(state, openSession(market, examplePolicy));
      expect(decision).toEqual(plan);
      expect([...refusals]).toEqual([...firstRefusals(candidates)]);
      refused += refusals.size;
      bought += plan.orders.filter(({ side }) => side === "BUY").length;
    }),
    { numRuns: 200 },
  );
  expect(Math.min(refused, bought)).toBeGreaterThan(0);
});

it("accounts that share a session decide as each would in its own", () => {
  const session = openSession(base, examplePolicy);
  fc.assert(
    fc.property(account, fc.constantFrom("LOW" as const, "MEDIUM" as const, "HIGH" as const), (one, riskLevel) => {
      const state = { ...one, preferences: { ...one.preferences, riskLevel } };
      expect(decide(state, base, examplePolicy, session)).toEqual(decide(state, base, examplePolicy));
    }),
    { numRuns: 200 },
  );
});
