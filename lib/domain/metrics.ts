import type { SideName, TripOutcome } from "./enums.ts";
import { type Money, money, sum, ZERO } from "./money.ts";
import { dayTradesOf } from "./day-trades.ts";
import { normalCdf, normalQuantile } from "./normal-distribution.ts";
import { type Instant, newYork, type SessionDate } from "./time.ts";

/** |P&L| ≤ 0.005 USD is neither win nor loss. */
export function tripOutcome(pnl: Money): TripOutcome {
  if (pnl.abs().lte("0.005")) return "SCRATCH";
  return pnl.gt(0) ? "WIN" : "LOSS";
}

/** wins/(wins + losses) as a fraction; null without either. */
export function winRate(outcomes: Iterable<TripOutcome>): number | null {
  let wins = 0;
  let losses = 0;
  for (const outcome of outcomes) {
    if (outcome === "WIN") wins++;
    if (outcome === "LOSS") losses++;
  }
  return wins + losses === 0 ? null : wins / (wins + losses);
}

/** Sum of gains over sum of losses; no value without losses. */
export function profitFactor(pnls: readonly Money[]): number | null {
  const gains = sum(pnls.filter((pnl) => pnl.gt(0)));
  const losses = sum(pnls.filter((pnl) => pnl.lt(0))).abs();
  return losses.isZero() ? null : gains.div(losses).toNumber();
}

/** Change of equity less external flows, USD. */
export function periodPnl(equityBefore: Money, equityAfter: Money, flows: Money): Money {
  return equityAfter.minus(equityBefore).minus(flows);
}

/** Realised P&L by New York date of the exit. */
export function pnlBySession(closures: readonly { at: Instant; realizedPnl: Money }[]): Map<SessionDate, Money> {
  const buckets = new Map<SessionDate, Money>();
  for (const { at, realizedPnl } of closures) {
    const { date } = newYork(at);
    buckets.set(date, (buckets.get(date) ?? ZERO).plus(realizedPnl));
  }
  return buckets;
}

/**
 * Time-weighted return over sub-periods, each from an equity just after a flow to the equity just before the next; null
 * when one begins with nothing.
 */
export function timeWeightedReturn(periods: readonly { start: Money; end: Money }[]): number | null {
  let growth = money(1);
  for (const { start, end } of periods) {
    if (start.lte(0)) return null;
    growth = growth.times(end.div(start));
  }
  return growth.minus(1).toNumber();
}

/**
 * Day trades in the last `window` sessions: each change from buying to selling one symbol within one session counts once.
 * `sessions` ascends and ends with the present one.
 */
export function dayTradeCount(
  fills: readonly { symbol: string; side: SideName; at: Instant }[],
  sessions: readonly SessionDate[],
  window = 5,
): number {
  const recent = new Set(sessions.slice(-window));
  const inOrder = [...fills].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const dated = inOrder.map(({ symbol, side, at }) => ({ session: newYork(at).date, symbol, side }));
  return dayTradesOf(dated.filter(({ session }) => recent.has(session)));
}

/** Taken from the first value, so that equal values have exactly that mean and no deviation. */
function meanOf(values: readonly number[]): number {
  const first = values[0] ?? Number.NaN;
  let total = 0;
  for (const value of values) total += value - first;
  return first + total / values.length;
}

/** Standard deviation with ddof 1. */
function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return Math.sqrt(squares / (values.length - 1));
}

export const BOOK_RETURNS = 60;

/** Annualised deviation (ddof 1, ·√252) of the last 60 daily returns of an account's book; null when it is younger. */
export function bookVolatility(returns: readonly number[]): number | null {
  return returns.length < BOOK_RETURNS ? null : deviationOf(returns.slice(-BOOK_RETURNS)) * Math.sqrt(252);
}

export const VOLATILITY_RETURNS_MIN = 20;

/** Annualised deviation (ddof 1, ·√252) of daily returns; null with fewer than 20. */
export function volatility(returns: readonly number[]): number | null {
  return returns.length < VOLATILITY_RETURNS_MIN ? null : deviationOf(returns) * Math.sqrt(252);
}

export const SHARPE_RETURNS_MIN = 60;

/** mean(r − rf)/SD(ddof 1)·√252 of daily returns; null with fewer than 60 or no spread. `riskFree` is per day. */
export function sharpe(returns: readonly number[], riskFree = 0): number | null {
  if (returns.length < SHARPE_RETURNS_MIN) return null;
  const deviation = deviationOf(returns);
  return deviation === 0 ? null : ((meanOf(returns) - riskFree) / deviation) * Math.sqrt(252);
}

/** Sortino: downside deviation over all n returns; null with fewer than 60 or no downside. */
export function sortino(returns: readonly number[], riskFree = 0): number | null {
  if (returns.length < SHARPE_RETURNS_MIN) return null;
  let squares = 0;
  for (const value of returns) squares += Math.min(value - riskFree, 0) ** 2;
  const downside = Math.sqrt(squares / returns.length);
  return downside === 0 ? null : ((meanOf(returns) - riskFree) / downside) * Math.sqrt(252);
}

/** Deepest fall from a peak of an equity curve, a fraction ≤ 0; the first point counts as a peak. Null without points. */
export function maxDrawdown(equity: readonly number[]): number | null {
  let peak = equity[0];
  if (peak === undefined) return null;
  let deepest = 0;
  for (const value of equity) {
    if (value > peak) peak = value;
    if (peak > 0) deepest = Math.min(deepest, value / peak - 1);
  }
  return deepest;
}

/** Growth 1 → … of daily returns, the starting point included. */
export function equityCurve(returns: readonly number[]): number[] {
  const curve = [1];
  for (const value of returns) curve.push(curve.at(-1)! * (1 + value));
  return curve;
}

/** Compound annual growth over 252 sessions a year; null with fewer than 252 returns or a lost account. */
export function cagr(returns: readonly number[]): number | null {
  if (returns.length < 252) return null;
  const end = equityCurve(returns).at(-1)!;
  return end <= 0 ? null : end ** (252 / returns.length) - 1;
}

export function calmar(returns: readonly number[]): number | null {
  const growth = cagr(returns);
  const depth = maxDrawdown(equityCurve(returns));
  return growth === null || depth === null || depth === 0 ? null : growth / -depth;
}

function standardMoment(values: readonly number[], power: number): number {
  const mean = meanOf(values);
  const deviation = Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
  return meanOf(values.map((value) => ((value - mean) / deviation) ** power));
}

/** Population skewness and (not excess) kurtosis. */
export function skewness(values: readonly number[]): number {
  return standardMoment(values, 3);
}

export function kurtosis(values: readonly number[]): number {
  return standardMoment(values, 4);
}

/** Variance factor of a daily Sharpe ratio under skew and fat tails. */
function sharpeVariance(returns: readonly number[], daily: number): number {
  return 1 - skewness(returns) * daily + ((kurtosis(returns) - 1) / 4) * daily * daily;
}

/**
 * Probability that the true Sharpe ratio exceeds `benchmarkAnnual` (Bailey & López de Prado 2012); null with fewer than 60
 * returns or no spread.
 */
export function probabilisticSharpe(returns: readonly number[], benchmarkAnnual = 0): number | null {
  if (returns.length < SHARPE_RETURNS_MIN) return null;
  const deviation = deviationOf(returns);
  if (deviation === 0) return null;
  const daily = meanOf(returns) / deviation;
  const excess = daily - benchmarkAnnual / Math.sqrt(252);
  return normalCdf((excess * Math.sqrt(returns.length - 1)) / Math.sqrt(sharpeVariance(returns, daily)));
}

const EULER_MASCHERONI = 0.5772156649015329;

/**
 * Deflated Sharpe ratio (Bailey & López de Prado 2014): the probability that the true Sharpe ratio exceeds what the best of
 * `trials` worthless ones would show by luck. `varianceOfTrialSharpes` is that of the annual Sharpe ratios of all trials.
 * With one trial it is the plain probabilistic Sharpe ratio; null as that one is.
 */
export function deflatedSharpe(
  returns: readonly number[],
  trials: number,
  varianceOfTrialSharpes: number,
): number | null {
  if (trials <= 1) return probabilisticSharpe(returns);
  const luck =
    (1 - EULER_MASCHERONI) * normalQuantile(1 - 1 / trials) +
    EULER_MASCHERONI * normalQuantile(1 - 1 / (trials * Math.E));
  return probabilisticSharpe(returns, Math.sqrt(varianceOfTrialSharpes) * luck);
}

/** Fewest returns after which the Sharpe ratio is above zero with confidence `z` (1.6449 = 95 %); null when it is not positive. */
export function minTrackRecord(returns: readonly number[], z = 1.6449): number | null {
  if (returns.length < SHARPE_RETURNS_MIN) return null;
  const deviation = deviationOf(returns);
  const daily = meanOf(returns) / deviation;
  return deviation === 0 || daily <= 0 ? null : 1 + sharpeVariance(returns, daily) * (z / daily) ** 2;
}

/** Slippage against the decision price, bps; positive is worse for us. */
export function slippageBps(side: SideName, decisionPrice: Money, fillPrice: Money): number {
  const change = fillPrice.div(decisionPrice).minus(1).times(1e4).toNumber();
  return side === "BUY" ? change : -change;
}

/** One-way turnover between two books of weights, ½·Σ|Δw|. */
export function turnover(before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>): number {
  let total = 0;
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
    total += Math.abs((after[name] ?? 0) - (before[name] ?? 0));
  return total / 2;
}
