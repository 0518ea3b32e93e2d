const DENSITY_AT_ZERO = 1 / Math.sqrt(2 * Math.PI);
/** From here on the tail is taken by its continued fraction, which keeps relative accuracy where the series cancels. */
const TAIL_FROM = 2.5;
/** More than enough for full double precision from TAIL_FROM on. */
const FRACTION_TERMS = 200;

function density(z: number): number {
  return DENSITY_AT_ZERO * Math.exp((-z * z) / 2);
}

/** 1 − Φ(z) for z ≥ TAIL_FROM: φ(z)/(z + 1/(z + 2/(z + 3/…))) (Laplace; Abramowitz & Stegun 26.2.14), from the far end. */
function upperTail(z: number): number {
  let rest = z;
  for (let k = FRACTION_TERMS; k >= 1; k--) rest = z + k / rest;
  return density(z) / rest;
}

/**
 * Standard normal distribution function, to 1e-14: Φ(z) = ½ + φ(z)·(z + z³/3 + z⁵/(3·5) + …), all terms of one sign
 * (Marsaglia 2004, Evaluating the Normal Distribution, Journal of Statistical Software 11(4)), and the continued fraction in the
 * tails, where the relative error is below 1e-12 too.
 */
export function normalCdf(z: number): number {
  if (Number.isNaN(z)) return z;
  if (Math.abs(z) >= TAIL_FROM) return z > 0 ? 1 - upperTail(z) : upperTail(-z);
  let term = z;
  let total = z;
  for (let odd = 3; total + term !== total; odd += 2) {
    term *= (z * z) / odd;
    total += term;
  }
  return 0.5 + density(z) * total;
}

const CENTRE = {
  top: [
    -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239,
  ],
  bottom: [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1],
};
const TAIL = {
  top: [
    -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783,
  ],
  bottom: [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1],
};
const TAIL_BELOW = 0.02425;

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((value, coefficient) => value * x + coefficient, 0);
}

/** The inverse for 0 < p ≤ ½ to 1.2e-9 (Acklam 2003). */
function roughQuantile(p: number): number {
  if (p < TAIL_BELOW) {
    const q = Math.sqrt(-2 * Math.log(p));
    return polynomial(TAIL.top, q) / polynomial(TAIL.bottom, q);
  }
  const q = p - 0.5;
  return (q * polynomial(CENTRE.top, q * q)) / polynomial(CENTRE.bottom, q * q);
}

/** Below this the density is no longer a full double. */
const REFINED_FROM = 1e-300;

/**
 * Inverse of the standard normal distribution, to 1e-12 for p from 1e-300 on; ∓∞ at 0 and 1. Acklam's approximation with one
 * step of Halley's method on `normalCdf`, which triples its correct digits (Acklam 2003).
 */
export function normalQuantile(p: number): number {
  if (p <= 0) return Number.NEGATIVE_INFINITY;
  if (p >= 1) return Number.POSITIVE_INFINITY;
  if (p > 0.5) return -normalQuantile(1 - p);
  const rough = roughQuantile(p);
  if (p < REFINED_FROM) return rough;
  const step = (normalCdf(rough) - p) / density(rough);
  return rough - step / (1 + (rough * step) / 2);
}
