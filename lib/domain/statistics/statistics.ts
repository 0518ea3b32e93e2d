import {
  cagr,
  calmar,
  deflatedSharpe,
  maxDrawdown,
  minTrackRecord,
  probabilisticSharpe,
  profitFactor,
  sharpe,
  SHARPE_RETURNS_MIN,
  sortino,
  winRate,
} from "../metrics.ts";
import { type DecimalText, money, sum } from "../money.ts";
import type { BacktestDay, BacktestResult } from "../backtest/result.ts";
import { INDEX_SYMBOL } from "../backtest/history.ts";
import { regress } from "./regression.ts";

/** One figure with its unit; a value that is not defined is null and says why. */
export interface Statistic {
  id: string;
  name: string;
  unit: "fraction" | "share" | "ratio" | "USD" | "count" | "sessions" | "probability";
  value: number | null;
  reason: string | null;
}

/** The value of a figure by its id; null where it is not defined, or not among them. */
export const valueOf = (figures: readonly Statistic[], id: string): number | null =>
  figures.find((figure) => figure.id === id)?.value ?? null;

/** How many runs a result was picked from, and how much their annual Sharpe ratios differed. */
export interface Trials {
  count: number;
  /** Annual Sharpe ratios of the other runs; runs without one are counted but not in here. */
  sharpes: readonly number[];
}

/** Variance (ddof 1) of the trials' annual Sharpe ratios: 0 for a single trial, null when fewer than two have one. */
function sharpeVariance({ count, sharpes }: Trials): number | null {
  if (count <= 1) return 0;
  if (sharpes.length < 2) return null;
  const mean = sharpes.reduce((total, value) => total + value, 0) / sharpes.length;
  return sharpes.reduce((total, value) => total + (value - mean) ** 2, 0) / (sharpes.length - 1);
}

/**
 * Trials with the runs of grids among them. Neighbours resemble each other: where they would narrow the spread, and by that
 * make the best look better than fewer trials do, they are counted and their Sharpe ratios are left out.
 */
export function withNeighbours(trials: Trials, neighbours: Trials): Trials {
  const count = trials.count + neighbours.count;
  const together = { count, sharpes: [...trials.sharpes, ...neighbours.sharpes] };
  const alone = { count, sharpes: trials.sharpes };
  const [wide, narrow] = [sharpeVariance(together), sharpeVariance(alone)];
  return wide === null || (narrow !== null && narrow > wide) ? alone : together;
}

/**
 * Probability that the true Sharpe ratio exceeds what the best of that many worthless trials would show (Bailey & López de
 * Prado 2014). Null with too few returns, or when several trials left fewer than two Sharpe ratios to judge them by.
 */
export function sharpeAfterTrials(returns: readonly number[], trials: Trials): number | null {
  const variance = sharpeVariance(trials);
  return variance === null ? null : deflatedSharpe(returns, trials.count, variance);
}

/** Daily returns of an equity by session, from the starting cash on. USD. */
export function returnsOf(cash: DecimalText, equities: readonly DecimalText[]): number[] {
  let before = money(cash);
  return equities.map((equity) => {
    const after = money(equity);
    const value = after.div(before).toNumber() - 1;
    before = after;
    return value;
  });
}

/** Daily returns of the equity, from the starting cash on. */
export function dailyReturns({ config, days }: BacktestResult): number[] {
  return returnsOf(
    config.cash,
    days.map(({ equity }) => equity),
  );
}

/** What the same cash had become by each close at these returns; null before the first of them. */
export function benchmarkEquity(cash: DecimalText, returns: readonly (number | null)[]): (number | null)[] {
  let last: number | null = null;
  return returns.map((value) => {
    if (value !== null) last = (last ?? Number(cash)) * (1 + value);
    return last;
  });
}

const indexReturns = ({ days }: BacktestResult) => days.map(({ indexReturn }) => indexReturn);
const universeReturns = ({ days }: BacktestResult) => days.map(({ universeReturn }) => universeReturn);

/** The index held over exactly the sessions, dividends reinvested: equity by session, with the same cash. */
export function indexEquity(result: BacktestResult): (number | null)[] {
  return benchmarkEquity(result.config.cash, indexReturns(result));
}

/** All stocks of the market in equal parts over exactly the sessions: equity by session, with the same cash. */
export function universeEquity(result: BacktestResult): (number | null)[] {
  return benchmarkEquity(result.config.cash, universeReturns(result));
}

type Traded = Pick<BacktestDay, "traded" | "equity">;

/** ½·Σ|bought and sold|/mean equity, per year of 252 sessions; null without sessions. */
export function annualTurnover({ days }: { days: readonly Traded[] }): number | null {
  if (days.length === 0) return null;
  const traded = sum(days.map((day) => money(day.traded)));
  const mean = sum(days.map((day) => money(day.equity))).div(days.length);
  return mean.lte(0) ? null : traded.div(2).div(mean).times(252).div(days.length).toNumber();
}

type Unit = Statistic["unit"];

function figure(id: string, name: string, unit: Unit, value: number | null, reason: string): Statistic {
  return { id, name, unit, value, reason: value === null ? reason : null };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((total, value) => total + value, 0) / values.length;
}

/** Return, drawdown and Sharpe ratio of a benchmark, and what of the account's returns it explains. */
function benchmarkFigures(
  benchmark: { id: string; name: string; values: readonly (number | null)[]; prefix: string },
  result: BacktestResult,
): Statistic[] {
  const { id, name, values, prefix } = benchmark;
  const { cash } = result.config;
  const equity = benchmarkEquity(cash, values).filter((value) => value !== null);
  const known = values.filter((value) => value !== null);
  const regression = regress(dailyReturns(result), values);
  const none = `${name} did not trade`;
  const few = `fewer than ${SHARPE_RETURNS_MIN} sessions, or returns without spread`;
  const ofCash = equity.length === 0 ? null : equity.at(-1)! / Number(cash) - 1;
  const drawdown = equity.length === 0 ? null : maxDrawdown([Number(cash), ...equity]);
  return [
    figure(`${id}_return`, `${name} total return`, "fraction", ofCash, none),
    figure(`${id}_drawdown`, `${name} max drawdown`, "fraction", drawdown, none),
    figure(`${id}_sharpe`, `${name} Sharpe ratio`, "ratio", sharpe(known), few),
    figure(`${prefix}alpha`, `Alpha to ${name}, a year`, "fraction", regression?.alpha ?? null, few),
    figure(`${prefix}alpha_t`, `Alpha to ${name}, t-value`, "ratio", regression?.alphaT ?? null, few),
    figure(`${prefix}beta`, `Beta to ${name}`, "ratio", regression?.beta ?? null, few),
    figure(`${prefix}beta_t`, `Beta to ${name}, t-value`, "ratio", regression?.betaT ?? null, few),
  ];
}

/** Every figure of one run, in the order in which a report shows them. */
export function statisticsOf(result: BacktestResult, trials: Trials): Statistic[] {
  const { days, trades, config } = result;
  const returns = dailyReturns(result);
  const cash = Number(config.cash);
  const final = Number(days.at(-1)?.equity ?? config.cash);
  const equity = [cash, ...days.map((day) => Number(day.equity))];
  const few = `fewer than ${SHARPE_RETURNS_MIN} sessions, or returns without spread`;
  const growth = cagr(returns);
  const lostOr = (other: string) =>
    returns.length < 252 ? "fewer than 252 sessions" : growth === null ? "nothing is left" : other;
  const noTrades = "no trade was closed";
  const tradesOr = (other: string) => (trades.length === 0 ? noTrades : other);
  const lost = trades.filter(({ outcome }) => outcome === "LOSS").map(({ pnlFraction }) => pnlFraction);
  const won = trades.filter(({ outcome }) => outcome === "WIN").map(({ pnlFraction }) => pnlFraction);
  return [
    figure("final_equity", "Final equity", "USD", final, ""),
    figure("total_return", "Total return", "fraction", final / cash - 1, ""),
    figure("cagr", "Annual growth", "fraction", growth, lostOr("")),
    figure("max_drawdown", "Max drawdown", "fraction", maxDrawdown(equity), ""),
    figure("sharpe", "Sharpe ratio", "ratio", sharpe(returns), few),
    figure("psr", "Probabilistic Sharpe (above 0)", "probability", probabilisticSharpe(returns), few),
    figure(
      "deflated_sharpe",
      `Deflated Sharpe (${trials.count} ${trials.count === 1 ? "trial" : "trials"})`,
      "probability",
      sharpeAfterTrials(returns, trials),
      sharpeVariance(trials) === null ? "the trials so far left fewer than two Sharpe ratios" : few,
    ),
    figure(
      "min_track_record",
      "Minimum track record",
      "sessions",
      minTrackRecord(returns),
      returns.length < SHARPE_RETURNS_MIN ? few : "the Sharpe ratio is not positive",
    ),
    figure("sortino", "Sortino ratio", "ratio", sortino(returns), "fewer than 60 sessions, or no losing session"),
    figure("calmar", "Calmar ratio", "ratio", calmar(returns), lostOr("no drawdown")),
    figure("trades", "Round trips", "count", trades.length, ""),
    figure(
      "win_rate",
      "Win rate",
      "share",
      winRate(trades.map(({ outcome }) => outcome)),
      tradesOr("only even round trips"),
    ),
    figure(
      "profit_factor",
      "Profit factor",
      "ratio",
      profitFactor(trades.map(({ pnl }) => money(pnl))),
      tradesOr("no losses"),
    ),
    figure("mean_win", "Mean win", "fraction", mean(won), "no winning trade"),
    figure("mean_loss", "Mean loss", "fraction", mean(lost), "no losing trade"),
    figure(
      "mean_held",
      "Mean holding time",
      "sessions",
      mean(trades.map(({ sessionsHeld }) => sessionsHeld)),
      noTrades,
    ),
    figure("mean_exposure", "Mean exposure", "share", mean(days.map(({ exposure }) => exposure)), "no session"),
    figure("turnover", "Turnover a year", "ratio", annualTurnover(result), "no session"),
    ...benchmarkFigures({ id: "index", name: INDEX_SYMBOL, values: indexReturns(result), prefix: "" }, result),
    ...benchmarkFigures(
      { id: "universe", name: "Equal-weight universe", values: universeReturns(result), prefix: "universe_" },
      result,
    ),
  ];
}
