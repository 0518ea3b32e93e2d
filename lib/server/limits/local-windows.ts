import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Counter } from "./limit-counter.ts";

/** A window is counted in this many parts. */
export const SLOTS = 12;

interface Slot {
  firstAt: number;
  lastAt: number;
  calls: number;
}

interface Bucket {
  slots: Slot[];
  /** After this nothing of it counts. */
  until: number;
}

/**
 * The sliding windows of `limit-counter.ts` in this process's memory. `clock` gives milliseconds that never go back.
 */
export function createLocalWindows(clock: () => number = () => performance.now()): Counter {
  const buckets = new Map<string, Bucket>();
  let sweptAt = clock();

  /** Buckets of callers who do not return would be kept forever. */
  function sweep(now: number) {
    if (now - sweptAt < MINUTE_MS) return;
    sweptAt = now;
    for (const [name, { until }] of buckets) if (until <= now) buckets.delete(name);
  }

  return {
    async take(name, points, windowMs) {
      const now = clock();
      sweep(now);
      const live = (buckets.get(name)?.slots ?? []).filter(({ lastAt }) => lastAt > now - windowMs);
      let counted = live.reduce((sum, { calls }) => sum + calls, 0);
      if (counted >= points) {
        const leaving = live.find(({ calls }) => (counted -= calls) < points);
        return { isFull: true, freeInMs: leaving ? leaving.lastAt + windowMs - now : windowMs };
      }
      let slot = live.at(-1);
      if (!slot || now - slot.firstAt >= windowMs / SLOTS) {
        slot = { firstAt: now, lastAt: now, calls: 0 };
        live.push(slot);
      }
      const counting = slot;
      counting.calls += 1;
      counting.lastAt = now;
      buckets.set(name, { slots: live, until: now + windowMs });
      return {
        isFull: false,
        giveBack: async () => {
          counting.calls = Math.max(0, counting.calls - 1);
        },
      };
    },
  };
}
