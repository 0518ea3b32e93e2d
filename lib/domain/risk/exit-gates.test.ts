import { describe, expect, it } from "vitest";
import { decide, regate } from "../engine/decide.ts";
import {
  exampleAccount,
  exampleMarket,
  examplePolicy,
  examplePosition,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import type { AccountState } from "../engine/plan.ts";
import { exitGates } from "./exit-gates.ts";
import { failingCodes } from "../gates/gates.ts";

const market = exampleMarket([exampleSymbol("AAA"), exampleSymbol("BBB")], [exampleSeat("AAA")]);
const PURPOSES = ["EXIT", "TRIM", "PROTECT", "FLATTEN", "MANUAL"] as const;

describe.each(PURPOSES)("a sale to %s", (purpose) => {
  it.each([
    ["ACTIVE", []],
    ["PAUSED", []],
    ["INACTIVE", ["account_status"]],
  ] as const)("leaves an account that is %s unless these refuse: %j", (status, failing) => {
    expect(failingCodes(exitGates(purpose, exampleAccount({ status }), market))).toEqual(failing);
  });
});

it("a paused account sells what it holds and buys nothing", () => {
  const held: Partial<AccountState> = { positions: [examplePosition("BBB")], killState: "FLATTEN" };
  const plan = decide(exampleAccount({ ...held, status: "PAUSED" }), market, examplePolicy);
  expect(plan.orders.map(({ symbol, side }) => `${side} ${symbol}`)).toEqual(["SELL BBB"]);
  const [sale] = plan.orders;
  expect(failingCodes(regate(sale!, exampleAccount({ ...held, status: "PAUSED" }), market, examplePolicy))).toEqual([]);

  const entry = (status: "ACTIVE" | "PAUSED") =>
    decide(exampleAccount({ status }), market, examplePolicy).candidates[0];
  expect(entry("ACTIVE")?.failing).toEqual([]);
  expect(entry("PAUSED")?.failing).toEqual(["account_status"]);
});

it.each([
  ["EXIT", ["live_not_allowed"]],
  ["FLATTEN", []],
  ["MANUAL", []],
] as const)("a sale to %s of a live account whose owner wants paper alone is refused by: %j", (purpose, failing) => {
  const { preferences } = exampleAccount();
  const live = exampleAccount({ environment: "LIVE", preferences: { ...preferences, paperTradingOnly: true } });
  expect(failingCodes(exitGates(purpose, live, market))).toEqual(failing);
});

it("a sale by hand waits for the open market, as every sale at market does", () => {
  const closed = { ...market, session: { ...market.session, isOpen: false } };
  expect(failingCodes(exitGates("MANUAL", exampleAccount(), closed))).toEqual(["market_hours"]);
});
