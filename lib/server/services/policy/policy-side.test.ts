import { expect, it } from "vitest";
import { decide } from "@/lib/domain/engine/decide.ts";
import {
  exampleAccount,
  exampleMarket,
  examplePolicy,
  examplePosition,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import { addQa, emptySide, sideReport } from "./policy-side.ts";

it("a decision that fails two QA rules is one decision, and one that passes all is none", () => {
  const market = exampleMarket([exampleSymbol("AAA"), exampleSymbol("BBB")], [exampleSeat("AAA")]);
  // 12% of equity in one name, and a purchase below the conviction line.
  const state = exampleAccount({ positions: [examplePosition("BBB", { qty: "120", protectedQty: "120" })] });
  const plan = decide(state, market, examplePolicy);
  expect(plan.orders).toMatchObject([{ purpose: "ENTRY", symbol: "AAA" }]);
  const weak = { ...plan, orders: plan.orders.map((order) => ({ ...order, confidence: 0.1 })) };
  const side = emptySide();
  addQa(side, { state, market, policy: examplePolicy, plan: weak });
  addQa(side, { state: exampleAccount(), market, policy: examplePolicy, plan: { ...plan, orders: [] } });
  const { qaFailures, qaDecisions } = sideReport(side, []);
  expect(qaFailures).toEqual({ allocation: 1, conviction_gates: 1 });
  expect(qaDecisions).toBe(1);
});
