import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalCdf, normalQuantile } from "./normal-distribution.ts";

/** Worked with 60 digits: erfc(−z/√2)/2 of the double z, and its inverse by the secant method on the logarithm. */
const CDF: [number, number][] = [
  [-20, 2.7536241186062337e-89],
  [-8, 6.2209605742717841e-16],
  [-5, 2.8665157187919391e-7],
  [-3, 0.0013498980316300945],
  [-2.5, 0.0062096653257761352],
  [-2.4999, 0.0062114183749445898],
  [-1.2815515655446004, 0.10000000000000002],
  [-1, 0.15865525393145705],
  [-0.5, 0.3085375387259869],
  [-1e-9, 0.49999999960105772],
  [0, 0.5],
  [0.1, 0.53982783727702898],
  [1, 0.84134474606854295],
  [2, 0.97724986805182079],
  [2.5, 0.99379033467422386],
  [3, 0.99865010196836991],
  [5, 0.99999971334842812],
  [8, 0.99999999999999938],
];

const QUANTILES: [number, number][] = [
  [1e-300, -37.047096299361199],
  [1e-100, -21.273453560965324],
  [1e-20, -9.2623400897984076],
  [1e-10, -6.3613409024040562],
  [1e-5, -4.2648907939228246],
  [0.001, -3.0902323061678135],
  [0.02, -2.053748910631823],
  [0.025, -1.9599639845400542],
  [0.1, -1.2815515655446004],
  [0.25, -0.67448975019608174],
  [0.4999, -0.00025066283008800749],
  [0.5, 0],
  [0.75, 0.67448975019608174],
  [0.9, 1.2815515655446006],
  [0.975, 1.9599639845400539],
  [0.999, 3.0902323061678133],
];

describe("the normal distribution", () => {
  it.each(CDF)("Φ(%d) to 1e-14, and to 1e-12 of itself in the lower tail", (z, expected) => {
    expect(Math.abs(normalCdf(z) - expected)).toBeLessThanOrEqual(1e-14);
    if (z < 0) expect(Math.abs(normalCdf(z) / expected - 1)).toBeLessThanOrEqual(1e-12);
  });

  it.each(QUANTILES)("the quantile of %d to 1e-12", (p, expected) => {
    expect(Math.abs(normalQuantile(p) - expected)).toBeLessThanOrEqual(1e-12);
  });

  it("ascends, is symmetric, and each is the other's inverse", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -8, max: 8, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (z, step) => {
          expect(normalCdf(z + step)).toBeGreaterThanOrEqual(normalCdf(z) - 1e-15);
          expect(Math.abs(normalCdf(z) + normalCdf(-z) - 1)).toBeLessThanOrEqual(1e-14);
          if (z < 0) expect(Math.abs(normalQuantile(normalCdf(z)) - z)).toBeLessThanOrEqual(1e-11);
        },
      ),
    );
  });

  it("has no quantile beyond 0 and 1", () => {
    expect([normalQuantile(0), normalQuantile(1)]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
    expect([normalCdf(-40), normalCdf(40)]).toEqual([0, 1]);
  });
});
