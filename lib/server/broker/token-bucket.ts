/**
 * A token bucket for the requests of one account, and the numbers that every place that keeps one agrees on. The broker
 * allows 200 requests a minute and account; we use 120 of them, so that a person's own tools have room. Requests that
 * must not wait may go into the rest.
 */

/** In the order in which waiting requests go. */
export const PRIORITIES = ["cancel", "exit", "lookup", "entry", "reading"] as const;
export type Priority = (typeof PRIORITIES)[number];

export interface BucketSize {
  /** Tokens that a minute brings back, and the most that are kept. */
  perMinute: number;
  /** How far below nothing requests that may borrow take it. */
  mostDebt: number;
}

export const WHOLE: BucketSize = { perMinute: 120, mostDebt: 80 };
/** For each process on its own, while the processes cannot agree: worker, web and watchdog together stay within the limit. */
export const THIRD: BucketSize = { perMinute: 40, mostDebt: 26 };

/** Sales and protective orders, the cancels before them, and lookups of orders in doubt may borrow. */
const BORROWS: Record<Priority, boolean> = { cancel: true, exit: true, lookup: true, entry: false, reading: false };

/** What has to be in the bucket for a request of this kind. */
export function tokensNeeded(priority: Priority, { mostDebt }: BucketSize): number {
  return BORROWS[priority] ? 1 - mostDebt : 1;
}

/** The practice market's minute may be shorter, its limit is never looser than this. */
const LEAST_MINUTE_MS = 1_000;

/**
 * Wall milliseconds in which one token is refilled.
 *
 * @param minuteMs how long a minute of the broker takes in wall milliseconds: less than a minute where the practice
 * market runs faster; taken as a second at least
 */
export function tokenMs(minuteMs: () => number, { perMinute }: BucketSize): number {
  return Math.max(LEAST_MINUTE_MS, minuteMs()) / perMinute;
}

export interface TokenBucket {
  /** Takes a token: 0 when the request may go now, else in how many wall milliseconds it is worth asking again. */
  take(priority: Priority): Promise<number>;
  /** The broker asked to wait (429): nothing goes for so long, not even a cancel. */
  pause(ms: number): void;
  /** How long nothing goes yet as far as this process knows, wall milliseconds. */
  pausedForMs(): number;
}

/** A bucket of this process alone. `minuteMs` as for `tokenMs`. */
export function createLocalBucket(minuteMs: () => number = () => 60_000, size: BucketSize = WHOLE): TokenBucket {
  let tokens = size.perMinute;
  let countedAtMs = performance.now();
  let pausedUntilMs = 0;
  const pausedForMs = () => Math.max(0, pausedUntilMs - performance.now());
  return {
    take(priority) {
      const nowMs = performance.now();
      const everyMs = tokenMs(minuteMs, size);
      tokens = Math.min(size.perMinute, tokens + (nowMs - countedAtMs) / everyMs);
      countedAtMs = nowMs;
      const missing = tokensNeeded(priority, size) - tokens;
      const freeInMs = Math.max(pausedForMs(), missing * everyMs);
      if (freeInMs <= 0) tokens -= 1;
      return Promise.resolve(Math.max(0, freeInMs));
    },
    pause(ms) {
      pausedUntilMs = Math.max(pausedUntilMs, performance.now() + ms);
    },
    pausedForMs,
  };
}
