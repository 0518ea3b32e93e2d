import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { startThread } from "../../start-thread.ts";
import { type Run, type RunKind, writeRun } from "./claim-run.ts";
import { areThreadsReleased, type End, runThread } from "./run-thread.ts";

/** How the runs of a kind are made. */
interface Making<Row extends Run, Columns, Task, News, Outcome> {
  kind: RunKind<Row, Columns>;
  claim: (context: Context) => Promise<Row | null>;
  /** Beyond this a thread ends by itself, and its worker does not. */
  heapMb: number;
  /** "The backtest", and what to do where it is too much. */
  what: string;
  ask: string;
  taskOf: (context: Context, row: Row) => Promise<Task>;
  /** What of the row a piece of news changes. */
  progressOf: (news: News) => Columns;
  /** What is stored of an outcome, and how much was done, for the log. */
  resultOf: (outcome: Outcome, row: Row) => { columns: Columns; count: number };
}

/** Makes what waits, one after the other, each in a thread of its own. Called twice at once, each run is still made once. */
export async function runWaiting<Row extends Run, Columns, Task, News extends { kind: string }, Outcome>(
  context: Context,
  program: string,
  making: Making<Row, Columns, Task, News, Outcome>,
): Promise<void> {
  for (let row = await making.claim(context); row !== null; row = await making.claim(context)) {
    const startedAt = performance.now();
    const end = await play(context, program, making, row);
    await record(context, making, row, end, Math.round(performance.now() - startedAt));
    if (areThreadsReleased()) return;
  }
}

async function play<Row extends Run, Columns, Task, News extends { kind: string }, Outcome>(
  context: Context,
  program: string,
  { kind, heapMb, what, ask, taskOf, progressOf }: Making<Row, Columns, Task, News, Outcome>,
  row: Row,
): Promise<End<Outcome>> {
  let task: Task;
  try {
    task = await taskOf(context, row);
  } catch (error) {
    if (error instanceof Failure) return { kind: "failed", message: error.message };
    throw error;
  }
  return runThread<News, Columns, Outcome>(context, {
    id: row.id,
    thread: startThread(program, task, { maxOldGenerationSizeMb: heapMb }),
    what,
    ask,
    progressOf,
    beat: (progress) => writeRun(context, kind, row, { beatAt: context.now(), ...progress }),
  });
}

async function record<Row extends Run, Columns, Task, News, Outcome>(
  context: Context,
  { kind, resultOf }: Making<Row, Columns, Task, News, Outcome>,
  row: Row,
  end: End<Outcome>,
  durationMs: number,
): Promise<void> {
  const { log, now } = context;
  const facts = { jobId: row.id, durationMs };
  if (end.kind === "done") {
    const { columns, count } = resultOf(end.outcome, row);
    const isStored = await writeRun(context, kind, row, { ...columns, status: "DONE", finishedAt: now() });
    log.info(`${kind.event}.completed`, { ...facts, count, state: isStored ? "stored" : "discarded" });
  } else if (end.kind === "failed") {
    const error = end.message.slice(0, 500);
    await writeRun(context, kind, row, { status: "FAILED", error, finishedAt: now() });
    log.warn(`${kind.event}.failed`, { ...facts, reason: end.message });
  } else if (end.kind === "released") {
    await writeRun(context, kind, row, { status: "QUEUED", ...kind.noProgress, startedAt: null, beatAt: null });
    log.info(`${kind.event}.requeued`, facts);
  } else {
    log.info(`${kind.event}.stopped`, facts);
  }
}
