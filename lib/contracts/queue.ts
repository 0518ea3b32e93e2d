import * as z from "zod";
import { instantOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";

export const jobOut = z.object({
  id: z.string(),
  /** The job's name: "order-status". */
  type: z.string(),
  status: z.enum(["pending", "processing", "completed", "failed"]),
  retryCount: z.number().int(),
  maxRetries: z.number().int(),
  error: z.string().nullable(),
  /** Ids only: the worker reads everything else from the database. */
  data: z.record(z.string(), z.unknown()),
  createdAt: instantOut,
  startedAt: instantOut.nullable(),
  completedAt: instantOut.nullable(),
});

/** Null while the queue cannot be reached. */
const countOut = z.number().int().nullable();

export const queueStatusOut = z.object({
  active: z.boolean(),
  pendingJobs: countOut,
  processingJobs: countOut,
  /** Of the finished jobs that are kept: the last 500 of each kind. */
  completedJobs: countOut,
  failedJobs: countOut,
  totalJobs: countOut,
  /** milliseconds, over the last completed jobs; null before the first */
  averageProcessingTime: z.number().nullable(),
  /** wall time */
  lastCheck: instantOut,
  /** Newest first; the newest failed ones are always among them. */
  recentJobs: z.array(jobOut),
  /** Why the counts are missing; null while the queue answers. */
  unreachable: z.string().nullable(),
  /** Work that ended its worker three times in a row and has not run since, newest first. Work of no account is tried again by itself. */
  deadLettered: z.array(
    z.object({
      /** "<job>:<scope>" */
      key: z.string(),
      type: z.string(),
      deadLetteredAt: instantOut,
      error: z.string().nullable(),
      /** Set for work of one account: it runs again when the account is resumed. */
      accountId: z.string().nullable(),
    }),
  ),
});

export const queueApi = {
  status: endpoint({
    method: "GET",
    path: "/admin/queue/status",
    access: "admin",
    limit: "admin",
    summary: "The queue of all workers: whether it is active, its counts, and its latest jobs.",
    input: z.strictObject({}),
    output: queueStatusOut,
  }),
  toggle: endpoint({
    method: "POST",
    path: "/admin/queue/toggle",
    access: "admin",
    limit: "admin",
    stepUp: "loosening",
    summary:
      "Makes the queue active or inactive: while it is inactive, workers start no job and the schedule wakes none. Fills are followed and stops are kept regardless.",
    input: z.strictObject({ active: z.boolean("Say whether the queue is active.") }),
    output: z.object({ active: z.boolean() }),
  }),
  retry: endpoint({
    method: "POST",
    path: "/admin/queue/retry",
    access: "admin",
    limit: "admin",
    summary: "Retries one failed job ({ jobId }) or all of them ({ all: true }).",
    input: z.union([
      z.strictObject({ all: z.literal(true) }),
      z.strictObject({ jobId: z.string().min(1, "A job id is required.").max(200, "Not a job id.") }),
    ]),
    output: z.object({ retried: z.number().int() }),
  }),
};
