import { randomUUID } from "node:crypto";
import * as bullmq from "bullmq";
import type { Job } from "@/lib/contracts/job.ts";
import type { Queue } from "../context.ts";
import { db } from "../db.ts";
import { currentTraceparent } from "../tracing.ts";
import { env } from "../env.ts";
import { isOnCluster } from "../redis-cluster.ts";
import { currentSplit, isCanarys } from "./canary.ts";
import type { Delivery } from "./define-job.ts";
import type { InProcessQueue } from "./in-process-queue.ts";
import { closeQueueClusters, homeOf, keyPrefix, queueCluster } from "./queue-cluster.ts";
import { trimFinished } from "./trim-finished.ts";

/**
 * The only home of BullMQ beside workers/main.ts. With REDIS_URL the queue lives in Redis (one server or a cluster), without
 * it in Postgres (BullMQ's own backend). The queue only wakes and spreads work: what is due stands in Postgres,
 * so losing the queue loses nothing.
 */
const ENQUEUE_TIMEOUT_MS = 2_000;
/** Finished jobs of a kind kept for the console. */
const KEEP = { count: 500 };

function backend() {
  const { REDIS_URL, DATABASE_URL } = env();
  if (REDIS_URL) {
    const { Queue, Worker } = bullmq;
    if (isOnCluster()) {
      return {
        ...{ Queue, Worker, keep: KEEP, trims: false },
        get consumer() {
          return { connection: queueCluster("consumer") };
        },
        get producer() {
          // Consumers ask for the version: a producer that asks while its client connects would be refused, and fail for good.
          return { connection: queueCluster("producer"), skipVersionCheck: true };
        },
      };
    }
    const connection = { url: REDIS_URL, maxRetriesPerRequest: null };
    // A producer wants to know at once that the queue is unavailable.
    const producer = { connection: { ...connection, enableOfflineQueue: false } };
    return { Queue, Worker, consumer: { connection }, producer, keep: KEEP, trims: false };
  }
  const classes = bullmq.withBackend(bullmq.createPostgresBackend);
  // Each kind of job has a queue and a consumer, which listens over one more: with larger pools a worker alone takes all
  // that a Postgres allows by default.
  const connection = { connectionString: DATABASE_URL, max: 1 } as unknown as bullmq.ConnectionOptions;
  return {
    Queue: classes.Queue as unknown as typeof bullmq.Queue,
    Worker: classes.Worker as unknown as typeof bullmq.Worker,
    consumer: { connection },
    producer: { connection },
    // BullMQ keeps all of them here, and the consumer the newest.
    keep: false,
    trims: true,
  };
}

const queues = new Map<string, bullmq.Queue>();

/** Jobs of one account have a second queue, which a canary worker consumes. */
export const queueName = ({ name }: Pick<Job, "name">, isForCanary = false): string =>
  isForCanary ? `${name}-canary` : name;

/** The queue of this name, made at first use. */
export function queueOf(name: string): bullmq.Queue {
  let queue = queues.get(name);
  if (!queue) {
    const { Queue, producer } = backend();
    queue = new Queue(name, { ...producer, prefix: keyPrefix(name) });
    // A lost connection is an event here, not an exception: the schedule in Postgres continues.
    queue.on("error", () => undefined);
    queues.set(name, queue);
  }
  return queue;
}

/** How long a server that did not answer is not asked again. */
const RETRY_AFTER_MS = 5_000;
const unavailableUntil = new Map<string, number>();

/** Work of many accounts goes to the queue in portions: each is answered well within the time that a queue has. */
const AT_ONCE = 200;

interface Wanted {
  scope: string;
  data: unknown;
}

/** The work by the name of its queue. */
async function byQueue(job: Job, wanted: readonly Wanted[]): Promise<[string, Wanted[]][]> {
  const { account } = job;
  if (account === undefined) return [[queueName(job), [...wanted]]];
  const split = await currentSplit(db());
  const isForCanary = ({ data }: Wanted) => isCanarys(split, account(data));
  return [
    [queueName(job), wanted.filter((one) => !isForCanary(one))],
    [queueName(job, true), wanted.filter(isForCanary)],
  ];
}

/** True when the queue took the work. */
async function add(job: Job, name: string, wanted: readonly Wanted[], traceparent: string | null): Promise<boolean> {
  if (performance.now() < (unavailableUntil.get(homeOf(name)) ?? 0)) return false;
  const { keep } = backend();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ENQUEUE_TIMEOUT_MS);
  });
  const all = wanted.map(({ scope, data }) => ({
    name: job.name,
    data,
    opts: {
      attempts: job.attempts,
      priority: job.priority,
      removeOnComplete: keep,
      removeOnFail: keep,
      deduplication: { id: scope },
      // Beside the payload, which stays what the contract says. Of work that is asked for twice the first asker's counts.
      ...(traceparent === null ? {} : { telemetry: { metadata: traceparent } }),
      // Unique over all queues: the console names a job by it.
      jobId: randomUUID(),
    },
  }));
  const [first] = all;
  const taking =
    first && all.length === 1 ? queueOf(name).add(first.name, first.data, first.opts) : queueOf(name).addBulk(all);
  const adding = taking.then(
    () => true,
    () => false,
  );
  const isTaken = await Promise.race([adding, late]);
  clearTimeout(timer);
  if (!isTaken) unavailableUntil.set(homeOf(name), performance.now() + RETRY_AFTER_MS);
  return isTaken;
}

/**
 * Wakes work through the queue. What it does not take within two seconds goes to `inProcess` (a worker runs it
 * itself), or waits for the next round of the schedule.
 */
export function queue(inProcess?: InProcessQueue): Queue {
  return {
    async enqueue(job, input) {
      const inputs: readonly unknown[] = Array.isArray(input) ? input : [input];
      const wanted = inputs.map((each) => {
        const data = job.input.parse(each);
        return { scope: job.scope(data), data };
      });
      const traceparent = currentTraceparent();
      for (const [name, all] of await byQueue(job, wanted))
        for (let first = 0; first < all.length; first += AT_ONCE) {
          const portion = all.slice(first, first + AT_ONCE);
          if (await add(job, name, portion, traceparent)) continue;
          for (const { scope, data } of portion) inProcess?.run(job, scope, data, traceparent);
        }
    },
  };
}

export interface Consumer {
  /** While it is held, no job is started; running jobs finish. */
  hold(isHeld: boolean): void;
  onError(listener: (error: Error) => void): void;
  /** Resolves when what runs has ended. */
  close(force?: boolean): Promise<void>;
}

/** Consumes one kind of job, or its part that is a canary's. `run` gets the raw payload: the door parses it. */
export function consume(
  job: Job,
  run: (data: unknown, delivery: Delivery) => Promise<void>,
  isForCanary = false,
): Consumer {
  const { Worker, consumer, trims } = backend();
  const deliver = async ({ data, attemptsMade, opts }: bullmq.Job) => {
    const traceparent: unknown = opts.telemetry?.metadata;
    await run(data, { attempt: attemptsMade + 1, traceparent: typeof traceparent === "string" ? traceparent : null });
  };
  const name = queueName(job, isForCanary);
  const worker = new Worker(name, deliver, {
    ...consumer,
    prefix: keyPrefix(name),
    concurrency: job.concurrency,
    // Work of a worker that died, or blocked longer than this, runs again elsewhere; every job is safe to run twice.
    lockDuration: 20_000,
    stalledInterval: 5_000,
  });
  if (trims) trimFinished(worker, () => queueOf(name), KEEP);
  const hold = holding(worker);
  restAfterErrors(worker, hold);
  let isClosing = false;
  return {
    // Releasing a consumer that is closing would start it again.
    hold(isHeld) {
      if (!isClosing) hold("switch", isHeld);
    },
    onError: (listener) => void worker.on("error", listener),
    close(force) {
      isClosing = true;
      return worker.close(force);
    },
  };
}

type Hold = (why: "switch" | "rest", isHeld: boolean) => void;

/** A consumer takes no jobs while any reason holds it: releasing one does not release the other. */
function holding(worker: bullmq.Worker): Hold {
  const holders = new Set<string>();
  return (why, isHeld) => {
    const wasHeld = holders.size > 0;
    if (isHeld) holders.add(why);
    else holders.delete(why);
    if (holders.size > 0 === wasHeld) return;
    if (wasHeld) void worker.resume();
    else void worker.pause(true).catch(() => undefined);
  };
}

/** How long a consumer rests whose queue answered with an error: a full disk, no memory. */
const REST_MS = 2_000;

/**
 * BullMQ asks again at once when the queue answers with an error; a full disk was asked hundreds of times a second. A lost connection has
 * its own back-off in the client and needs no rest.
 */
function restAfterErrors(worker: bullmq.Worker, hold: Hold): void {
  let timer: NodeJS.Timeout | undefined;
  worker.on("error", (error) => {
    if (timer !== undefined || !bullmq.isNotConnectionError(error)) return;
    hold("rest", true);
    timer = setTimeout(() => {
      timer = undefined;
      hold("rest", false);
    }, REST_MS);
  });
  worker.on("closing", () => clearTimeout(timer));
}

export async function closeQueues(): Promise<void> {
  await Promise.allSettled([...queues.values()].map((one) => one.close()));
  queues.clear();
  closeQueueClusters();
  unavailableUntil.clear();
}
