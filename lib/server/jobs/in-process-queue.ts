import type { Job } from "@/lib/contracts/job.ts";

export interface InProcessQueue {
  /** Runs the work in this process, soon. While one of the same scope runs, the newest payload waits for it. */
  run(job: Job, scope: string, data: unknown): void;
  /** Takes no more work, and resolves when the running work has ended. */
  close(): Promise<void>;
}

/**
 * What a worker does with work that the queue does not take (Redis is unavailable): it runs it itself, within the
 * job's own concurrency, one run of a scope at a time. What waits is bounded by the number of scopes.
 */
export function createInProcessQueue(run: (job: Job, data: unknown) => Promise<void>): InProcessQueue {
  const waiting = new Map<string, Map<string, { job: Job; data: unknown }>>();
  const active = new Map<string, Map<string, Promise<void>>>();
  let isClosed = false;

  function startWaiting(name: string): void {
    const queue = waiting.get(name) ?? new Map<string, { job: Job; data: unknown }>();
    const running = active.get(name) ?? new Map<string, Promise<void>>();
    active.set(name, running);
    for (const [scope, { job, data }] of queue) {
      if (isClosed || running.size >= job.concurrency) return;
      if (running.has(scope)) continue;
      queue.delete(scope);
      const done = run(job, data)
        // The run has logged its failure; the next round of the schedule enqueues the work again.
        .catch(() => undefined)
        .then(() => {
          running.delete(scope);
          startWaiting(name);
        });
      running.set(scope, done);
    }
  }

  return {
    run(job, scope, data) {
      if (isClosed) return;
      const queue = waiting.get(job.name) ?? new Map<string, { job: Job; data: unknown }>();
      waiting.set(job.name, queue);
      queue.set(scope, { job, data });
      startWaiting(job.name);
    },
    async close() {
      isClosed = true;
      await Promise.all([...active.values()].flatMap((running) => [...running.values()]));
    },
  };
}
