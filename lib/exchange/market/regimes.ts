import { normal, type Random } from "./seeded.ts";

/** The weather of the market: yearly drift and volatility, and how long it lasts in sessions. */
const REGIMES = {
  bull: { drift: 0.24, volatility: 0.115, shortest: 90, longest: 260 },
  chop: { drift: 0.06, volatility: 0.165, shortest: 40, longest: 120 },
  bear: { drift: -0.62, volatility: 0.27, shortest: 60, longest: 110 },
  recovery: { drift: 0.55, volatility: 0.19, shortest: 60, longest: 120 },
} as const;
export type RegimeName = keyof typeof REGIMES;

/** No more sessions than this pass between two bear markets, so that any three years hold one. */
const BEAR_AT_LATEST = 520;

export interface MarketFactor {
  /** One session's index return. */
  next(random: Random): number;
  regime(): RegimeName;
}

/** The index: a drift and a volatility that follow the regime with inertia, and a jump now and then. */
export function createMarketFactor(random: Random): MarketFactor {
  let name: RegimeName = random() < 0.6 ? "bull" : "chop";
  let left = 60 + Math.floor(random() * 140);
  let sinceBear = Math.floor(random() * 200);
  let sigma = REGIMES[name].volatility / Math.sqrt(252);

  function change(draw: Random): void {
    if (name === "bear") name = "recovery";
    else if (sinceBear > BEAR_AT_LATEST - 200 && draw() < 0.3) name = "bear";
    else if (name === "chop") name = draw() < 0.12 ? "bear" : "bull";
    else name = draw() < 0.55 ? "chop" : "bull";
    const { shortest, longest } = REGIMES[name];
    left = shortest + Math.floor(draw() * (longest - shortest));
  }

  return {
    regime: () => name,
    next(draw) {
      left -= 1;
      sinceBear = name === "bear" ? 0 : sinceBear + 1;
      if (sinceBear > BEAR_AT_LATEST) {
        name = "bear";
        left = REGIMES.bear.longest;
        sinceBear = 0;
      } else if (left <= 0) {
        change(draw);
      }
      const { drift, volatility } = REGIMES[name];
      const target = volatility / Math.sqrt(252);
      const jump = draw() < 0.005 ? -0.008 + 0.018 * normal(draw) : 0;
      const shock = sigma * normal(draw);
      sigma = Math.max(0.004, sigma + 0.08 * (target - sigma) + 0.05 * (Math.abs(shock) - 0.8 * sigma));
      return drift / 252 + shock + jump;
    },
  };
}
