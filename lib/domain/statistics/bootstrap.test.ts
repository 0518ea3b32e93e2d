import fc from "fast-check";
import { expect, it } from "vitest";
import { normalCdf } from "../normal-distribution.ts";
import { luckBand, resampledMeans } from "./bootstrap.ts";

/** A series that comes in spells: two waves, one of them slow. */
const spells = Array.from({ length: 120 }, (_, i) => 0.004 * Math.sin(i / 4) + 0.006 * Math.cos(2.3 * i) + 0.0004);

const mean = (values: ArrayLike<number>) =>
  Array.from(values).reduce((total, value) => total + value, 0) / values.length;

/** Politis & Romano 1994, lemma 1: what the variance of a resampled mean is without resampling, by circular autocovariances. */
function varianceByFormula(values: readonly number[], blockSessions: number): number {
  const [n, middle, stays] = [values.length, mean(values), 1 - 1 / blockSessions];
  const covariance = (lag: number) =>
    values.reduce((total, value, i) => total + (value - middle) * (values[(i + lag) % n]! - middle), 0) / n;
  let total = covariance(0);
  for (let lag = 1; lag < n; lag++) total += 2 * (1 - lag / n) * stays ** lag * covariance(lag);
  return total / n;
}

it.each([1, 5, 10])("resampled means vary as the formula says, blocks of %i", (blockSessions) => {
  const means = resampledMeans(spells, { seed: 7, blockSessions, resamples: 20_000 });
  const middle = mean(means);
  const variance = mean(means.map((value) => (value - middle) ** 2));
  expect(variance / varianceByFormula(spells, blockSessions)).toBeCloseTo(1, 1);
  expect(Math.abs(middle - mean(spells))).toBeLessThan(4 * Math.sqrt(variance / means.length));
});

it("the share of luck is near the one that a normal distribution of the same variance gives", () => {
  for (const [added, seed] of [0, 0.0003, 0.0008, -0.0005].map((value, i) => [value, i] as const)) {
    const values = spells.map((value) => value + added);
    const expected = normalCdf(-mean(values) / Math.sqrt(varianceByFormula(values, 10)));
    expect(Math.abs(luckBand(values, { seed })!.luck - expected)).toBeLessThan(0.03);
  }
});

it("fewer than 60 sessions have no band", () => {
  expect(luckBand(spells.slice(0, 59), { seed: 1 })).toBeNull();
  expect(luckBand(spells.slice(0, 60), { seed: 1 })).not.toBeNull();
});

it("a series without a difference has none, and is as lucky as not", () => {
  const nothing = Array.from({ length: 80 }, () => 0);
  expect(luckBand(nothing, { seed: 1 })).toEqual({ estimate: 0, low: 0, high: 0, luck: 0.5 });
});

const differences = fc.array(fc.double({ min: -0.03, max: 0.03, noNaN: true }), { minLength: 60, maxLength: 150 });
const seeds = fc.integer({ min: 0, max: 2 ** 31 });

it("the same seed gives the same band, and what is added each day moves it by a year of that", () => {
  fc.assert(
    fc.property(differences, seeds, fc.double({ min: -0.01, max: 0.01, noNaN: true }), (values, seed, added) => {
      const [band, moved] = [values, values.map((value) => value + added)].map((row) => luckBand(row, { seed })!);
      expect(luckBand(values, { seed })).toEqual(band);
      for (const key of ["estimate", "low", "high"] as const)
        expect(moved![key] - band![key]).toBeCloseTo(252 * added, 6);
      if (added > 0) expect(moved!.luck).toBeLessThanOrEqual(band!.luck + 1e-9);
    }),
    { numRuns: 30 },
  );
});

it("zero lies outside the band exactly where at most one in twenty is as lucky", () => {
  fc.assert(
    fc.property(differences, seeds, (values, seed) => {
      const { low, high, luck } = luckBand(values, { seed })!;
      expect(low > 0).toBe(luck <= 0.05);
      expect(high < 0).toBe(luck >= 0.95);
      expect(low).toBeLessThanOrEqual(high);
    }),
    { numRuns: 50 },
  );
});
