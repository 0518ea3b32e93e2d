import { normal, type Random } from "./seeded.ts";

/** The weather of the market: yearly drift and volatility, and how long it lasts in sessions. */
const REGIMES = {
  bull: { drift: 0.24, volatility: 0.115, shortest: 90, longest: 260 },
  chop: { drift: 0.06, volatility: 0.165, shortest: 40, longest: 120 },
  bear: { drift: -0.62, volatility: 0.27, shortest: 60, longest: 110 },
  recovery: { drift: 0.55, volatility: 0.19, shortest: 60, longest: 120 },
} as const;
type RegimeName = keyof typeof REGIMES;

/** No more sessions than this pass between two bear markets, so that any three years hold one. */
const BEAR_AT_LATEST = 520;

/** The index: a drift and a volatility that follow the regime with inertia, and a jump now and then. */
export interface MarketFactor {
  regime: RegimeName;
  /** Sessions until the regime changes. */
  left: number;
  sinceBear: number;
  sigma: number;
}

export function drawMarketFactor(random: Random): MarketFactor {
  const regime = random() < 0.6 ? "bull" : "chop";
  const left = 60 + Math.floor(random() * 140);
  const sinceBear = Math.floor(random() * 200);
  return { regime, left, sinceBear, sigma: REGIMES[regime].volatility / Math.sqrt(252) };
}

function changeRegime(factor: MarketFactor, draw: Random): void {
  const { regime, sinceBear } = factor;
  if (regime === "bear") factor.regime = "recovery";
  else if (sinceBear > BEAR_AT_LATEST - 200 && draw() < 0.3) factor.regime = "bear";
  else if (regime === "chop") factor.regime = draw() < 0.12 ? "bear" : "bull";
  else factor.regime = draw() < 0.55 ? "chop" : "bull";
  const { shortest, longest } = REGIMES[factor.regime];
  factor.left = shortest + Math.floor(draw() * (longest - shortest));
}

/** One session's index return; the factor moves on. */
export function nextIndexReturn(factor: MarketFactor, draw: Random): number {
  factor.left -= 1;
  factor.sinceBear = factor.regime === "bear" ? 0 : factor.sinceBear + 1;
  if (factor.sinceBear > BEAR_AT_LATEST) {
    factor.regime = "bear";
    factor.left = REGIMES.bear.longest;
    factor.sinceBear = 0;
  } else if (factor.left <= 0) {
    changeRegime(factor, draw);
  }
  const { drift, volatility } = REGIMES[factor.regime];
  const target = volatility / Math.sqrt(252);
  const jump = draw() < 0.005 ? -0.008 + 0.018 * normal(draw) : 0;
  const { sigma } = factor;
  const shock = sigma * normal(draw);
  factor.sigma = Math.max(0.004, sigma + 0.08 * (target - sigma) + 0.05 * (Math.abs(shock) - 0.8 * sigma));
  return drift / 252 + shock + jump;
}
