import type { Stamp } from "./book/types.ts";

/** Hands out market time with nanoseconds that never repeats. */
export interface Stamps {
  next(): Stamp;
  /** The last one handed out; null before the first. */
  last(): Stamp | null;
}

/** The count of stamps within one millisecond keeps them apart and in order. Goes on behind the last stamp of an earlier process. */
export function createStamps(nowMs: () => number, before: Stamp | null): Stamps {
  let lastMs = before === null ? 0 : Date.parse(`${before.slice(0, 23)}Z`);
  let count = before === null ? 0 : Number(before.slice(23, 29));
  let last = before;
  return {
    last: () => last,
    next() {
      const now = Math.floor(nowMs());
      if (now > lastMs) {
        lastMs = now;
        count = 0;
      } else {
        count += 1;
        if (count === 1_000_000) {
          lastMs += 1;
          count = 0;
        }
      }
      last = `${new Date(lastMs).toISOString().slice(0, -1)}${String(count).padStart(6, "0")}Z`;
      return last;
    },
  };
}
