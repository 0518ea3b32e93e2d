import type { BenchmarkIndex } from "./benchmark.ts";
import { calendarReturns, type Comparison, comparisonOf, type YearReturns } from "./calendar-returns.ts";
import type { TripOutcome } from "./enums.ts";
import { deepestFall, type EquityAt, growthOf, returnsOfGrowth, type SessionResult, sessionResults } from "./growth.ts";
import {
  cagr,
  calmar,
  equityCurve,
  maxDrawdown,
  periodPnl,
  profitFactor,
  sharpe,
  SHARPE_RETURNS_MIN,
  sortino,
  timeWeightedReturn,
  volatility,
  VOLATILITY_RETURNS_MIN,
  winRate,
} from "./metrics.ts";
import { type Money, text, ZERO } from "./money.ts";
import { annualTurnover } from "./statistics/statistics.ts";
import type { SessionDate } from "./time.ts";

/** What closed round trips came to, USD after fees; `losses` ≤ 0. */
export interface TripTotals {
  wins: number;
  losses: number;
  scratches: number;
  pnl: Money;
  /** Sums over the trips that won and that lost. */
  won: Money;
  lost: Money;
  /** Sums above and below zero, scratches included. */
  gains: Money;
  falls: Money;
}

function* outcomesOf({ wins, losses }: TripTotals): Iterable<TripOutcome> {
  for (let i = 0; i < wins; i++) yield "WIN";
  for (let i = 0; i < losses; i++) yield "LOSS";
}

export const tripWinRate = (totals: TripTotals): number | null => winRate(outcomesOf(totals));
export const tripProfitFactor = ({ gains, falls }: TripTotals): number | null => profitFactor([gains, falls]);

/** A figure by its id in the metric registry; null says why. USD are decimals, all others doubles. */
export interface Figure {
  id: string;
  value: number | null;
  reason: string | null;
}

export interface PerformanceInput {
  /** Closed sessions of the period, ascending, with the point before them. */
  closes: readonly EquityAt[];
  before: EquityAt | null;
  /** The running session's latest reading; null when the last close is the newest. */
  running: EquityAt | null;
  benchmark: BenchmarkIndex;
  /** SPY's price at the instant of `running`, USD; null where it is not known. */
  benchmarkPrice: number | null;
  trips: TripTotals;
  /** Bought and sold value of the closed sessions, USD. */
  traded: Money;
  /** Positions' value over equity at each close where it is known. */
  exposures: readonly number[];
  fees: Money;
  /** bps; null without entries and exits of our own. */
  slippageBps: number | null;
}

export interface Fall {
  /** Null when the fall began at the start of the period. */
  peak: SessionDate | null;
  trough: SessionDate;
  recovered: SessionDate | null;
}

export interface Performance {
  figures: Figure[];
  /** Beside SPY; null where no end is known of both. */
  comparison: Comparison | null;
  /** Dates of the maximum drawdown; null without one. */
  fall: Fall | null;
  calendar: YearReturns[];
  days: SessionResult[];
}

const NO_SESSION = "no session yet";
const NOTHING_LEFT = "nothing is left";
const NO_MONEY = "a session began without money";

function figure(id: string, value: number | null, reason: string): Figure {
  return { id, value, reason: value === null ? reason : null };
}

/** `returns` null: a session began without money. */
function fewSessions(returns: readonly number[] | null, needed: number): string {
  if (returns === null) return NO_MONEY;
  return `needs ${needed} closed sessions; there ${returns.length === 1 ? "is" : "are"} ${returns.length}`;
}

/** The figures of the returns of closed sessions; each needs a number of them. */
function returnFigures(closed: readonly number[] | null): Figure[] {
  const returns = closed ?? [];
  const fewOr = (needed: number, other: string) => (returns.length < needed ? fewSessions(closed, needed) : other);
  const ratio = (value: number | null) => (returns.length < SHARPE_RETURNS_MIN ? null : value);
  const growth = cagr(returns);
  return [
    figure("cagr", growth, fewOr(252, NOTHING_LEFT)),
    figure("volatility", volatility(returns), fewSessions(closed, VOLATILITY_RETURNS_MIN)),
    figure("sharpe", ratio(sharpe(returns)), fewOr(SHARPE_RETURNS_MIN, "the returns do not vary")),
    figure("sortino", ratio(sortino(returns)), fewOr(SHARPE_RETURNS_MIN, "no session lost")),
    figure("calmar", calmar(returns), fewOr(252, growth === null ? NOTHING_LEFT : "there was no drawdown")),
  ];
}

function tripFigures(trips: TripTotals): Figure[] {
  const noTrips = "no round trip was closed";
  const count = trips.wins + trips.losses + trips.scratches;
  const mean = (total: Money, of: number) => (of === 0 ? null : total.div(of).toDecimalPlaces(9).toNumber());
  return [
    figure("winRate", tripWinRate(trips), count === 0 ? noTrips : "only even round trips so far"),
    figure("profitFactor", tripProfitFactor(trips), count === 0 ? noTrips : "no round trip lost"),
    figure("averageWin", mean(trips.won, trips.wins), "no round trip won"),
    figure("averageLoss", mean(trips.lost, trips.losses), "no round trip lost"),
    figure("expectancy", mean(trips.pnl, count), noTrips),
  ];
}

function tradingFigures(input: PerformanceInput, returns: readonly number[] | null): Figure[] {
  const { closes, exposures } = input;
  const exposure = exposures.length === 0 ? null : exposures.reduce((a, b) => a + b, 0) / exposures.length;
  const noExposure = closes.length === 0 ? NO_SESSION : "the positions were read in none of these sessions";
  const days = closes.map(({ equity }, i) => ({
    equity: text(equity),
    traded: i === 0 ? text(input.traded) : "0",
  }));
  const turnover = closes.length < VOLATILITY_RETURNS_MIN ? null : annualTurnover({ days });
  return [
    figure("meanExposure", exposure, noExposure),
    figure("annualTurnover", turnover, fewSessions(returns, VOLATILITY_RETURNS_MIN)),
    figure("tradingFees", input.fees.toNumber(), ""),
    figure("meanSlippage", input.slippageBps, "no entry or exit by Tradewind was filled"),
  ];
}

/** Every figure of one environment over one period, by the functions of the registry. */
export function performanceOf(input: PerformanceInput): Performance {
  const { closes, before, running, benchmark } = input;
  const all = growthOf(running ? [...closes, running] : closes, before);
  const now = running && {
    session: running.session,
    level: input.benchmarkPrice === null ? null : benchmark.at(running.session, input.benchmarkPrice),
  };
  const comparison = comparisonOf(all, benchmark, now);
  const returns = returnsOfGrowth(growthOf(closes, before));
  const growth = returnsOfGrowth(all);
  const curve = equityCurve(growth ?? []);
  const fall = deepestFall(curve);
  const sessionAt = (index: number) => all[index - 1]?.session ?? null;
  const first = all[0];
  const missing = first ? NO_MONEY : NO_SESSION;
  const end = running ?? closes.at(-1);
  const pnl = end
    ? periodPnl(before?.equity ?? ZERO, end.equity, end.netDeposits.minus(before?.netDeposits ?? ZERO)).toNumber()
    : null;
  const spyMissing = first ? "SPY's closes of these sessions are not known" : NO_SESSION;
  return {
    figures: [
      figure("timeWeightedReturn", first ? timeWeightedReturn(all) : null, missing),
      figure("periodPnl", pnl, NO_SESSION),
      figure("benchmarkReturn", comparison?.spy ?? null, spyMissing),
      figure("maxDrawdown", first && growth ? maxDrawdown(curve) : null, missing),
      ...returnFigures(returns),
      ...tripFigures(input.trips),
      ...tradingFigures(input, returns),
    ],
    comparison,
    fall: fall && {
      peak: sessionAt(fall.peak),
      trough: sessionAt(fall.trough)!,
      recovered: fall.recovered === null ? null : sessionAt(fall.recovered),
    },
    calendar: calendarReturns(all, benchmark, now),
    days: sessionResults(all),
  };
}
