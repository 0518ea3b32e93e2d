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
  /** SPY begins with the close before this session, and so does the account where it was there then. */
  firstSession: SessionDate;
  /** The account begins with its first reading or deposit instead. */
  hasOwnStart: boolean;
  /** Both end with this one: at its close, or where the session stands now. */
  lastSession: SessionDate;
  isRunning: boolean;
}

/** The longest beginning of the growth over which SPY is known, and its return there; null before there is one. */
function knownOf(
  growth: readonly SessionGrowth[],
  index: BenchmarkIndex,
  now: BenchmarkNow | null,
): { known: readonly SessionGrowth[]; spy: number } | null {
  const [first] = growth;
  if (!first || startLevel(first, index) === null) return null;
  for (let count = growth.length; count > 0; count--) {
    const known = growth.slice(0, count);
    const spy = benchmarkOver(known, index, now);
    if (spy !== null) return { known, spy };
  }
  return null;
}

/** To the latest point where SPY's price of then is known, else to the last close that is known of both; null before there is one. */
export function comparisonOf(
  growth: readonly SessionGrowth[],
  index: BenchmarkIndex,
  now: BenchmarkNow | null,
): Comparison | null {
  const compared = knownOf(growth, index, now);
  if (compared === null) return null;
  const { known, spy } = compared;
  const [first, last] = [known[0]!.session, known.at(-1)!.session];
  const value = timeWeightedReturn(known);
  return value === null
    ? null
    : {
        value,
        spy,
        firstSession: first,
        hasOwnStart: known[0]!.since === null,
        lastSession: last,
        isRunning: now?.session === last,
      };
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

/**
 * Returns by year and month, newest year first; SPY beside each over the very same sessions, or null where it is not known. The
 * running month and year end as the comparison does: where SPY's price of now is not known, with the last close that is.
 */
export function calendarReturns(
  growth: readonly SessionGrowth[],
  index: BenchmarkIndex,
  now: BenchmarkNow | null = null,
): YearReturns[] {
  const latest = growth.at(-1);
  const returnOver = (rows: readonly SessionGrowth[]): Omit<MonthReturn, "month"> => {
    const compared = rows.at(-1) === latest ? knownOf(rows, index, now) : null;
    return compared === null
      ? { value: timeWeightedReturn(rows), spy: benchmarkOver(rows, index, now) }
      : { value: timeWeightedReturn(compared.known), spy: compared.spy };
  };
  return [...groupBy(growth, ({ session }) => session.slice(0, 4))]
    .map(([year, sessions]) => ({
      year: Number(year),
      ...returnOver(sessions),
      months: [...groupBy(sessions, ({ session }) => session.slice(5, 7))].map(([month, rows]) => ({
        month: Number(month),
        ...returnOver(rows),
      })),
    }))
    .reverse();
}
