import { describe, expect, it } from "vitest";
import type { Policy } from "../policy.ts";
import { decide } from "./decide.ts";
import {
  exampleAccount,
  exampleMarket,
  examplePolicy,
  examplePosition,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";

const names = ["AAA", "BBB", "CCC"];
const market = exampleMarket(
  [...names, "NEW"].map((name) => exampleSymbol(name)),
  [...names, "NEW"].map((name, index) => exampleSeat(name, { rank: index + 1 })),
);
/** Three positions of 2,000 USD each, covered by their stops. */
const account = exampleAccount({ positions: names.map((name) => examplePosition(name)) });
const withPreferences = (change: Partial<typeof account.preferences>) => ({
  ...account,
  preferences: { ...account.preferences, ...change },
});
const limits = (change: Partial<Policy["portfolio_limits"]>): Policy => ({
  ...examplePolicy,
  portfolio_limits: { ...examplePolicy.portfolio_limits, ...change },
});
const verdictOnNew = (state: typeof account, policy: Policy) => {
  const plan = decide(state, market, policy);
  return {
    sides: plan.orders.map(({ side }) => side),
    failing: plan.candidates.find((row) => row.symbol === "NEW")?.failing,
  };
};

describe("limits lowered below what is held", () => {
  it("before, the new name is bought", () => {
    expect(verdictOnNew(account, examplePolicy)).toEqual({ sides: ["BUY"], failing: [] });
  });

  it.each<[string, typeof account, Policy, string]>([
    ["fewer positions than are held", withPreferences({ maxPositions: 2 }), examplePolicy, "max_positions"],
    ["less gross exposure than is held", account, limits({ gross_risk_on: 0.05 }), "gross"],
    ["less of a sector than is held", account, limits({ max_sector_fraction: 0.05 }), "sector"],
  ])("%s: nothing is bought, and nothing is sold for it (H8)", (_, state, policy, code) => {
    const { sides, failing } = verdictOnNew(state, policy);
    expect(sides).toEqual([]);
    expect(failing).toContain(code);
  });
});
