import { SHARPE_RETURNS_MIN } from "../metrics.ts";

/** What of an account's returns a market explains, and what it does not. */
export interface Regression {
  /** Return a year (252 sessions) that the market does not explain, fraction. */
  alpha: number;
  /** Return of the account for each of the market. */
  beta: number;
  /** Both over their standard errors; null where the market explains everything. */
  alphaT: number | null;
  betaT: number | null;
}

/**
 * Ordinary least squares of daily returns on a market's of the same sessions (Jensen 1968; no risk-free rate). Null below
 * 60 sessions with both, or where the market did not move.
 */
export function regress(returns: readonly number[], market: readonly (number | null)[]): Regression | null {
  const pairs = returns.flatMap((own, i) => {
    const other = market[i] ?? null;
    return other === null ? [] : [[own, other] as const];
  });
  const n = pairs.length;
  if (n < SHARPE_RETURNS_MIN) return null;
  const meanOwn = pairs.reduce((total, [own]) => total + own, 0) / n;
  const meanMarket = pairs.reduce((total, [, other]) => total + other, 0) / n;
  let [spread, together] = [0, 0];
  for (const [own, other] of pairs) {
    spread += (other - meanMarket) ** 2;
    together += (other - meanMarket) * (own - meanOwn);
  }
  if (spread === 0) return null;
  const beta = together / spread;
  const alpha = meanOwn - beta * meanMarket;
  const unexplained = pairs.reduce((total, [own, other]) => total + (own - alpha - beta * other) ** 2, 0) / (n - 2);
  const over = (value: number, share: number) => (unexplained > 0 ? value / Math.sqrt(unexplained * share) : null);
  return {
    alpha: alpha * 252,
    beta,
    alphaT: over(alpha, 1 / n + meanMarket ** 2 / spread),
    betaT: over(beta, 1 / spread),
  };
}
