import { latestOf } from "@/lib/domain/wall-clock.ts";
import type { Context } from "../../context.ts";
import { type Db, Prisma } from "../../db.ts";
import { SILENT_MS } from "./run-thread.ts";

/** A run that ended its worker this often is not begun again. */
const MOST_ATTEMPTS = 3;

/** Closed sets: these names go into a statement as they are. */
type RunTable = "Backtest" | "BacktestGrid" | "SettingsPreview" | "WhatIf";
type ProgressColumn =
  | "sessionsDone"
  | "sessionsTotal"
  | "readPercent"
  | "runsDone"
  | "decisionsDone"
  | "decisionsTotal";

/** `attempts` is raised by each start and is the fence: a holder of an older one writes nothing. */
export interface Run {
  id: string;
  attempts: number;
}

/** What the table of each kind has beside its own columns. */
interface RunColumns {
  status?: "QUEUED" | "DONE" | "FAILED";
  error?: string;
  beatAt?: Date | null;
  startedAt?: null;
  finishedAt?: Date;
}

interface Running {
  id?: string;
  status: "RUNNING";
  attempts: number | { gte: number };
  beatAt?: { lt: Date };
  OR?: { beatAt: { lt: Date } | { gt: Date } }[];
}

/** A kind of run: rows that wait in a table of their own until a worker makes them in a thread. */
export interface RunKind<Row extends Run, Columns> {
  table: RunTable;
  /** Begins the names of its log events. */
  event: "backtest" | "backtest-grid" | "settings-preview" | "what-if";
  /** Its columns of progress before anything is done. */
  noProgress: { [Column in ProgressColumn & keyof Columns]: 0 | null };
  /** What else must be true of a row `run` that is begun. */
  condition?: Prisma.Sql;
  /** For a user: why a run that ended its worker so often failed. */
  deadLetter: (times: number) => string;
  read: (db: Db, id: string) => Promise<Row | null>;
  update: (db: Db, where: Running, data: RunColumns | Columns) => Promise<{ count: number }>;
}

/** Takes the oldest run that waits or has lost its worker, and begins it; null when there is none. Of many workers one gets it. */
export async function claimRun<Row extends Run, Columns>(
  { db, now, log }: Context,
  kind: RunKind<Row, Columns>,
): Promise<Row | null> {
  const at = now();
  const [since, until] = [new Date(at.getTime() - SILENT_MS), latestOf(SILENT_MS, at)];
  const silent = { OR: [{ beatAt: { lt: since } }, { beatAt: { gt: until } }] };
  const { count } = await kind.update(
    db,
    { status: "RUNNING", ...silent, attempts: { gte: MOST_ATTEMPTS } },
    { status: "FAILED", error: kind.deadLetter(MOST_ATTEMPTS), finishedAt: at },
  );
  if (count > 0) log.error(`${kind.event}.dead-lettered`, { count });
  const table = Prisma.raw(`"${kind.table}"`);
  const noProgress = Object.entries(kind.noProgress).map(([column, value]) =>
    Prisma.raw(`"${column}" = ${value === null ? "null" : "0"}`),
  );
  const [row] = await db.$queryRaw<{ id: string }[]>`
    update ${table} set "status" = 'RUNNING', "attempts" = "attempts" + 1, "startedAt" = ${at}::timestamptz,
      "beatAt" = ${at}::timestamptz, ${Prisma.join(noProgress)}
    where "id" = (
      select run."id" from ${table} run
      where (run."status" = 'QUEUED' or (run."status" = 'RUNNING' and run."beatAt" not between ${since}::timestamptz and ${until}::timestamptz))
        and ${kind.condition ?? Prisma.sql`true`}
      order by run."createdAt", run."id" limit 1 for update skip locked)
    returning "id"`;
  return row ? kind.read(db, row.id) : null;
}

/** Writes what became of a run; false when it is no longer this worker's: cancelled, deleted, or begun again by another. */
export async function writeRun<Row extends Run, Columns>(
  { db }: Context,
  kind: RunKind<Row, Columns>,
  { id, attempts }: Run,
  data: RunColumns | Columns,
): Promise<boolean> {
  const { count } = await kind.update(db, { id, status: "RUNNING", attempts }, data);
  return count > 0;
}
