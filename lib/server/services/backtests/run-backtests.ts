import type { Worker } from "node:worker_threads";
import type { PreferencesView } from "@/lib/domain/engine/plan.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { text } from "@/lib/domain/money.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { sessionOf } from "../../rows.ts";
import { startThread } from "../../start-thread.ts";
import { claimBacktest, type ClaimedBacktest } from "./claim-backtest.ts";
import { policyOf } from "./policy-of.ts";
import { readTrials } from "./read-trials.ts";
import type { BacktestOutcome, BacktestTask, ThreadNews } from "./serve-thread.ts";

/** How often progress is written, and how soon a cancelled run ends. */
const BEAT_MS = 1_000;
const LONGEST_MS = 20 * MINUTE_MS;
/** Beyond this a thread ends by itself, and its worker does not. */
const THREAD_HEAP_MB = 1_024;
const UNFORESEEN = "The backtest broke off: an error that nobody foresaw. It is in the log of the worker.";

/** Set while the worker stops; runs then go back into the queue. */
let isReleasing = false;
const running = new Set<() => void>();

/** For a worker that stops: what runs waits again, for the next worker, instead of holding this one up. */
export function releaseBacktests(): void {
  isReleasing = true;
  for (const release of running) release();
}

/** Runs what waits, one after the other, each in a thread of its own. Done twice at once, each run is still done once. */
export async function runBacktests(context: Context, program: string): Promise<void> {
  for (let row = await claimBacktest(context); row !== null; row = await claimBacktest(context)) {
    await runClaimed(context, row, program);
    if (isReleasing) return;
  }
}

type End =
  | { kind: "done"; outcome: BacktestOutcome }
  | { kind: "failed"; message: string }
  /** Cancelled, deleted, or begun again by another worker. */
  | { kind: "lost" }
  | { kind: "released" };

async function runClaimed(context: Context, row: ClaimedBacktest, program: string): Promise<void> {
  const { db, log, now } = context;
  const startedAt = performance.now();
  const end = await taskOf(context, row).then(
    (task) => playInThread(context, row, startThread(program, task, { maxOldGenerationSizeMb: THREAD_HEAP_MB })),
    (error: unknown): End => {
      if (error instanceof Failure) return { kind: "failed", message: error.message };
      throw error;
    },
  );
  const mine = { id: row.id, status: "RUNNING", attempts: row.attempts } as const;
  const facts = { jobId: row.id, durationMs: Math.round(performance.now() - startedAt) };
  if (end.kind === "done") {
    const { sharpe, figures, record } = end.outcome;
    const { count } = await db.backtest.updateMany({
      where: mine,
      data: {
        status: "DONE",
        sharpe,
        figures: figures as unknown as Prisma.InputJsonArray,
        record: record as unknown as Prisma.InputJsonObject,
        sessionsDone: record.days.sessions.length,
        sessionsTotal: record.days.sessions.length,
        readPercent: 100,
        finishedAt: now(),
      },
    });
    log.info(
      { ...facts, count: record.days.sessions.length, state: count > 0 ? "kept" : "not wanted any more" },
      "backtest done",
    );
  } else if (end.kind === "failed") {
    await db.backtest.updateMany({
      where: mine,
      data: { status: "FAILED", error: end.message.slice(0, 500), finishedAt: now() },
    });
    log.warn({ ...facts, reason: end.message }, "backtest failed");
  } else if (end.kind === "released") {
    await db.backtest.updateMany({
      where: mine,
      data: {
        status: "QUEUED",
        sessionsDone: 0,
        sessionsTotal: null,
        readPercent: null,
        startedAt: null,
        beatAt: null,
      },
    });
    log.info(facts, "backtest put back: the worker stops");
  } else {
    log.info(facts, "backtest stopped: it was cancelled or another worker has it");
  }
}

async function taskOf({ db }: Context, row: ClaimedBacktest): Promise<BacktestTask> {
  return {
    market: row.market,
    policy: await policyOf(db, row.policyVersion),
    preferences: row.preferences as unknown as PreferencesView,
    cash: text(row.cash),
    from: sessionOf(row.fromDate),
    to: sessionOf(row.toDate),
    trials: await readTrials(db, row),
  };
}

function playInThread(context: Context, row: ClaimedBacktest, thread: Worker): Promise<End> {
  const { db, log, now } = context;
  return new Promise((resolve) => {
    let progress: Prisma.BacktestUpdateManyMutationInput = {};
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    const finish = (end: End) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      clearTimeout(late);
      running.delete(release);
      // Only when the thread is gone does its memory belong to the next one.
      void thread.terminate().then(() => resolve(end));
    };
    const release = () => finish({ kind: "released" });
    const late = setTimeout(
      () =>
        finish({
          kind: "failed",
          message: `The backtest took longer than ${LONGEST_MS / MINUTE_MS} minutes. Choose fewer sessions.`,
        }),
      LONGEST_MS,
    );
    running.add(release);
    if (isReleasing) release();

    const beat = async () => {
      try {
        const { count } = await db.backtest.updateMany({
          where: { id: row.id, status: "RUNNING", attempts: row.attempts },
          data: { beatAt: now(), ...progress },
        });
        if (count === 0) return finish({ kind: "lost" });
      } catch (error) {
        // The database comes back; a run that was taken over meanwhile is noticed then.
        log.warn({ jobId: row.id, err: error }, "a backtest's progress could not be written");
      }
      if (!isOver) timer = setTimeout(() => void beat(), BEAT_MS);
    };
    timer = setTimeout(() => void beat(), BEAT_MS);

    thread.on("message", (news: ThreadNews) => {
      if (news.kind === "read") progress = { readPercent: news.percent };
      else if (news.kind === "session") progress = { sessionsDone: news.done, sessionsTotal: news.total };
      else if (news.kind === "done") finish(news);
      else {
        if (news.message === null) log.error({ jobId: row.id, err: news.cause }, "a backtest broke off");
        finish({ kind: "failed", message: news.message ?? UNFORESEEN });
      }
    });
    thread.on("error", (error: NodeJS.ErrnoException) => {
      log.error({ jobId: row.id, err: error }, "a backtest's thread ended");
      const isTooLarge = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      finish({
        kind: "failed",
        message: isTooLarge ? "The backtest needs more memory than there is. Choose fewer sessions." : UNFORESEEN,
      });
    });
    thread.on("exit", () => finish({ kind: "failed", message: UNFORESEEN }));
  });
}
