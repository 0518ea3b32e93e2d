import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyAccount } from "@/lib/proof/any-account.ts";
import { exampleMarket, examplePolicy, exampleSeat, exampleSymbol } from "@/lib/proof/example-market.ts";
import type { RegimeLabel, RiskName } from "../enums.ts";
import { GATE_OF } from "../gates/gates.ts";
import { canonicalJson } from "./canonical.ts";
import { decide } from "./decide.ts";
import type { MarketView } from "./plan.ts";
import { openSession } from "./session-view.ts";
import { type CommonVerdicts, type OwnVerdicts, readVerdicts, VerdictSheet } from "./verdict-sheet.ts";

const SYMBOLS = ["AAA", "BBB", "CCC", "DDD", "EEE"];
const base = exampleMarket(
  // The last has too few bars for a signal.
  SYMBOLS.map((symbol) => exampleSymbol(symbol, symbol === "EEE" ? { features: null } : {})),
  SYMBOLS.map((symbol, i) => exampleSeat(symbol, { rank: i + 1, composite: 90 - i })),
);

const market = fc
  .constantFrom<RegimeLabel>("risk_on", "neutral", "risk_off")
  .map((label): MarketView => ({ ...base, regime: { ...base.regime, label } }));
const riskLevel = fc.constantFrom<RiskName>("LOW", "MEDIUM", "HIGH");
const account = fc.tuple(anyAccount(SYMBOLS), riskLevel).map(([state, level]) => ({
  ...state,
  preferences: { ...state.preferences, riskLevel: level },
}));

const parsed = <T>(text: string) => JSON.parse(text) as T;

describe("plans that are recorded by reference to what they have in common", () => {
  it("are read back byte for byte, whichever account of the session the sheet was made from", () => {
    let orders = 0;
    fc.assert(
      fc.property(account, account, market, (first, second, view) => {
        const session = openSession(view, examplePolicy);
        const sheet = new VerdictSheet(decide(first, view, examplePolicy, session));
        const plan = decide(second, view, examplePolicy, session);
        const texts = sheet.write(plan);
        expect(texts.whole).toBe(canonicalJson(plan));
        const candidates = readVerdicts(parsed<CommonVerdicts>(sheet.text), parsed<OwnVerdicts>(texts.verdicts));
        expect(canonicalJson({ ...parsed<object>(texts.plan), candidates })).toBe(texts.whole);
        orders += plan.orders.length;
      }),
      { numRuns: 200 },
    );
    expect(orders).toBeGreaterThan(0);
  });

  it("hold nothing of their own that accounts of one risk level have in common", () => {
    fc.assert(
      fc.property(account, account, market, (first, other, view) => {
        const second = {
          ...other,
          preferences: { ...other.preferences, riskLevel: first.preferences.riskLevel },
        };
        // Each in a session of its own: another process may have written the sheet.
        const sheet = new VerdictSheet(decide(first, view, examplePolicy));
        const plan = decide(second, view, examplePolicy);
        expect(new VerdictSheet(plan).text).toBe(sheet.text);
        const own = parsed<OwnVerdicts>(sheet.write(plan).verdicts);
        expect(own.results.filter(({ code }) => ["session", "seat"].includes(GATE_OF[code].scope))).toEqual([]);
        expect(new Set(own.results.map((result) => canonicalJson(result))).size).toBe(own.results.length);
        expect(own.candidates.filter((candidate) => typeof candidate === "number")).toHaveLength(
          plan.candidates.filter(({ hasSignal }) => !hasSignal).length,
        );
      }),
      { numRuns: 100 },
    );
  });

  it("are refused with a sheet that they do not belong to", () => {
    const plan = decide(fc.sample(account, { numRuns: 1, seed: 1 })[0]!, base, examplePolicy);
    const own = parsed<OwnVerdicts>(new VerdictSheet(plan).write(plan).verdicts);
    expect(() => readVerdicts({ silent: [], results: [] }, own)).toThrow(RangeError);
  });
});
