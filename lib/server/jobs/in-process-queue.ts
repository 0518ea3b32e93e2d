import type { Job } from "@/lib/contracts/job.ts";
import type { Delivery } from "./define-job.ts";

export interface InProcessQueue {
  /** Runs the work in this process, soon. While one of the same scope runs, the newest payload waits for it. */
  run(job: Job, scope: string, data: unknown, traceparent?: string | null): void;
  /** While it is held, no work is started; what runs finishes. */
  hold(isHeld: boolean): void;
  /** Takes no more work, and resolves when the running work has ended. */
  close(): Promise<void>;
}

interface Waiting {
  job: Job;
  data: unknown;
  traceparent: string | null;
}

/**
 * What a worker does with work that the queue does not take (Redis is unavailable): it runs it itself, within the
 * job's own concurrency, one run of a scope at a time. What waits is bounded by the number of scopes.
 */
export function createInProcessQueue(
  run: (job: Job, data: unknown, delivery: Delivery) => Promise<void>,
): InProcessQueue {
  const waiting = new Map<string, Map<string, Waiting>>();
  const active = new Map<string, Map<string, Promise<void>>>();
  let isClosed = false;
  let isHeld = false;

  function startWaiting(name: string): void {
    const queue = waiting.get(name) ?? new Map<string, Waiting>();
    const running = active.get(name) ?? new Map<string, Promise<void>>();
    active.set(name, running);
    for (const [scope, { job, data, traceparent }] of queue) {
      if (isClosed || isHeld || running.size >= job.concurrency) return;
      if (running.has(scope)) continue;
      queue.delete(scope);
      const done = run(job, data, { attempt: 1, traceparent })
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
    run(job, scope, data, traceparent = null) {
      if (isClosed) return;
      const queue = waiting.get(job.name) ?? new Map<string, Waiting>();
      waiting.set(job.name, queue);
      queue.set(scope, { job, data, traceparent });
      startWaiting(job.name);
    },
    hold(next) {
      isHeld = next;
      if (!isHeld) for (const name of waiting.keys()) startWaiting(name);
    },
    async close() {
      isClosed = true;
      await Promise.all([...active.values()].flatMap((running) => [...running.values()]));
    },
  };
}
