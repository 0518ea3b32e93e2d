import { expect, it } from "vitest";
import fc from "fast-check";
import { exampleSymbol } from "@/lib/proof/example-market.ts";
import type { CandidateVerdict } from "../engine/plan.ts";
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
    by({ candidate: refused("market_hours", "the market is closed") }),
    "Not bought: it waits for the market's trading hours (the market is closed).",
  ],
])("a symbol's standing reads: %s", (text, expected) => {
  expect(text).toBe(expected);
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
