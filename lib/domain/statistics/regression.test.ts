import fc from "fast-check";
import { expect, it } from "vitest";
import { regress } from "./regression.ts";

/** Moves of a market that have nothing to do with those of the account. */
const market = Array.from({ length: 120 }, (_, i) => 0.01 * Math.sin(i) + 0.0005);
const own = Array.from({ length: 120 }, (_, i) => 0.002 * Math.cos(1.7 * i));

it("agrees with the textbook's line, errors and t-values", () => {
  // Four points would be too few: the same four, thirty times. Line through (0,1), (1,3), (2,5), (3,8): y = 0.8 + 2.3 x.
  const x = Array.from({ length: 120 }, (_, i) => i % 4);
  const y = Array.from({ length: 120 }, (_, i) => [1, 3, 5, 8][i % 4]!);
  const found = regress(y, x)!;
  expect(found.beta).toBeCloseTo(2.3, 12);
  expect(found.alpha / 252).toBeCloseTo(0.8, 12);
  // Squared errors 0.3 · 30 over 118; Σ(x − 1.5)² = 150.
  const variance = 9 / 118;
  expect(found.betaT).toBeCloseTo(2.3 / Math.sqrt(variance / 150), 9);
  expect(found.alphaT).toBeCloseTo(0.8 / Math.sqrt(variance * (1 / 120 + 2.25 / 150)), 9);
});

it("an account that holds a part of the market has that part as beta, and what is added each day as alpha", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 2, noNaN: true }),
      fc.double({ min: -0.01, max: 0.01, noNaN: true }),
      (part, added) => {
        const returns = market.map((value, i) => part * value + added + own[i]!);
        const [found, base] = [regress(returns, market)!, regress(own, market)!];
        expect(found.beta).toBeCloseTo(part + base.beta, 9);
        expect(found.alpha).toBeCloseTo(252 * added + base.alpha, 9);
      },
    ),
  );
});

it("too few sessions, or a market that stands still, have none", () => {
  expect(regress(own.slice(0, 59), market)).toBeNull();
  expect(
    regress(
      own,
      own.map(() => 0),
    ),
  ).toBeNull();
  expect(
    regress(
      own,
      market.map((value, i) => (i < 61 ? null : value)),
    ),
  ).toBeNull();
});
