import type { FieldsOf, Log, LogEventName } from "./log-events.ts";

const EVERY_MS = 60_000;

/** When each event was last logged, and how often it happened since. */
const logged = new WeakMap<Log, Map<string, { at: number; unlogged: number }>>();

type CountedEvent = { [Name in LogEventName]: "count" extends keyof FieldsOf<Name> ? Name : never }[LogEventName];

/**
 * Logs the first of a run of like events at once, then one line a minute; `count` says how many the line stands for.
 * `subject` tells events of one name apart.
 */
export function logRarely<Name extends CountedEvent>(
  log: Log,
  level: "warn" | "error",
  event: Name,
  fields: Omit<FieldsOf<Name>, "count">,
  subject = "",
): void {
  const ofLog = logged.get(log) ?? new Map<string, { at: number; unlogged: number }>();
  logged.set(log, ofLog);
  const key = `${event} ${subject}`;
  const last = ofLog.get(key);
  const now = performance.now();
  if (last !== undefined && now - last.at < EVERY_MS) {
    last.unlogged += 1;
    return;
  }
  ofLog.set(key, { at: now, unlogged: 0 });
  const write = log[level] as (event: Name, fields: object) => void;
  write(event, { ...fields, count: 1 + (last?.unlogged ?? 0) });
}
