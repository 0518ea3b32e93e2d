import { pino, type DestinationStream, type Logger } from "pino";
import { env } from "./env.ts";
import { isExpectedFailure } from "./expected-failure.ts";
import { scrub } from "./json-lines.mjs";
import { LOG_EVENTS, type Log, type LogEventName } from "./log-events.ts";
import { currentTraceId } from "./tracing.ts";

/** What a nested object may hold: the value of any other field is dropped and only its name is kept. */
const FIELD_NAMES: ReadonlySet<string> = new Set([
  "cause",
  ...Object.values(LOG_EVENTS).flatMap(({ fields }) => fields),
]);

const DEPTH_MAX = 4;
const DROPPED_MAX = 20;

function clean(value: unknown, depth: number): unknown {
  if (typeof value === "string") return scrub(value);
  if (typeof value === "bigint") return value.toString();
  if (value === null || typeof value !== "object") return typeof value === "function" ? undefined : value;
  if (value instanceof Date) return value;
  if (depth >= DEPTH_MAX) return "[deep]";
  if (value instanceof Error) return cleanError(value, depth);
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => clean(item, depth + 1));
  return cleanFields(value, depth + 1);
}

/** Mistakes in the code: their stack is kept even as the cause of an expected failure. */
const MISTAKES: readonly unknown[] = [TypeError, ReferenceError, RangeError];

function cleanError(error: Error & { code?: unknown }, depth: number, isInExpected = false): object {
  const isExpected = isExpectedFailure(error) || (isInExpected && !MISTAKES.includes(error.constructor));
  const { cause } = error;
  return {
    name: scrub(error.name),
    message: scrub(error.message),
    ...(typeof error.code === "string" ? { code: scrub(error.code) } : {}),
    ...(error.stack && !isExpected ? { stack: scrub(error.stack) } : {}),
    ...(cause === undefined ? {} : { cause: cleanCause(cause, depth + 1, isExpected) }),
  };
}

function cleanCause(cause: unknown, depth: number, isInExpected: boolean): unknown {
  return cause instanceof Error && depth < DEPTH_MAX ? cleanError(cause, depth, isInExpected) : clean(cause, depth);
}

function cleanFields(
  fields: object,
  depth: number,
  allowed: ReadonlySet<string> = FIELD_NAMES,
): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (allowed.has(name)) kept[name] = clean(value, depth);
    else if (dropped.length < DROPPED_MAX) dropped.push(scrub(name.slice(0, 100)));
  }
  return dropped.length > 0 ? { ...kept, dropped } : kept;
}

/** Past process.stdout, whose lines are wrapped (json-lines.mjs): these are JSON already. */
let standardOutput: DestinationStream | undefined;

/** JSON lines on standard output. Made at first use, so that a build needs no environment. */
export function createLog(name: string, destination?: DestinationStream): Log {
  let logger: Logger | undefined;
  const write = (level: keyof Log) => (event: LogEventName, given: object) => {
    logger ??= pino(
      {
        name,
        level: env().LOG_LEVEL,
        base: { name },
        timestamp: pino.stdTimeFunctions.isoTime,
        // What is written is cleaned already: pino's own serializer would add an empty stack.
        serializers: { err: (cleaned: unknown) => cleaned },
      },
      destination ?? (standardOutput ??= pino.destination({ dest: 1, sync: true })),
    );
    // A log never throws: an event that a cast got past the compiler is written by its name, without its fields.
    const known: { message: string; fields: readonly string[] } | undefined = LOG_EVENTS[event];
    const { message, fields } = known ?? { message: event, fields: [] };
    const traceId = currentTraceId();
    const trace = traceId === undefined ? {} : { traceId };
    logger[level]({ event, ...trace, ...cleanFields(given, 0, new Set(fields)) }, message);
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
