import type { BenchmarkIndex } from "./benchmark.ts";
import { annualTurnover } from "./statistics/statistics.ts";
import type { TripOutcome } from "./enums.ts";
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
import { addDays, type SessionDate } from "./time.ts";

/** Equity of one environment at a close, or now; `netDeposits` is all that came in less what went out until then. USD. */
export interface EquityAt {
  session: SessionDate;
  equity: Money;
  netDeposits: Money;
}

/** A session's growth: money that moved counts as moved before the open, as flows are dated. */
export interface SessionGrowth {
  session: SessionDate;
  start: Money;
  end: Money;
}

/**
 * Growth from point to point; the first begins with `before`, or with what was paid in. Sessions without any money are left
 * out: nothing can grow there.
 */
export function growthOf(points: readonly EquityAt[], before: EquityAt | null): SessionGrowth[] {
  let last = before ?? { equity: ZERO, netDeposits: ZERO };
  const growth: SessionGrowth[] = [];
  for (const { session, equity, netDeposits } of points) {
    const start = last.equity.plus(netDeposits).minus(last.netDeposits);
    last = { equity, netDeposits };
    if (!start.isZero() || !equity.isZero()) growth.push({ session, start, end: equity });
  }
  return growth;
}

/** Daily returns, fractions; null when a session began with nothing or with debts. */
export function returnsOfGrowth(growth: readonly SessionGrowth[]): number[] | null {
  const returns: number[] = [];
  for (const { start, end } of growth) {
    if (start.lte(0)) return null;
    returns.push(end.div(start).toNumber() - 1);
  }
  return returns;
}

/** Where the deepest fall of a curve began, ended and was made good (null while it is not). Indices; null without a fall. */
export function deepestFall(
  curve: readonly number[],
): { peak: number; trough: number; recovered: number | null } | null {
  const depth = maxDrawdown(curve);
  if (depth === null || depth === 0) return null;
  let peak = 0;
  for (const [trough, value] of curve.entries()) {
    if (value > curve[peak]!) peak = trough;
    if (value / curve[peak]! - 1 !== depth) continue;
    const top = curve[peak]!;
    const after = curve.slice(trough).findIndex((later) => later >= top);
    return { peak, trough, recovered: after < 0 ? null : trough + after };
  }
  return null;
}

/** What a session came to. */
export interface SessionResult {
  session: SessionDate;
  /** USD; the results of a period add up to its P&L, to the cent. */
  pnl: Money;
  /** Fraction of what the session began with; null where it began without money. */
  value: number | null;
}

/** The result of each session, the oldest first. */
export const sessionResults = (growth: readonly SessionGrowth[]): SessionResult[] =>
  growth.map(({ session, start, end }) => ({
    session,
    pnl: end.minus(start),
    value: start.lte(0) ? null : end.div(start).toNumber() - 1,
  }));

export interface MonthReturn {
  /** 1 … 12 */
  month: number;
  /** Time-weighted, fraction; null where it is not defined. */
  value: number | null;
  /** Total return of SPY over the same sessions. */
  spy: number | null;
}

export interface YearReturns extends Omit<MonthReturn, "month"> {
  year: number;
  months: MonthReturn[];
}

/** Where the benchmark stands at the account's latest point: its session, and the level; null where no price of then is known. */
export interface BenchmarkNow {
  session: SessionDate;
  level: number | null;
}

/** Return of the benchmark from the close before the first session to the end of the last one, fraction; null where not known. */
function benchmarkOver(
  first: SessionDate,
  last: SessionDate,
  index: BenchmarkIndex,
  now: BenchmarkNow | null,
): number | null {
  const from = index.before(first);
  const to = now?.session === last ? now.level : index.before(addDays(last, 1));
  return from === null || to === null || from <= 0 ? null : to / from - 1;
}

/** The account and SPY from the same start to the same end. */
export interface Comparison {
  /** Time-weighted return of the account, fraction. */
  value: number;
  /** Total return of SPY, fraction. */
  spy: number;
  /** Both begin with the close before this session. */
  firstSession: SessionDate;
  /** Both end with this one: at its close, or where the session stands now. */
  lastSession: SessionDate;
  isRunning: boolean;
}

/** To the latest point where SPY's price of then is known, else to the last close that is known of both; null before there is one. */
export function comparisonOf(
  growth: readonly SessionGrowth[],
  index: BenchmarkIndex,
  now: BenchmarkNow | null,
): Comparison | null {
  const first = growth[0]?.session;
  if (first === undefined) return null;
  for (let count = growth.length; count > 0; count--) {
    const lastSession = growth[count - 1]!.session;
    const spy = benchmarkOver(first, lastSession, index, now);
    if (spy === null) continue;
    const value = timeWeightedReturn(growth.slice(0, count));
    if (value === null) return null;
    return { value, spy, firstSession: first, lastSession, isRunning: now?.session === lastSession };
  }
  return null;
}

function returnOver(
  growth: readonly SessionGrowth[],
  index: BenchmarkIndex,
  now: BenchmarkNow | null,
): Omit<MonthReturn, "month"> {
  const [first, last] = [growth[0], growth.at(-1)];
  if (!first || !last) return { value: null, spy: null };
  return { value: timeWeightedReturn(growth), spy: benchmarkOver(first.session, last.session, index, now) };
}

function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

/** Returns by year and month, newest year first; SPY beside each over the very same sessions, or null where it is not known. */
export function calendarReturns(
  growth: readonly SessionGrowth[],
  index: BenchmarkIndex,
  now: BenchmarkNow | null = null,
): YearReturns[] {
  return [...groupBy(growth, ({ session }) => session.slice(0, 4))]
    .map(([year, sessions]) => ({
      year: Number(year),
      ...returnOver(sessions, index, now),
      months: [...groupBy(sessions, ({ session }) => session.slice(5, 7))].map(([month, rows]) => ({
        month: Number(month),
        ...returnOver(rows, index, now),
      })),
    }))
    .reverse();
}

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
  return [
    figure("cagr", cagr(returns), fewOr(252, "nothing is left")),
    figure("volatility", volatility(returns), fewSessions(closed, VOLATILITY_RETURNS_MIN)),
    figure("sharpe", ratio(sharpe(returns)), fewOr(SHARPE_RETURNS_MIN, "the returns do not vary")),
    figure("sortino", ratio(sortino(returns)), fewOr(SHARPE_RETURNS_MIN, "no session lost")),
    figure("calmar", calmar(returns), fewOr(252, "there was no drawdown")),
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
