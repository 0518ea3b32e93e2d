import { env } from "./env.ts";

/** Every place where a worker may be ended, in the order of an order's life. */
export const CRASH_POINTS = [
  "after-cancel",
  "before-intent",
  "after-release-cancel",
  "after-release",
  "inside-intent",
  "after-intent",
  "after-regate",
  "inside-mark",
  "after-mark",
  "after-post",
  "after-renewal",
  "before-record",
  "inside-record",
  "after-record",
  "in-fill",
  "inside-recovery",
  "after-interrupt",
  "after-ask",
  "after-walk",
  "after-adopt",
  "inside-park",
  "after-settle",
  "after-sync",
  "in-split",
  "before-watermark",
  "after-recovery",
] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

const passed = new Map<CrashPoint, number>();

/**
 * A place where a test ends the process as a power cut would. CRASH_AT names the place, with ":n" for the
 * n-th time it is passed, and ":n:stop" to suspend the process there instead until it gets SIGCONT.
 * Does nothing without CRASH_AT, and nothing in production whatever is set.
 */
export function crashPoint(name: CrashPoint): void {
  const { CRASH_AT, NODE_ENV } = env();
  if (CRASH_AT === undefined || NODE_ENV === "production") return;
  const [place, time = "1", action] = CRASH_AT.split(":");
  if (place !== name) return;
  const times = (passed.get(name) ?? 0) + 1;
  passed.set(name, times);
  if (times === Number(time)) process.kill(process.pid, action === "stop" ? "SIGSTOP" : "SIGKILL");
}
