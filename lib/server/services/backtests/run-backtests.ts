import type { Worker } from "node:worker_threads";
import { Failure } from "@/lib/domain/failures.ts";
import { text } from "@/lib/domain/money.ts";
import { asJson, preferencesOf } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { sessionOf } from "../../rows.ts";
import { startThread } from "../../start-thread.ts";
import { areThreadsReleased, runThread, type End } from "../queue/run-thread.ts";
import { claimBacktest, type ClaimedBacktest } from "./claim-backtest.ts";
import { knownCompanies } from "./known-companies.ts";
import { policyOf } from "./policy-of.ts";
import { PAST_HEAP_MB } from "./read-past.ts";
import { readTrials } from "./read-trials.ts";
import type { BacktestOutcome, BacktestTask, ThreadNews } from "./serve-thread.ts";

/** Runs what waits, one after the other, each in a thread of its own. Done twice at once, each run is still done once. */
export async function runBacktests(context: Context, program: string): Promise<void> {
  for (let row = await claimBacktest(context); row !== null; row = await claimBacktest(context)) {
    await runClaimed(context, row, program);
    if (areThreadsReleased()) return;
  }
}

async function runClaimed(context: Context, row: ClaimedBacktest, program: string): Promise<void> {
  const { db, log, now } = context;
  const startedAt = performance.now();
  const end = await taskOf(context, row).then(
    (task) => playInThread(context, row, startThread(program, task, { maxOldGenerationSizeMb: PAST_HEAP_MB })),
    (error: unknown): End<BacktestOutcome> => {
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
        figures: asJson(figures),
        record: asJson(record),
        sessionsDone: record.days.sessions.length,
        sessionsTotal: record.days.sessions.length,
        readPercent: 100,
        finishedAt: now(),
      },
    });
    log.info("backtest.completed", {
      ...facts,
      count: record.days.sessions.length,
      state: count > 0 ? "stored" : "discarded",
    });
  } else if (end.kind === "failed") {
    await db.backtest.updateMany({
      where: mine,
      data: { status: "FAILED", error: end.message.slice(0, 500), finishedAt: now() },
    });
    log.warn("backtest.failed", { ...facts, reason: end.message });
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
    log.info("backtest.requeued", facts);
  } else {
    log.info("backtest.stopped", facts);
  }
}

async function taskOf({ db }: Context, row: ClaimedBacktest): Promise<BacktestTask> {
  const to = sessionOf(row.toDate);
  return {
    market: row.market,
    policy: await policyOf(db, row.policyVersion),
    preferences: preferencesOf(row),
    cash: text(row.cash),
    from: sessionOf(row.fromDate),
    to,
    companies: await knownCompanies({ db }, row.market, to),
    hasRotation: row.hasRotation,
    trials: await readTrials(db, row),
  };
}

function playInThread(context: Context, row: ClaimedBacktest, thread: Worker): Promise<End<BacktestOutcome>> {
  const { db, now } = context;
  return runThread<ThreadNews, Prisma.BacktestUpdateManyMutationInput, BacktestOutcome>(context, {
    id: row.id,
    thread,
    what: "The backtest",
    ask: "Choose fewer sessions.",
    progressOf: (news) =>
      news.kind === "read" ? { readPercent: news.percent } : { sessionsDone: news.done, sessionsTotal: news.total },
    beat: async (progress) => {
      const { count } = await db.backtest.updateMany({
        where: { id: row.id, status: "RUNNING", attempts: row.attempts },
        data: { beatAt: now(), ...progress },
      });
      return count > 0;
    },
  });
}
