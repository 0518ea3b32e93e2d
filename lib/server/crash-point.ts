import { env } from "./env.ts";

export type CrashPoint =
  | "before-intent"
  | "after-intent"
  | "after-mark"
  | "after-post"
  | "before-record"
  | "inside-record"
  | "after-record"
  | "in-fill";

const passed = new Map<CrashPoint, number>();

/**
 * A place where a test ends the process as a power cut would. CRASH_AT names the place, with ":n" for the
 * n-th time it is passed. Does nothing without CRASH_AT, and nothing in production whatever is set.
 */
export function crashPoint(name: CrashPoint): void {
  const { CRASH_AT, NODE_ENV } = env();
  if (CRASH_AT === undefined || NODE_ENV === "production") return;
  const [place, time = "1"] = CRASH_AT.split(":");
  if (place !== name) return;
  const times = (passed.get(name) ?? 0) + 1;
  passed.set(name, times);
  if (times === Number(time)) process.kill(process.pid, "SIGKILL");
}
