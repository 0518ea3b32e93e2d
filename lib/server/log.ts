import { pino, type DestinationStream, type Logger } from "pino";
import { env } from "./env.ts";
import { isExpectedFailure } from "./expected-failure.ts";
import { LOG_EVENTS, type Log, type LogEventName } from "./log-events.ts";

/** What a nested object may hold: the value of any other field is dropped and only its name is kept. */
const FIELD_NAMES: ReadonlySet<string> = new Set([
  "cause",
  ...Object.values(LOG_EVENTS).flatMap(({ fields }) => fields),
]);

/** Broker key ids, tokens, password hashes, long mixed-case secrets and addresses never reach a log, whatever field they hide in. */
const SHAPES: [RegExp, string][] = [
  [/\b(?:PK|AK|CK|TP)[A-Z0-9]{14,}\b/g, "[key]"],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, "[token]"],
  [/\$argon2\S+/g, "[hash]"],
  [/(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{36,}(?![\w-])/g, "[secret]"],
  [/(?<![0-9a-f])[0-9a-f]{96,}/gi, "[secret]"],
  // Secrets of authenticator apps (base32) and recovery codes.
  [/(?<![\w-])[A-Z2-7]{32}(?![\w-])/g, "[secret]"],
  [/(?<![\w-])(?:[A-HJ-NP-Z2-9]{4}-){3}[A-HJ-NP-Z2-9]{4}(?![\w-])/g, "[recovery code]"],
  [/\b(Bearer|Basic)\s+\S+/gi, "$1 [token]"],
  [/:\/\/[^\s/@]+@/g, "://[credentials]@"],
  [/(?:"[^"\s]*"|(?<![\p{L}\p{N}_.+-])[\p{L}\p{N}_.+'&-]+)@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, "[email]"],
];

/** What JSON leaves as it is and a terminal or a viewer obeys: C1 controls, line separators, marks that turn the reading order. */
const UNSEEN = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const TEXT_MAX = 4_000;
/** Longer than any secret that has a shape: none is cut in two and missed. */
const MARGIN = 400;

export function scrub(text: string): string {
  const seen = text.slice(0, TEXT_MAX + MARGIN);
  return SHAPES.reduce((rest, [shape, instead]) => rest.replace(shape, instead), seen)
    .slice(0, TEXT_MAX)
    .replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

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
      destination,
    );
    // A log never throws: an event that a cast got past the compiler is written by its name, without its fields.
    const known: { message: string; fields: readonly string[] } | undefined = LOG_EVENTS[event];
    const { message, fields } = known ?? { message: event, fields: [] };
    logger[level]({ event, ...cleanFields(given, 0, new Set(fields)) }, message);
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
