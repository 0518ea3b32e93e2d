import { expect, it } from "vitest";
import fc from "fast-check";
import { exampleFeatures, exampleMarket, examplePolicy as policy, exampleSymbol } from "@/lib/proof/example-market.ts";
import type { CandidateVerdict, RegimeView } from "../engine/plan.ts";
import { STRATEGY_NAMES, type StrategyName } from "../enums.ts";
import { regime as regimeGate } from "../gates/regime.ts";
import type { PreferencesView } from "../preferences.ts";
import type { FeatureRow } from "../screening/features.ts";
import { GATE_CODES, type GateCode } from "../gates/gates.ts";
import {
  noAccountSentence,
  type Standing,
  standingSentence,
  symbolScore,
  type SymbolVerdict,
} from "./symbol-sentences.ts";

const gate = (code: GateCode, detail: string) => ({ code, passed: false, isWarning: false, margin: -1, detail });

const candidate = (change: Partial<CandidateVerdict> = {}): CandidateVerdict => ({
  symbol: "HD",
  hasSignal: true,
  noSignal: null,
  confidence: 0.66,
  gates: [],
  failing: [],
  nearestFlip: null,
  size: null,
  leg: null,
  ...change,
});

const refused = (code: GateCode, detail = "", others: GateCode[] = []) =>
  candidate({ gates: [gate(code, detail)], failing: [code, ...others] });

const verdict = (change: Partial<SymbolVerdict> = {}): SymbolVerdict => ({
  id: "d-1",
  at: "2020-02-03T15:05:00.000Z",
  candidate: candidate(),
  score: { value: 66, needed: 70 },
  regime: { label: "risk_off" },
  earnings: exampleSymbol("HD").earnings,
  sector: "Technology",
  isOrdered: false,
  ...change,
});

const told = (change: Partial<Standing>) =>
  standingSentence({
    symbol: "HD",
    account: null,
    held: null,
    verdict: verdict(),
    selection: { session: "2020-02-03", rank: 4, composite: 71 },
    ...change,
  });
const words = (change: Partial<Standing>) =>
  told(change)
    .parts.map(({ text }) => text)
    .join("");
const by = (change: Partial<SymbolVerdict>) => words({ verdict: verdict(change) });

const HELD = {
  since: "2020-02-03",
  stop: "211.4",
  target: "230.1",
  isOurs: true,
  page: { label: "Position", href: "/positions/a/HD" },
};
const report = { isKnown: true, next: "2020-02-06", last: "2019-11-05" };

it.each([
  [
    words({ held: HELD }),
    "Already yours since 3 Feb 2020: it is sold at its stop of $211.40, at its target of $230.10 or when its strategy says so.",
  ],
  [
    words({ held: { ...HELD, stop: null, target: null } }),
    "Already yours since 3 Feb 2020: it is sold when its strategy says so; no stop rests at the broker now.",
  ],
  [words({ held: { ...HELD, isOurs: false } }), "Yours, but not bought by Tradewind, which leaves it alone."],
  [words({ verdict: null, account: "Mine" }), "Mine: Not bought: nothing has been decided for this account yet."],
  [by({ isOrdered: true }), "The latest decision ordered HD."],
  [
    words({
      verdict: verdict({ candidate: null }),
      selection: { session: "2020-02-03", rank: null, composite: 54.24 },
    }),
    "Not bought: it is not in the Top-50 of 3 Feb 2020, where its score is 54.2.",
  ],
  [
    by({ candidate: candidate({ hasSignal: false, noSignal: "momentum percentile 74.1 is below 80" }) }),
    "Not bought: it gives no reason to buy now: momentum percentile 74.1 is below 80.",
  ],
  [
    by({ candidate: candidate({ hasSignal: false, noSignal: "RSI2 12.3 is not below 10.0" }) }),
    "Not bought: it gives no reason to buy now: RSI2 12.3 is not below 10.0.",
  ],
  [by({ candidate: refused("regime") }), "Not bought: the market is falling or nervous, and Tradewind holds back."],
  [by({ candidate: refused("conviction") }), "Not bought: its score is 66 of the 70 it takes."],
  [
    by({ candidate: refused("max_positions", "10 of 10 positions", ["sector"]) }),
    "Not bought: all places are taken (10 of 10 positions); 1 more rule stands in the way.",
  ],
  [
    by({ candidate: refused("earnings_blackout", "reports in 3 sessions (2020-02-06)"), earnings: report }),
    "Not bought: it reports earnings on 6 Feb 2020: bought only after.",
  ],
  [
    by({ candidate: refused("earnings_blackout", "reported 1 session ago (2019-11-05)"), earnings: report }),
    "Not bought: it reported earnings on 5 Nov 2019, and rests after that.",
  ],
  [
    by({ candidate: refused("cooldown", "sold by its owner in this session, waits for the next one") }),
    "Not bought: it rests after a sale or a refused order (sold by its owner in this session, waits for the next one).",
  ],
  [
    by({ candidate: refused("market_hours", "the market is closed") }),
    "Not bought: it waits for the market's trading hours (the market is closed).",
  ],
])("a symbol's standing reads: %s", (text, expected) => {
  expect(text).toBe(expected);
});

/** What the regime gate says of a strategy, in the engine's own words. */
const byRegime = (
  strategy: StrategyName,
  regime: RegimeView,
  features: FeatureRow,
  riskLevel: PreferencesView["riskLevel"],
) => {
  const state = { preferences: { riskLevel } };
  const market = { ...exampleMarket([], []), regime };
  const view = exampleSymbol("HD", { features });
  const asked = { state, market, strategy, view, symbol: "HD", seat: null, confidence: null, order: null, policy };
  const { passed, detail } = regimeGate.check(asked);
  return passed ? null : by({ regime, candidate: refused("regime", detail) });
};

const MARKET: RegimeView = exampleMarket([], []).regime;
const BELOW: Partial<RegimeView> = { spyClose: 240, spyMa200: 250 };
const SHORT = exampleFeatures({ high55Prior: 120 });

it.each<[StrategyName, Partial<RegimeView>, PreferencesView["riskLevel"], string]>([
  [
    "MEAN_REVERSION",
    { ...BELOW, label: "neutral" },
    "MEDIUM",
    "Not bought: SPY has to close above its 200-day average first (SPY at $240.00, its 200-day average at $250.00).",
  ],
  [
    "MEAN_REVERSION",
    { ...BELOW, label: "risk_off" },
    "MEDIUM",
    "Not bought: SPY has to close above its 200-day average first (SPY at $240.00, its 200-day average at $250.00).",
  ],
  [
    "MEAN_REVERSION",
    { spyMa200: null, label: "risk_on" },
    "MEDIUM",
    "Not bought: SPY or its 200-day average is not known.",
  ],
  ["MEAN_REVERSION", { label: "neutral" }, "LOW", "Not bought: the market is mixed, and Tradewind holds back."],
  [
    "BREAKOUT",
    { label: "neutral" },
    "MEDIUM",
    "Not bought: the market is mixed, and in such a market it takes a 55-session high.",
  ],
  ["BREAKOUT", { label: "neutral" }, "LOW", "Not bought: the market is mixed, and Tradewind holds back."],
  [
    "BREAKOUT",
    { label: "risk_off" },
    "HIGH",
    "Not bought: the market is falling or nervous, and Tradewind holds back.",
  ],
  [
    "MOMENTUM",
    { label: "risk_off" },
    "HIGH",
    "Not bought: the market is falling or nervous, and Tradewind holds back.",
  ],
])("%s refused by the state of the market %j at %s risk says what it waits for", (strategy, change, risk, sentence) => {
  expect(byRegime(strategy, { ...MARKET, ...change }, SHORT, risk)).toBe(sentence);
});

it("no strategy that buys in such a market is said to hold back in it", () => {
  let checked = 0;
  for (const strategy of STRATEGY_NAMES)
    for (const label of ["risk_on", "neutral", "risk_off"] as const)
      for (const spyClose of [240, 260]) {
        const regime = { ...MARKET, label, spyClose, spyMa200: 250 };
        // Its own market, with the longest breakout: what is refused there is refused for every stock.
        const buys = byRegime(strategy, { ...regime, spyClose: 260 }, exampleFeatures(), "MEDIUM") === null;
        for (const features of [exampleFeatures(), SHORT]) {
          const told = byRegime(strategy, regime, features, "MEDIUM");
          if (!buys || told === null) continue;
          checked += 1;
          expect([strategy, label, told]).not.toContainEqual(expect.stringMatching("holds back"));
        }
      }
  expect(checked).toBeGreaterThan(0);
});

it("every rule that may refuse has words of its own, and each sentence cites a page", () => {
  for (const code of GATE_CODES) {
    const sentence = told({ verdict: verdict({ candidate: refused(code, "5 of 5") }) });
    expect(sentence.parts.map(({ text }) => text).join("")).toMatch(/^Not bought: .+\.$/);
    expect(sentence.cites[0].href).toBe("/decisions/d-1");
  }
  expect(noAccountSentence("HD").cites[0].href).toBe("/alpaca-keys");
});

it("a score below the line never reads as if it stood on it, and one on the line never as if it stood below", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 400, max: 950 }),
      (confidence, tenths) => {
        const { value, needed } = symbolScore(confidence, tenths / 1000);
        expect(value < needed).toBe(confidence < tenths / 1000 - 1e-12);
      },
    ),
  );
});
