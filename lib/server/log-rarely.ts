import type { Log } from "./context.ts";

const EVERY_MS = 60_000;

/** What was said of each thing, and how often it happened since. */
const said = new WeakMap<Log, Map<string, { at: number; unsaid: number }>>();

/** Logs the first of a run of like failures at once, then one line a minute; `count` says how many the line stands for. */
export function logRarely(log: Log, level: "warn" | "error", key: string, fields: object, message: string): void {
  const ofLog = said.get(log) ?? new Map<string, { at: number; unsaid: number }>();
  said.set(log, ofLog);
  const last = ofLog.get(key);
  const now = performance.now();
  if (last !== undefined && now - last.at < EVERY_MS) {
    last.unsaid += 1;
    return;
  }
  ofLog.set(key, { at: now, unsaid: 0 });
  log[level]({ ...fields, count: 1 + (last?.unsaid ?? 0) }, message);
}
