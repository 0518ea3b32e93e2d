import { expect, it } from "vitest";
import type { Answer } from "./answer.ts";
import { bandText, capacityText, luckText, triesText, verdictText } from "./answer-text.ts";

const holding = (totalReturn: number) => ({ totalReturn, annual: totalReturn, maxDrawdown: -0.1 });

/** The recorded year that was hardly invested. */
const little: Answer = {
  sessions: 252,
  trips: 84,
  exposure: 0.047,
  strategy: holding(0.031),
  index: holding(0.249),
  matched: holding(0.011),
  universe: null,
  regression: null,
  indexSessions: 252,
  band: { estimate: 0.0198, low: -0.012, high: 0.0521, luck: 0.1449 },
  isJudged: true,
};
const without = { index: null, matched: null, band: null, isJudged: false };

it.each<[string, Partial<Answer>, string]>([
  [
    "within luck",
    {},
    "It made 3.10% where SPY made 24.90%. Invested as little as it was (4.7% on average), SPY would have made 1.10%; the difference of 2.00 percentage points is within what luck gives.",
  ],
  [
    "more than luck, mostly invested",
    { exposure: 0.8, band: { estimate: 0.02, low: 0.001, high: 0.04, luck: 0.03 } },
    "It made 3.10% where SPY made 24.90%. Invested as much as it was (80.0% on average), SPY would have made 1.10%; the difference of 2.00 percentage points is more than luck usually gives.",
  ],
  [
    "worse than luck, with losses",
    {
      strategy: holding(-0.0512),
      index: holding(-0.2),
      matched: holding(-0.01),
      band: { estimate: -0.04, low: -0.08, high: -0.001, luck: 0.97 },
    },
    "It lost 5.12% where SPY lost 20.00%. Invested as little as it was (4.7% on average), SPY would have lost 1.00%; the difference of -4.12 percentage points is worse than luck usually gives.",
  ],
  [
    "too few round trips",
    { trips: 3, isJudged: false },
    "It made 3.10% where SPY made 24.90%. Invested as little as it was (4.7% on average), SPY would have made 1.10%; the difference of 2.00 percentage points cannot be told from luck, because the run is too small.",
  ],
  [
    "what is shown adds up, and a loss that rounds to nothing is none",
    { strategy: holding(-0.00004), matched: holding(0.00006) },
    "It made 0.00% where SPY made 24.90%. Invested as little as it was (4.7% on average), SPY would have made 0.01%; the difference of -0.01 percentage points is within what luck gives.",
  ],
  [
    "never invested",
    { trips: 0, exposure: 0, strategy: holding(0), matched: holding(0), isJudged: false },
    "It made 0.00% where SPY made 24.90%. It never bought anything, so there is no skill to judge.",
  ],
  [
    "without SPY",
    without,
    "It made 3.10%. SPY has no price in some of its sessions, so it cannot be compared with holding the market.",
  ],
])("the verdict: %s", (_, change, expected) => {
  expect(verdictText({ ...little, ...change })).toBe(expected);
});

const lucky = (luck: number): Partial<Answer> => ({ band: { estimate: 0, low: 0, high: 0, luck } });

it.each<[Partial<Answer>, string]>([
  [{}, "Of 100 strategies without skill that are invested as much, about 14 would have done at least as well."],
  [
    lucky(0.0045),
    "Of 100 strategies without skill that are invested as much, fewer than 1 would have done at least as well.",
  ],
  [
    lucky(0.999),
    "Of 100 strategies without skill that are invested as much, nearly all would have done at least as well.",
  ],
  [{ trips: 1, isJudged: false }, "Nothing can be concluded about luck: it has 1 round trip of the 30 that it takes."],
  [
    { trips: 29, sessions: 59, band: null, isJudged: false },
    "Nothing can be concluded about luck: it has 29 round trips of the 30 that it takes, and 59 sessions of the 60.",
  ],
  [
    { sessions: 59, band: null, isJudged: false },
    "Nothing can be concluded about luck: it has 59 sessions of the 60 that it takes.",
  ],
  [without, "Nothing can be concluded about luck: SPY has no price in some of its sessions."],
])("luck in a sentence: %j", (change, expected) => {
  expect(luckText({ ...little, ...change })).toBe(expected);
});

it("the band says where zero lies, and why there is none", () => {
  const at = (low: number, high: number) => bandText({ ...little, band: { ...little.band!, low, high } });
  expect(at(-0.012, 0.0521)).toBe(
    "+1.98% a year against SPY at the same exposure, with a 90% band from -1.20% to +5.21%. Zero, which is no skill, lies within it.",
  );
  expect(at(0.001, 0.05)).toContain("lies below it");
  expect(at(-0.05, -0.001)).toContain("lies above it");
  // An end just beside zero is told as beside it.
  expect(at(0.00004, 0.05)).toContain("from +0.004% to +5.00%. Zero, which is no skill, lies below it");
  expect(at(-0.05, -0.00004)).toContain("from -5.00% to -0.004%. Zero, which is no skill, lies above it");
  expect(at(0, 0.05)).toContain("from 0.00% to +5.00%. Zero, which is no skill, lies within it");
  expect(bandText({ ...little, trips: 3, isJudged: false })).toContain("With 3 round trips nothing can be concluded");
  expect(bandText({ ...little, sessions: 20, band: null })).toBe("No band: it takes 60 sessions, and the run has 20.");
  expect(bandText({ ...little, ...without })).toBe("No band: SPY has no price in some of its sessions.");
});

it("one try says nothing of others, several do", () => {
  expect(triesText(1)).toBeNull();
  expect(triesText(12)).toContain("one of 12 tries");
});

it("capacity is the cash at which the largest order would have been a hundredth of the volume, rounded down", () => {
  const fill = { symbol: "AA", session: "2020-02-03", notional: "8000", adv: 43_210_000, share: 8_000 / 43_210_000 };
  // 100,000 · 1 % of 43,210,000 / 8,000 = 5,401,250.
  expect(capacityText(fill, "100000")).toBe(
    "The order that was largest for its stock was $8,000.00 of AA on 3 Feb 2020: 0.02% of the $43,000,000 that it traded on a usual day. If all orders grew with the cash, that one would reach 1% at about $5,400,000; with more cash, these results cannot be expected. A first estimate: limits per position in dollars are not raised.",
  );
  expect(capacityText({ ...fill, adv: 1e9, share: 8e-6 }, "100000")).toContain("less than 0.01%");
  expect(capacityText({ ...fill, adv: 400_000, share: 0.02 }, "100000")).toContain("That is 1% or more already");
  expect(capacityText({ ...fill, share: 0.00998 }, "100000")).toMatch(/: 0\.998% of .* would reach 1% at about/);
});
