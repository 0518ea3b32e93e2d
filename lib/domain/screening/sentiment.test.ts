import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { examplePolicy as policy } from "@/lib/proof/example-market.ts";
import { scoreHeadline, sentimentScores } from "./sentiment.ts";

describe("sentiment", () => {
  it("shrinks few items towards neutral and halves the weight every three days", () => {
    const scores = sentimentScores(
      [
        { symbol: "A", score: 1, ageDays: 0 },
        { symbol: "B", score: 1, ageDays: 0 },
        { symbol: "B", score: -1, ageDays: 3 },
        { symbol: "C", score: 1, ageDays: 7.1 },
      ],
      policy,
    );
    expect(scores.get("A")).toBeCloseTo(50 + 50 * (1 / 4), 12);
    expect(scores.get("B")).toBeCloseTo(50 + 50 * (2 / 5) * ((1 - 0.5) / 1.5), 12);
    expect(scores.has("C")).toBe(false);
  });

  it("reads headlines by words: sign, strength, negation", () => {
    expect(scoreHeadline("Acme beats estimates and raises outlook")).toBeGreaterThan(0.3);
    expect(scoreHeadline("Acme plunges after profit warning, shares downgraded")).toBeLessThan(-0.3);
    expect(scoreHeadline("Acme does not beat estimates")).toBeLessThan(0);
    expect(scoreHeadline("Acme shares sharply lower")).toBeLessThan(scoreHeadline("Acme shares lower"));
    expect(scoreHeadline("Acme to hold annual meeting in Ohio")).toBe(0);
  });

  it("stays within −1 … 1 whatever it reads", () => {
    fc.assert(fc.property(fc.string(), (headline) => Math.abs(scoreHeadline(headline)) <= 1));
    expect(scoreHeadline("soar ".repeat(500))).toBeLessThanOrEqual(1);
  });
});
