/** The figures of `npm run bench:accounts`, and the tables in which they are printed. */
import type { SeedFigures } from "./accounts-seed.ts";
import type { Ending, Statements } from "./accounts-books.ts";

export interface Phase {
  seconds: number;
  /** By kind of process. */
  cpuSeconds: Record<string, number>;
  /** Runs that ended, by job. */
  jobs: Record<string, number>;
  statements: Statements;
}

export interface CycleFigures extends Phase {
  /** The market's own work: minutes that are played until the next look. */
  clockSeconds: number;
  /** From the due time to the cycle's row: the session's book, quotes, the view. */
  screeningSeconds: number;
  decided: number;
  orders: number;
  /** The cycle's own line over all accounts. */
  /** From the cycle's row to the first and the last decision. */
  firstSeconds: number | null;
  lastSeconds: number | null;
  /** Growth of all tables, and of each that grew; rows as Postgres counts them, at most a few seconds old. */
  bytes: number;
  tables: Record<string, { bytes: number; rows: number }>;
}

export interface Figures extends Ending {
  at: string;
  cores: number;
  load: number[];
  accounts: number;
  workers: number;
  seed: SeedFigures;
  bytesPerAccount: number;
  readySeconds: number[];
  /** Without a cycle: before the first, and after the last, with what was bought. */
  following: Phase | null;
  cycles: CycleFigures[];
  followingAfter: Phase | null;
  peaksMb: Record<string, number>;
  redis: { peakMb: number; keys: number };
}

const TOP = 12;
const one = (value: number | null) => (value === null ? "none" : value.toFixed(1));
const rounded = (values: Record<string, number>) =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value.toFixed(1)}`)
    .join(", ");
const runsOf = (jobs: Record<string, number>) =>
  Object.entries(jobs)
    .sort(([, a], [, b]) => b - a)
    .map(([job, count]) => `${job} ${count}`)
    .join(", ");

function rowOf(figures: Figures, cycle: CycleFigures) {
  const { decided, orders, lastSeconds, cpuSeconds, statements } = cycle;
  const perAccount = (value: number) => (decided === 0 ? "none" : (value / decided).toFixed(2));
  const perSecond = (count: number) => (lastSeconds ? (count / lastSeconds).toFixed(1) : "none");
  return {
    accounts: figures.accounts,
    workers: figures.workers,
    decided,
    "screened after, s": one(cycle.screeningSeconds),
    "first decision, s": one(cycle.firstSeconds),
    "last decision, s": one(lastSeconds),
    "accounts/s": perSecond(decided),
    orders,
    "orders/s": perSecond(orders),
    "statements an account": perAccount(statements.calls),
    "worker CPU ms an account": perAccount((cpuSeconds.worker ?? 0) * 1000),
    "Postgres CPU ms": perAccount((cpuSeconds.postgres ?? 0) * 1000),
    "exchange CPU ms": perAccount((cpuSeconds.exchange ?? 0) * 1000),
    "KB an account": perAccount(cycle.bytes / 1000),
  };
}

export function report(figures: Figures): void {
  console.table(figures.cycles.map((cycle) => rowOf(figures, cycle)));
  console.log(
    `ready after ${figures.readySeconds.map(one).join(", ")} s; ${figures.halted} accounts halted; trail: ${runsOf(figures.trail)}; broken: ${runsOf(figures.broken) || "none"}; stopped: ${runsOf(figures.stopped) || "none"}`,
  );
  for (const following of [figures.following, figures.followingAfter])
    if (following)
      console.log(
        `following alone, ${one(following.seconds)} s: CPU s ${rounded(following.cpuSeconds)}; ${following.statements.calls} statements; runs ${runsOf(following.jobs)}`,
      );
  for (const [nth, cycle] of figures.cycles.entries()) {
    console.log(
      `cycle ${nth + 1}, ${one(cycle.seconds)} s: CPU s ${rounded(cycle.cpuSeconds)}; runs ${runsOf(cycle.jobs)}`,
    );
    for (const [name, { bytes, rows }] of Object.entries(cycle.tables).slice(0, TOP))
      console.log(`  ${name.padEnd(20)} + ${(bytes / 1e6).toFixed(1)} MB, ${rows} rows`);
  }
  const last = figures.cycles.at(-1);
  for (const { calls, ms, text } of last?.statements.top.slice(0, TOP) ?? [])
    console.log(`  ${String(ms).padStart(8)} ms ${String(calls).padStart(8)} × ${text.slice(0, 130)}`);
  console.log(
    `memory at its peak, MB: ${rounded(figures.peaksMb)}; Redis' own peak ${one(figures.redis.peakMb)} MB, ${figures.redis.keys} keys; ` +
      `bytes of a row: ${Object.entries(figures.rowBytes)
        .map(([table, bytes]) => `${table} ${bytes}`)
        .join(", ")}; ` +
      `${Math.round(figures.bytesPerAccount)} bytes an account before its first cycle`,
  );
  console.log(`${figures.cores} cores, load ${one(figures.load[0] ?? null)}`);
}
