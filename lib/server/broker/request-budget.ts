/** The queue of this process in front of one account's bucket: what is urgent goes first. */
import { PRIORITIES, type Priority, type TokenBucket } from "./token-bucket.ts";

export interface RequestBudget {
  /** True when the request may go now; false when it had to wait longer than `maxWaitMs`. */
  take(priority: Priority, maxWaitMs: number): Promise<boolean>;
  /** The broker asked to wait (429): nothing goes for so long, not even a cancel. */
  pause(ms: number): void;
  /** How long nothing goes yet, wall milliseconds. */
  pausedForMs(): number;
}

interface Waiting {
  priority: Priority;
  expiresAtMs: number;
  answer: (isFree: boolean) => void;
}

export function createRequestBudget(bucket: TokenBucket): RequestBudget {
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isServing = false;
  let isAskedAgain = false;

  /** One pass over the kinds that wait, most urgent first; answers when it is worth looking again. */
  async function serveOnce(): Promise<number> {
    let lookInMs = Infinity;
    for (const priority of PRIORITIES) {
      while (waiting.some((request) => request.priority === priority)) {
        const freeInMs = await bucket.take(priority);
        if (freeInMs > 0) {
          lookInMs = Math.min(lookInMs, freeInMs);
          break;
        }
        const next = waiting.findIndex((request) => request.priority === priority);
        waiting.splice(next, 1)[0]?.answer(true);
      }
    }
    return lookInMs;
  }

  /** Only this function takes requests out of the queue, and it runs once at a time. */
  async function serve(): Promise<void> {
    isAskedAgain = true;
    if (isServing) return;
    isServing = true;
    clearTimeout(timer);
    let lookInMs = Infinity;
    try {
      while (isAskedAgain) {
        isAskedAgain = false;
        const nowMs = performance.now();
        for (const late of waiting.filter(({ expiresAtMs }) => expiresAtMs <= nowMs)) late.answer(false);
        waiting = waiting.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
        lookInMs = await serveOnce();
      }
    } finally {
      isServing = false;
    }
    if (waiting.length === 0) return;
    const expiresInMs = Math.min(...waiting.map(({ expiresAtMs }) => expiresAtMs)) - performance.now();
    timer = setTimeout(() => void serve(), Math.max(1, Math.ceil(Math.min(lookInMs, expiresInMs))));
  }

  return {
    take(priority, maxWaitMs) {
      return new Promise((answer) => {
        waiting.push({ priority, expiresAtMs: performance.now() + maxWaitMs, answer });
        void serve();
      });
    },
    pause(ms) {
      bucket.pause(ms);
      void serve();
    },
    pausedForMs: () => bucket.pausedForMs(),
  };
}
