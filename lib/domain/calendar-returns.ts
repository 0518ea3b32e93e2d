import type { BenchmarkIndex } from "./benchmark.ts";
import type { SessionGrowth } from "./growth.ts";
import { timeWeightedReturn } from "./metrics.ts";
import { addDays, type SessionDate } from "./time.ts";

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
