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

const startLevel = ({ session, since }: SessionGrowth, index: BenchmarkIndex): number | null =>
  index.before(since === null ? session : addDays(since, 1));

/**
 * Return of the benchmark over exactly the account's growth, fraction; null where not known. It is held from the start of each
 * run of sessions that grew out of one another to the run's end, and not while the account held nothing.
 */
function benchmarkOver(
  growth: readonly SessionGrowth[],
  index: BenchmarkIndex,
  now: BenchmarkNow | null,
): number | null {
  let grown = 1;
  let first: SessionGrowth | null = null;
  for (const [i, row] of growth.entries()) {
    first ??= row;
    if (growth[i + 1]?.since === row.session) continue;
    const from = startLevel(first, index);
    const to = now?.session === row.session ? now.level : index.before(addDays(row.session, 1));
    if (from === null || to === null || from <= 0) return null;
    grown *= to / from;
    first = null;
  }
  return grown - 1;
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
  const [first] = growth;
  if (!first || startLevel(first, index) === null) return null;
  for (let count = growth.length; count > 0; count--) {
    const lastSession = growth[count - 1]!.session;
    const compared = growth.slice(0, count);
    const spy = benchmarkOver(compared, index, now);
    if (spy === null) continue;
    const value = timeWeightedReturn(compared);
    if (value === null) return null;
    return { value, spy, firstSession: first.session, lastSession, isRunning: now?.session === lastSession };
  }
  return null;
}

function returnOver(
  growth: readonly SessionGrowth[],
  index: BenchmarkIndex,
  now: BenchmarkNow | null,
): Omit<MonthReturn, "month"> {
  return { value: timeWeightedReturn(growth), spy: benchmarkOver(growth, index, now) };
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
