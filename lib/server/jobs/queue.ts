import * as bullmq from "bullmq";
import type { Job } from "@/lib/contracts/job.ts";
import type { Queue } from "../context.ts";
import { env } from "../env.ts";

/**
 * The only home of BullMQ beside workers/main.ts. With REDIS_URL the queue lives in Redis, without it in
 * Postgres (BullMQ's own backend). The queue only wakes and spreads work: what is due stands in Postgres,
 * so losing the queue loses nothing.
 */
const ENQUEUE_TIMEOUT_MS = 2_000;
/** Finished jobs kept for the console. */
const KEEP = { count: 500 };

function backend() {
  const { REDIS_URL, DATABASE_URL } = env();
  if (REDIS_URL) {
    return {
      kind: "redis" as const,
      Queue: bullmq.Queue,
      Worker: bullmq.Worker,
      connection: { url: REDIS_URL, maxRetriesPerRequest: null },
      keep: KEEP,
    };
  }
  const classes = bullmq.withBackend(bullmq.createPostgresBackend);
  return {
    kind: "postgres" as const,
    Queue: classes.Queue as unknown as typeof bullmq.Queue,
    Worker: classes.Worker as unknown as typeof bullmq.Worker,
    connection: { connectionString: DATABASE_URL, max: 4 } as unknown as bullmq.ConnectionOptions,
    // Retention by count deadlocks in this backend and marks good jobs failed.
    keep: { count: 0 },
  };
}

/** Prepares the Postgres backend's own tables; nothing to do on Redis. */
export async function prepareQueue(client: {
  query: (sql: string, values?: unknown[]) => Promise<unknown>;
}): Promise<void> {
  if (backend().kind === "postgres") await bullmq.runMigrations(client as Parameters<typeof bullmq.runMigrations>[0]);
}

const queues = new Map<string, bullmq.Queue>();

function queueOf(name: string): bullmq.Queue {
  let queue = queues.get(name);
  if (!queue) {
    const { Queue, connection } = backend();
    queue = new Queue(name, { connection, prefix: env().QUEUE_PREFIX });
    // A lost connection is an event here, not an exception: the schedule in Postgres goes on.
    queue.on("error", () => undefined);
    queues.set(name, queue);
  }
  return queue;
}

/** Enqueues, or gives up quietly after two seconds: the poller of the schedule is the doorbell's backup. */
export function queue(): Queue {
  return {
    async enqueue(job, input, options = {}) {
      const data = job.input.parse(input);
      const { keep } = backend();
      const adding = queueOf(job.name).add(job.name, data, {
        attempts: job.attempts,
        priority: job.priority,
        removeOnComplete: keep,
        removeOnFail: keep,
        ...(options.dedupeId ? { deduplication: { id: options.dedupeId } } : {}),
      });
      adding.catch(() => undefined);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ENQUEUE_TIMEOUT_MS);
      });
      await Promise.race([
        adding.then(
          () => undefined,
          () => undefined,
        ),
        late,
      ]);
      clearTimeout(timer);
    },
  };
}

/** Consumes one kind of job. `run` gets the raw payload: the door parses it. */
export function consume(job: Job, run: (data: unknown) => Promise<void>): bullmq.Worker {
  const { Worker, connection } = backend();
  return new Worker(job.name, async (item) => run(item.data), {
    connection,
    prefix: env().QUEUE_PREFIX,
    concurrency: job.concurrency,
    // Work that blocks longer than this runs a second time elsewhere; every job is safe to run twice.
    lockDuration: 60_000,
  });
}

export async function closeQueues(): Promise<void> {
  await Promise.allSettled([...queues.values()].map((one) => one.close()));
  queues.clear();
}
