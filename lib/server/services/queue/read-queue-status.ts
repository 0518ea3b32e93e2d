import type { Given } from "@/lib/contracts/endpoint.ts";
import type { queueApi } from "@/lib/contracts/queue.ts";
import type { Context } from "../../context.ts";
import { readJobs, type JobReading } from "../../jobs/kept-jobs.ts";
import { scrub } from "../../json-lines.mjs";
import { accountsOfRuns } from "./accounts-of-runs.ts";

/** Of every state. */
const RECENT = 30;
/** Failed ones are shown even where many newer jobs went well. */
const RECENT_FAILED = 10;
const DEAD_LETTERED = 50;

/** The queue for administrators. Where it does not answer, it answers what the database knows, and why the rest is missing. */
export async function readQueueStatus({ db, now, log }: Context): Promise<Given<typeof queueApi.status>> {
  const [system, dead, reading] = await Promise.all([
    db.systemState.findUniqueOrThrow({ where: { id: 1 }, select: { isQueueActive: true } }),
    db.jobRun.findMany({ where: { deadAt: { not: null } }, orderBy: { deadAt: "desc" }, take: DEAD_LETTERED }),
    readJobs().catch((error: unknown) => {
      log.warn("queue.read-failed", { err: error });
      return null;
    }),
  ]);
  const accounts = await accountsOfRuns(db, dead);
  const counts = reading?.counts ?? null;
  return {
    active: system.isQueueActive,
    pendingJobs: counts?.pending ?? null,
    processingJobs: counts?.processing ?? null,
    completedJobs: counts?.completed ?? null,
    failedJobs: counts?.failed ?? null,
    totalJobs: counts === null ? null : Object.values(counts).reduce((total, count) => total + count, 0),
    averageProcessingTime: meanMs(reading?.latest ?? []),
    lastCheck: now(),
    recentJobs: recent(reading?.latest ?? []).map(jobView),
    unreachable: reading === null ? "The queue does not answer." : null,
    deadLettered: dead.map(({ key, job, deadAt, lastError }) => ({
      key,
      type: job,
      deadLetteredAt: deadAt ?? now(),
      error: lastError === null ? null : scrub(lastError),
      accountId: accounts.get(key) ?? null,
    })),
  };
}

function recent(latest: readonly JobReading[]): JobReading[] {
  const failed = latest.filter(({ status }) => status === "failed").slice(0, RECENT_FAILED);
  const shown = new Set([...latest.slice(0, RECENT), ...failed]);
  return latest.filter((job) => shown.has(job));
}

/** Mean time of the completed jobs among them, ms; null without one. */
function meanMs(latest: readonly JobReading[]): number | null {
  const times = latest.flatMap(({ status, startedAt, completedAt }) =>
    status === "completed" && startedAt !== null && completedAt !== null
      ? [completedAt.getTime() - startedAt.getTime()]
      : [],
  );
  if (times.length === 0) return null;
  return Math.round((10 * times.reduce((total, ms) => total + ms, 0)) / times.length) / 10;
}

function jobView({ attemptsMade, attempts, error, ...job }: JobReading) {
  const retryCount = Math.max(0, attemptsMade - 1);
  return {
    ...job,
    error: error === null ? null : scrub(error),
    retryCount,
    // A person may let a job begin again beyond what it does by itself: never "1 of 0".
    maxRetries: Math.max(retryCount, attempts - 1),
  };
}
