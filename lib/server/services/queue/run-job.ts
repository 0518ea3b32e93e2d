import { Failure, isRetryable } from "@/lib/domain/failures.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import { sinceMs } from "@/lib/domain/wall-clock.ts";
import type { Context } from "../../context.ts";
import type { Delivery, JobDoor, Work } from "../../jobs/define-job.ts";
import { metrics } from "../../metrics.ts";
import { traced } from "../../tracing.ts";
import { logUserEvents } from "../../core/log-user-events.ts";
import { haltAccount } from "../../core/halt-account.ts";
import { inTransaction } from "../../core/transaction.ts";
import { recordEnded, recordFinished } from "../schedule/take-due.ts";
import { scheduleKey } from "../schedule/schedule-keys.ts";
import { messageOf } from "../../message-of.ts";

/** Consecutive runs that started and did not finish, because their worker died. */
const MOST_UNFINISHED = 3;
/** Work of no account, or of a deleted one, is tried again after this; an account's waits for the person who resumes the account. */
const DEAD_FOR_MS = 10 * MINUTE_MS;

const FIRST: Delivery = { attempt: 1, traceparent: null };

/**
 * Runs one job. The queue is untrusted input: a payload that does not parse is never tried again. A run is
 * noted before it begins and when it ends, so a job that kills its worker is dead-lettered after three deaths
 * instead of taking the other accounts down with it: its account is halted until a person resumes it.
 */
export async function runJob(context: Context, door: JobDoor, data: unknown, delivery = FIRST): Promise<void> {
  const { name } = door.job;
  const work = door.open(data);
  const market = work?.market ?? null;
  await traced(
    "job",
    { job: name, attempt: delivery.attempt, ...(market === null ? {} : { market }) },
    () => runWork(context, name, work),
    // Where a job happens to be started says nothing about the caller.
    { parent: delivery.traceparent, isRoot: delivery.traceparent === null },
  );
}

async function runWork(context: Context, name: string, work: Work | null): Promise<void> {
  const { log } = context;
  if (work === null) {
    log.error("job.rejected", { job: name });
    return;
  }
  const key = scheduleKey(name, work.scope);
  if (!(await begin(context, { key, job: name, accountId: work.accountId }))) return;
  const startedAt = performance.now();
  const ended = (outcome: "done" | "failed") =>
    metrics().jobs.observe({ work: name, outcome }, (performance.now() - startedAt) / 1000);
  try {
    await work.run(context);
    ended("done");
    log.debug("job.completed", { job: name, durationMs: Math.round(performance.now() - startedAt) });
    await end(context, key);
  } catch (error) {
    ended("failed");
    // An unavailable broker is asked again by the next round.
    const level = error instanceof Failure && isRetryable(error) ? "warn" : "error";
    log[level]("job.failed", { job: name, accountId: work.accountId, err: error });
    // Where the database is unavailable the end cannot be recorded either; what matters is the job's own error.
    await end(context, key, error).catch(() => undefined);
    throw error;
  }
}

/** False for an account that never was: nothing is noted of such a job, however many there are. */
async function isAboutSomething({ db }: Context, accountId: string | null): Promise<boolean> {
  if (accountId === null) return true;
  return (await db.account.findUnique({ where: { id: accountId }, select: { id: true } })) !== null;
}

interface Run {
  key: string;
  job: string;
  accountId: string | null;
}

/** Records the run of a job that ended well before, in one statement: nearly every run. False where there is more to look at. */
async function beginPlain({ db, now }: Context, { key, job, accountId }: Run): Promise<boolean> {
  const begun = await db.$executeRaw`
    insert into "JobRun" as r ("key", "job", "unfinished", "startedAt")
    select ${key}, ${job}, 1, ${now()}::timestamptz
    where ${accountId}::uuid is null or exists (select 1 from "Account" where "id" = ${accountId}::uuid)
    on conflict ("key") do update set "unfinished" = r."unfinished" + 1, "startedAt" = excluded."startedAt"
    where r."deadAt" is null and r."unfinished" < ${MOST_UNFINISHED}::int`;
  return begun === 1;
}

/** Records the run; false when the job is about nothing, or dead-lettered, and must not run. */
async function begin(context: Context, run: Run): Promise<boolean> {
  const { key, job, accountId } = run;
  const { db, log } = context;
  if (await beginPlain(context, run)) return true;
  if (!(await isAboutSomething(context, accountId))) {
    log.error("job.rejected", { job });
    return false;
  }
  const at = context.now();
  const known = await db.jobRun.findUnique({ where: { key } });
  if (known?.deadAt && !(await isRevived(context, known.deadAt, accountId))) {
    log.warn("job.skipped", { job, accountId, deadAt: known.deadAt });
    await recordFinished(context, key, known.lastError);
    return false;
  }
  if (!known?.deadAt && known && known.unfinished >= MOST_UNFINISHED) {
    await giveUp(context, { key, job, accountId, at });
    return false;
  }
  await db.jobRun.upsert({
    where: { key },
    create: { key, job, unfinished: 1, startedAt: at },
    update: { unfinished: known?.deadAt ? 1 : { increment: 1 }, startedAt: at, deadAt: null },
  });
  return true;
}

async function isRevived({ db, now }: Context, deadAt: Date, accountId: string | null): Promise<boolean> {
  const account =
    accountId === null
      ? null
      : await db.account.findUnique({ where: { id: accountId }, select: { haltedAt: true, deletedAt: true } });
  // A deleted account is neither halted nor resumed.
  if (account === null || account.deletedAt !== null) return sinceMs(deadAt, now()) >= DEAD_FOR_MS;
  return account.haltedAt === null;
}

async function giveUp(context: Context, { key, job, accountId, at }: Run & { at: Date }): Promise<void> {
  const reason = `${job} ended its worker ${MOST_UNFINISHED} times in a row`;
  context.log.error("job.dead-lettered", { job, accountId, reason });
  await inTransaction(context, async (tx) => {
    await tx.jobRun.update({ where: { key }, data: { deadAt: at, lastError: reason } });
    if (accountId !== null) await haltAccount(context, tx, accountId, reason);
    else await logUserEvents(tx, [{ level: "error", message: reason, userId: null, marketAt: null }]);
  });
}

async function end(context: Context, key: string, error?: unknown): Promise<void> {
  const lastError = error === undefined ? null : messageOf(error).slice(0, 500);
  await recordEnded(context, key, lastError);
}
