import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { queueApi } from "@/lib/contracts/queue.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { retryFailedJobs, retryJob, stateOfJob } from "../../jobs/kept-jobs.ts";
import { inTransaction } from "../../core/transaction.ts";
import { accountsOfRuns } from "./accounts-of-runs.ts";

/**
 * Puts failed jobs back into the queue, or lets work that was dead-lettered run again. Every job may run twice, so a retry
 * beside the next turn of the schedule is harmless. The audit row is committed before the queue is asked.
 */
export async function retryJobs(
  context: Context,
  input: Received<typeof queueApi.retry>,
): Promise<Given<typeof queueApi.retry>> {
  if ("all" in input) {
    await inTransaction(context, (tx) => audit(context, tx, { all: true }));
    return { retried: await reached(retryFailedJobs) };
  }
  const { jobId } = input;
  if (await reviveDeadLetter(context, jobId)) return { retried: 1 };
  const state = await reached(() => stateOfJob(jobId));
  if (state === "unknown") throw new Failure("not_found", "Job not found.");
  if (state === "not-failed") throw new Failure("conflict", "Only a failed job can be retried.");
  await inTransaction(context, (tx) => audit(context, tx, { jobId }));
  return { retried: (await reached(() => retryJob(jobId))) ? 1 : 0 };
}

async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw new Failure("unavailable", "The queue does not answer. Try again in a moment.", { cause: error });
  }
}

/** Work of an account stays where it is: resuming the account lets it run. */
async function reviveDeadLetter(context: Context, key: string): Promise<boolean> {
  return inTransaction(context, async (tx) => {
    const run = await tx.jobRun.findUnique({ where: { key } });
    if (run?.deadAt == null) return false;
    if ((await accountsOfRuns(tx, [run])).has(key))
      throw new Failure("conflict", "This job belongs to one account. Resume the account to run it again.");
    await tx.jobRun.update({ where: { key }, data: { deadAt: null, unfinished: 0 } });
    await audit(context, tx, { jobId: key });
    return true;
  });
}

async function audit({ actor, now, request }: Context, tx: Tx, data: { jobId: string } | { all: true }): Promise<void> {
  await recordAudit(tx, {
    at: now(),
    eventType: "JOBS_RETRIED",
    ...callFacts({ actor, request }),
    data,
  });
}
