import { Failure } from "@/lib/domain/failures.ts";
import { asJson } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { startThread } from "../../start-thread.ts";
import { areThreadsReleased, runThread, type End } from "../queue/run-thread.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { claimWhatIf } from "./claim-what-if.ts";
import type { WhatIfOutcome, WhatIfProgress, WhatIfTask } from "./serve-what-if.ts";
import { contentOf } from "./stored-policy.ts";
import type { WhatIfRow } from "./what-if-view.ts";

/** Beyond this a thread ends by itself, and its worker does not. */
const THREAD_HEAP_MB = 1_024;

/** Runs what waits, one after the other, each in a thread of its own. Done twice at once, each run is still done once. */
export async function runWhatIfs(context: Context, program: string): Promise<void> {
  for (let row = await claimWhatIf(context); row !== null; row = await claimWhatIf(context)) {
    await runClaimed(context, row, program);
    if (areThreadsReleased()) return;
  }
}

async function runClaimed(context: Context, row: WhatIfRow, program: string): Promise<void> {
  const { db, log, now } = context;
  const startedAt = performance.now();
  const end = await taskOf(context, row).then(
    (task) => playInThread(context, row, task, program),
    (error: unknown): End<WhatIfOutcome> => {
      if (error instanceof Failure) return { kind: "failed", message: error.message };
      throw error;
    },
  );
  const where = { id: row.id, status: "RUNNING", attempts: row.attempts } as const;
  const facts = { jobId: row.id, durationMs: Math.round(performance.now() - startedAt) };
  if (end.kind === "done") {
    const decisions = end.outcome.environments.reduce((all, part) => all + part.decisions, 0);
    const { count } = await db.whatIf.updateMany({
      where,
      data: {
        status: "DONE",
        report: asJson(end.outcome),
        decisionsDone: decisions,
        decisionsTotal: decisions,
        finishedAt: now(),
      },
    });
    log.info("what-if.completed", { ...facts, count: decisions, state: count > 0 ? "stored" : "discarded" });
  } else if (end.kind === "failed") {
    await db.whatIf.updateMany({
      where,
      data: { status: "FAILED", error: end.message.slice(0, 500), finishedAt: now() },
    });
    log.warn("what-if.failed", { ...facts, reason: end.message });
  } else if (end.kind === "released") {
    await db.whatIf.updateMany({
      where,
      data: { status: "QUEUED", decisionsDone: 0, decisionsTotal: null, beatAt: null, startedAt: null },
    });
    log.info("what-if.requeued", facts);
  } else {
    log.info("what-if.stopped", facts);
  }
}

async function taskOf(context: Context, row: WhatIfRow): Promise<WhatIfTask> {
  return {
    policy: contentOf({ version: row.version, content: row.policy }),
    inForce: await activePolicy(context),
    cycles: row.cycles,
  };
}

function playInThread(context: Context, row: WhatIfRow, task: WhatIfTask, program: string) {
  const { db, now } = context;
  return runThread<WhatIfProgress, Prisma.WhatIfUpdateManyMutationInput, WhatIfOutcome>(context, {
    id: row.id,
    thread: startThread(program, task, { maxOldGenerationSizeMb: THREAD_HEAP_MB }),
    what: "The what-if",
    ask: "Choose fewer cycles.",
    progressOf: ({ done, total }) => ({ decisionsDone: done, decisionsTotal: total }),
    beat: async (progress) => {
      const { count } = await db.whatIf.updateMany({
        where: { id: row.id, status: "RUNNING", attempts: row.attempts },
        data: { beatAt: now(), ...progress },
      });
      return count > 0;
    },
  });
}
