import { expect, it } from "vitest";
import {
  exampleAccount,
  exampleMarket,
  examplePolicy,
  examplePosition,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import { planRotation } from "../rotation.ts";
import { kpiSnapshot } from "../rotation/kpis.ts";
import { type RotationStory, rotationSentences } from "./rotation-sentences.ts";

const portfolio = { totalValue: "100000", cashBufferPct: 12.34, grossExposurePct: 87.66, positionCount: 9 };
const STORY: RotationStory = {
  planId: "p-1",
  sessionDate: "2020-02-18",
  accounts: 2,
  isAdvisoryOnly: false,
  actions: [
    { type: "SELL", symbol: "KO", changeShares: "-40", reason: "Rank 61, out of the Top-50" },
    { type: "BUY", symbol: "HD", changeShares: "29", reason: "Seat 3" },
  ],
  metrics: {
    turnover: { turnoverPct: 6.04 },
    costs: { estimatedCostsBps: 4.25 },
    guardrails: { allChecksPassed: true, violations: [], details: [] },
    currentPortfolio: portfolio,
    projectedPortfolio: { ...portfolio, cashBufferPct: 11, positionCount: 10 },
  },
  tradedUsd: "8117.6",
};
const told = (change: Partial<RotationStory> = {}) =>
  rotationSentences({ ...STORY, ...change }).map(({ parts }) => parts.map(({ text }) => text).join(""));

it("says what goes, what comes and why, and what it costs; that the guardrails hold its page says", () => {
  expect(told()).toEqual([
    "The plan of 18 Feb 2020 covers 2 accounts.",
    "It sells 1 stock: KO.",
    "It buys 1 stock: HD.",
    "Sells 40 KO: rank 61, out of the Top-50.",
    "Buys 29 HD: seat 3.",
    "It turns over 6.0% of the equity, $8,117.60, at an estimated cost of 4.3 bps.",
    "Its accounts hold 9 positions before and 10 after; cash goes from 12.3% to 11.0%.",
  ]);
});

it("says that a preview is none, that nothing moves, and which guardrails are violated", () => {
  const violation = { guardrail: "sector" as const, accountId: "a", message: "Technology 41 %" };
  const guardrails = { allChecksPassed: false, violations: ["one"], details: [violation] };
  const words = told({ isAdvisoryOnly: true, actions: [], metrics: { ...STORY.metrics, guardrails } });
  expect(words[0]).toBe("The plan of 18 Feb 2020 covers 2 accounts, as a preview that is not executed.");
  expect(words.slice(1, 3)).toEqual(["Nothing is sold.", "Nothing is bought."]);
  expect(words.at(-1)).toBe("1 guardrail is violated, on sectors.");
});

it("says where the cost of the plan is not known", () => {
  const words = told({ metrics: { ...STORY.metrics, costs: { estimatedCostsBps: null } } });
  expect(words).toContain("It turns over 6.0% of the equity, $8,117.60, at a cost that is not known.");
});

it("counts guardrails that are violated, in however many accounts, and does not say that they stop the plan", () => {
  const details = (["turnover", "turnover", "sector"] as const).map((guardrail, place) => ({
    guardrail,
    accountId: `a${place}`,
    message: "beyond its limit",
  }));
  const guardrails = { allChecksPassed: false, violations: details.map(({ message }) => message), details };
  const last = told({ metrics: { ...STORY.metrics, guardrails } }).at(-1);
  expect(last).toBe("2 guardrails are violated, on turnover and sectors.");
});

it("cites the plan in every sentence", () => {
  const sentences = rotationSentences(STORY);
  expect(sentences.length).toBeGreaterThan(0);
  for (const { cites } of sentences) expect(cites.map(({ href }) => href)).toEqual(["/admin?tab=rotation&plan=p-1"]);
});

it("a swap names both stocks by their tickers, of one letter too", () => {
  const swap = (to: string, from: string) => {
    const reason = `${to} (confidence 0.80) for ${from} (0.60)`;
    const actions = [{ type: "SELL" as const, symbol: from, changeShares: "-10", reason }];
    return told({ actions }).find((text) => text.startsWith("Sells"));
  };
  expect(swap("HD", "MCD")).toBe("Sells 10 MCD: HD (confidence 0.80) for MCD (0.60).");
  expect(swap("T", "F")).toBe("Sells 10 F: T (confidence 0.80) for F (0.60).");
});

it("a sale that an exit rule asks for says why in words, never by a code", () => {
  const market = exampleMarket([exampleSymbol("OLD", { momentumPercentile: 10 })], []);
  const review = { ...examplePosition("OLD").review, weakReviews: 1 };
  const proposal = planRotation({
    market,
    accounts: [exampleAccount({ positions: [examplePosition("OLD", { qty: "3", review })] })],
    policy: examplePolicy,
    config: { cadenceDays: 14, turnoverCapPctPerPeriod: 30, costAwareThresholdBps: 10, advisoryOnly: false },
    lastRotation: null,
    kpis: kpiSnapshot([], []),
  });
  expect(told({ actions: proposal.actions })).toContain("Sells 3 OLD: momentum faded.");
});
