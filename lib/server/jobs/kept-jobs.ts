import type { Job } from "@/lib/contracts/job.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import type { Job as QueuedJob } from "bullmq";
import { db } from "../db.ts";
import { currentSplit } from "./canary.ts";
import { queueName, queueOf } from "./queue.ts";

/** One job as the queue keeps it. */
export interface JobReading {
  id: string;
  type: string;
  status: "pending" | "processing" | "completed" | "failed";
  /** Times that it began, and may begin. */
  attemptsMade: number;
  attempts: number;
  error: string | null;
  data: Record<string, unknown>;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
}

export type JobCounts = Record<JobReading["status"], number>;

export interface QueueReading {
  counts: JobCounts;
  /** Newest first, the newest of each state and kind of job. */
  latest: JobReading[];
}

const STATES = {
  pending: ["waiting", "prioritized", "delayed", "waiting-children"],
  processing: ["active"],
  completed: ["completed"],
  failed: ["failed"],
} as const;
type State = keyof typeof STATES;
const STATE_NAMES = Object.keys(STATES) as State[];

/** Of each state and kind of job. */
const LATEST = 10;
const PATIENCE_MS = 2_000;

const JOBS: readonly Job[] = Object.values(jobs);

/** Every queue; those of a canary while accounts are shared out to one. */
async function names(): Promise<string[]> {
  const { share } = await currentSplit(db());
  const ofCanary = share > 0 ? JOBS.filter(({ account }) => account !== undefined) : [];
  return [...JOBS.map((job) => queueName(job)), ...ofCanary.map((job) => queueName(job, true))];
}
const ofEach = async <T>(read: (name: string) => Promise<T>) => Promise.all((await names()).map(read));

async function withPatience<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The state of all queues now. Throws where they do not answer within two seconds. */
export async function readJobs(): Promise<QueueReading> {
  const read = await withPatience(ofEach(readOne));
  const latest = read.flatMap((one) => one.latest);
  return {
    counts: sumOf(read.map(({ counts }) => counts)),
    latest: latest.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime()),
  };
}

/** Jobs in the queues of all kinds together; null while the queue does not answer. */
export async function readQueueDepth(): Promise<JobCounts | null> {
  try {
    return sumOf(await withPatience(ofEach(countsOf)));
  } catch {
    return null;
  }
}

function sumOf(all: readonly JobCounts[]): JobCounts {
  const sum = (state: State) => all.reduce((total, counts) => total + counts[state], 0);
  return { pending: sum("pending"), processing: sum("processing"), completed: sum("completed"), failed: sum("failed") };
}

async function countsOf(name: string): Promise<JobCounts> {
  const raw = await queueOf(name).getJobCounts(...Object.values(STATES).flat());
  const sum = (state: State) => STATES[state].reduce((total, of) => total + (raw[of] ?? 0), 0);
  return { pending: sum("pending"), processing: sum("processing"), completed: sum("completed"), failed: sum("failed") };
}

async function readOne(name: string): Promise<QueueReading> {
  const queue = queueOf(name);
  const counts = await countsOf(name);
  const latest: JobReading[] = [];
  for (const state of STATE_NAMES) {
    if (counts[state] === 0) continue;
    for (const item of await queue.getJobs([...STATES[state]], 0, LATEST - 1, false))
      // A job may be removed between the list and its reading.
      if (item) latest.push(readingOf(item, state));
  }
  return { counts, latest };
}

const dateOf = (ms: number | undefined) => (ms === undefined ? null : new Date(ms));

function readingOf(item: QueuedJob, status: State): JobReading {
  const isOver = status === "completed" || status === "failed";
  return {
    id: item.id ?? "",
    type: item.name,
    status,
    attemptsMade: item.attemptsMade,
    attempts: item.opts.attempts ?? 1,
    error: status === "failed" ? (item.failedReason ?? null) : null,
    data: (item.data ?? {}) as Record<string, unknown>,
    createdAt: new Date(item.timestamp),
    startedAt: status === "pending" ? null : dateOf(item.processedOn),
    completedAt: isOver ? dateOf(item.finishedOn) : null,
  };
}

async function failedJob(id: string): Promise<QueuedJob | "unknown" | "not-failed"> {
  for (const name of await names()) {
    const found = (await queueOf(name).getJob(id)) as QueuedJob | undefined;
    if (found) return (await found.isFailed()) ? found : "not-failed";
  }
  return "unknown";
}

/** The job with this id: a failed one may be retried. */
export async function stateOfJob(id: string): Promise<"failed" | "unknown" | "not-failed"> {
  const found = await withPatience(failedJob(id));
  return typeof found === "string" ? found : "failed";
}

/** Puts a failed job back into its queue; false when it is no longer failed. */
export async function retryJob(id: string): Promise<boolean> {
  const found = await withPatience(failedJob(id));
  if (typeof found === "string") return false;
  await withPatience(found.retry("failed"));
  return true;
}

/** Puts every failed job back into its queue; answers how many there were. */
export async function retryFailedJobs(): Promise<number> {
  let retried = 0;
  for (const name of await names()) {
    const queue = queueOf(name);
    retried += await withPatience(queue.getFailedCount());
    await withPatience(queue.retryJobs({ state: "failed" }));
  }
  return retried;
}
