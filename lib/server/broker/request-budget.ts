/**
 * The token bucket in front of one account's broker. The broker allows 200 requests a minute and account;
 * we use 120 of them, so that a person's own tools and a second process of ours have room. Requests that
 * must not wait (cancels, lookups of orders in doubt) may go into the rest, and are first in line beyond it.
 */

/** In the order in which waiting requests go. */
export const PRIORITIES = ["cancel", "exit", "lookup", "entry", "reading"] as const;
export type Priority = (typeof PRIORITIES)[number];

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
  giveUpAtMs: number;
  answer: (isFree: boolean) => void;
}

const OURS_PER_MINUTE = 120;
const BROKERS_PER_MINUTE = 200;
/** Down to here a cancel or a lookup goes without waiting. */
const MOST_DEBT = BROKERS_PER_MINUTE - OURS_PER_MINUTE;
/** The practice market's minute may be shorter, its limit is never looser than this. */
const LEAST_MINUTE_MS = 1_000;

const mayBorrow = (priority: Priority) => priority === "cancel" || priority === "lookup";

/**
 * @param minuteMs how long a minute of the broker takes in wall milliseconds: less than a minute where the
 * practice market runs faster; taken as a second at least
 */
export function createRequestBudget({
  minuteMs = () => 60_000,
  perMinute = OURS_PER_MINUTE,
}: { minuteMs?: () => number; perMinute?: number } = {}): RequestBudget {
  let tokens = perMinute;
  let countedAtMs = performance.now();
  let pausedUntilMs = 0;
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;

  const tokenMs = () => Math.max(LEAST_MINUTE_MS, minuteMs()) / perMinute;

  function count(): void {
    const nowMs = performance.now();
    tokens = Math.min(perMinute, tokens + (nowMs - countedAtMs) / tokenMs());
    countedAtMs = nowMs;
  }

  /** What has to be in the bucket for a request of this kind. */
  const needed = (priority: Priority) => (mayBorrow(priority) ? 1 - MOST_DEBT : 1);
  const isFree = ({ priority }: Waiting) => performance.now() >= pausedUntilMs && tokens >= needed(priority);

  /** Lets go whoever may go, most urgent first, then looks again when the next one may. */
  function serve(): void {
    clearTimeout(timer);
    count();
    const nowMs = performance.now();
    for (const late of waiting.filter(({ giveUpAtMs }) => giveUpAtMs <= nowMs)) late.answer(false);
    waiting = waiting.filter(({ giveUpAtMs }) => giveUpAtMs > nowMs);
    for (let next = waiting.find(isFree); next; next = waiting.find(isFree)) {
      tokens -= 1;
      waiting.splice(waiting.indexOf(next), 1);
      next.answer(true);
    }
    if (waiting.length === 0) return;
    const lookInMs = waiting.map(({ priority, giveUpAtMs }) => {
      const freeInMs = Math.max(pausedUntilMs - nowMs, (needed(priority) - tokens) * tokenMs());
      return Math.min(freeInMs, giveUpAtMs - nowMs);
    });
    timer = setTimeout(serve, Math.max(1, Math.ceil(Math.min(...lookInMs))));
  }

  return {
    take(priority, maxWaitMs) {
      return new Promise((answer) => {
        const place = waiting.findIndex((other) => PRIORITIES.indexOf(other.priority) > PRIORITIES.indexOf(priority));
        const request = { priority, giveUpAtMs: performance.now() + maxWaitMs, answer };
        waiting.splice(place === -1 ? waiting.length : place, 0, request);
        serve();
      });
    },
    pause(ms) {
      pausedUntilMs = Math.max(pausedUntilMs, performance.now() + ms);
      serve();
    },
    pausedForMs: () => Math.max(0, pausedUntilMs - performance.now()),
  };
}
