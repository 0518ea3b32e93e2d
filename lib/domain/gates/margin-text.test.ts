import { expect, it } from "vitest";
import { decide } from "../engine/decide.ts";
import {
  exampleAccount,
  exampleMarket,
  examplePolicy,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import type { GateResult } from "../engine/plan.ts";
import { GATE_CODES, type GateCode } from "./gates.ts";
import { marginText } from "./margin-text.ts";

const result = (code: GateCode, margin: number | null, detail = ""): GateResult => ({
  code,
  margin,
  detail,
  passed: margin !== null && margin >= 0,
  isWarning: false,
});

it.each([
  ["adv", 2_804_192, "", "$2,804,192.00"],
  ["buying_power", -0.125, "", "$0.13"],
  ["buying_power", -0.004, "", "$0.004"],
  ["drawdown", 0.00001, "", "0.001 %"],
  ["price_collar", 0.0248, "", "2.48 %"],
  ["cooldown", -1, "", "1 session"],
  ["stop_guard", -3, "", "3 sessions"],
  ["day_trades", 1, "", "1 day trade"],
  ["data_stale", 684.6, "", "684 seconds"],
  ["data_stale", -0.4, "", "1 second"],
  ["market_hours", -1, "the market is closed", null],
  ["conviction", 0.105, "", "0.105 of confidence"],
  ["conviction", -0.0001, "", "0.0001 of confidence"],
  ["conviction", -1, "", "1 factor family"],
  ["sector", -1, "2 of 2 mean-reversion positions in Energy", "1 position"],
  ["sector", 412.5, "Energy: $100.00, room for $512.50", "$412.50"],
  ["cooldown", 0, "", null],
  ["keys_missing", -1, "", null],
  ["adv", null, "", null],
] as const)("%s by %s", (code, margin, detail, text) => {
  expect(marginText(result(code, margin, detail))).toBe(text);
});

const RAW = /\b[a-z]+_[a-z]+\b|\b(NONE|ACTIVE|PAUSED|REDUCE_ONLY|NO_NEW_ENTRIES)\b|\d USD|\b1 [a-z -]+s\b/;

it("no rule shows a raw word of the program, a bare amount or a wrong plural", () => {
  const market = exampleMarket([exampleSymbol("AAA")], [exampleSeat("AAA")]);
  const poor = { ...exampleAccount(), buyingPower: "10", equity: "5" };
  for (const state of [
    exampleAccount(),
    exampleAccount({ killState: "REDUCE_ONLY", status: "PAUSED", dayTrades: 1 }),
    poor,
  ])
    for (const label of ["risk_on", "neutral", "risk_off"] as const) {
      const { candidates } = decide(state, { ...market, regime: { ...market.regime, label } }, examplePolicy);
      const [verdict] = candidates;
      expect(verdict?.gates.map(({ code }) => code)).toEqual(GATE_CODES);
      for (const gate of verdict?.gates ?? []) expect(`${gate.detail} ${marginText(gate) ?? ""}`).not.toMatch(RAW);
      expect(verdict?.nearestFlip ?? "").not.toMatch(RAW);
    }
});
