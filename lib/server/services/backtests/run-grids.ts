import { ownPlace } from "@/lib/domain/backtest/grid.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { text } from "@/lib/domain/money.ts";
import { asJson, gridAxesOf, preferencesOf } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { sessionOf } from "../../rows.ts";
import { startThread } from "../../start-thread.ts";
import { areThreadsReleased, runThread, type End } from "../queue/run-thread.ts";
import { type ClaimedGrid, claimGrid } from "./claim-grid.ts";
import { knownCompanies } from "./known-companies.ts";
import { policyOf } from "./policy-of.ts";
import { PAST_HEAP_MB } from "./read-past.ts";
import type { GridNews, GridOutcome, GridTask } from "./serve-grid.ts";

/** Makes the grids that wait, one after the other, each in a thread of its own. Done twice at once, each is still made once. */
export async function runGrids(context: Context, program: string): Promise<void> {
  for (let row = await claimGrid(context); row !== null; row = await claimGrid(context)) {
    await runClaimed(context, row, program);
    if (areThreadsReleased()) return;
  }
}

async function runClaimed(context: Context, row: ClaimedGrid, program: string): Promise<void> {
  const { db, log, now } = context;
  const startedAt = performance.now();
  const end = await taskOf(context, row).then(
    (task) => playInThread(context, row, task, program),
    (error: unknown): End<GridOutcome> => {
      if (error instanceof Failure) return { kind: "failed", message: error.message };
      throw error;
    },
  );
  const where = { id: row.id, status: "RUNNING", attempts: row.attempts } as const;
  const facts = { jobId: row.id, durationMs: Math.round(performance.now() - startedAt) };
  if (end.kind === "done") {
    const count = end.outcome.flat().length;
    const { count: stored } = await db.backtestGrid.updateMany({
      where,
      data: {
        status: "DONE",
        result: asJson(end.outcome),
        ...triesOf(row, end.outcome),
        runsDone: count,
        readPercent: 100,
        finishedAt: now(),
      },
    });
    log.info("backtest-grid.completed", { ...facts, count, state: stored > 0 ? "stored" : "discarded" });
  } else if (end.kind === "failed") {
    await db.backtestGrid.updateMany({
      where,
      data: { status: "FAILED", error: end.message.slice(0, 500), finishedAt: now() },
    });
    log.warn("backtest-grid.failed", { ...facts, reason: end.message });
  } else if (end.kind === "released") {
    const waiting = { runsDone: 0, readPercent: null, startedAt: null, beatAt: null };
    await db.backtestGrid.updateMany({ where, data: { status: "QUEUED", ...waiting } });
    log.info("backtest-grid.requeued", facts);
  } else {
    log.info("backtest-grid.stopped", facts);
  }
}

/** Every cell but the backtest's own, which is counted already. */
function triesOf(row: ClaimedGrid, cells: GridOutcome): { tries: number; sharpes: number[] } {
  const { rows, columns } = gridAxesOf(row);
  const settings = preferencesOf(row.backtest);
  const own = { row: ownPlace(rows, settings), column: ownPlace(columns, settings) };
  const others = cells.flatMap((line, i) => line.filter((_, j) => i !== own.row || j !== own.column));
  return { tries: others.length, sharpes: others.flatMap(({ sharpe }) => sharpe.value ?? []) };
}

async function taskOf({ db }: Context, row: ClaimedGrid): Promise<GridTask> {
  const { backtest } = row;
  const to = sessionOf(backtest.toDate);
  return {
    ...gridAxesOf(row),
    market: backtest.market,
    policy: await policyOf(db, backtest.policyVersion),
    preferences: preferencesOf(backtest),
    cash: text(backtest.cash),
    from: sessionOf(backtest.fromDate),
    to,
    companies: await knownCompanies({ db }, backtest.market, to),
    hasRotation: backtest.hasRotation,
  };
}

function playInThread(context: Context, row: ClaimedGrid, task: GridTask, program: string) {
  const { db, now } = context;
  return runThread<GridNews, Prisma.BacktestGridUpdateManyMutationInput, GridOutcome>(context, {
    id: row.id,
    thread: startThread(program, task, { maxOldGenerationSizeMb: PAST_HEAP_MB }),
    what: "The grid",
    ask: "Vary the settings of a shorter backtest.",
    progressOf: (news) => (news.kind === "read" ? { readPercent: news.percent } : { runsDone: news.done }),
    // One that was replaced by the next question, or went with its backtest, no longer has a row, and ends.
    beat: async (progress) => {
      const { count } = await db.backtestGrid.updateMany({
        where: { id: row.id, status: "RUNNING", attempts: row.attempts },
        data: { beatAt: now(), ...progress },
      });
      return count > 0;
    },
  });
}
