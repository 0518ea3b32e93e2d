import { pino, type DestinationStream, type Logger } from "pino";
import type { Log } from "./context.ts";
import { env } from "./env.ts";

/** What may be logged. The value of any other field is dropped and only its name is kept. */
const ALLOWED_FIELDS = new Set(
  `requestId method path status code durationMs userId accountId signInId ipGroup cycleId planId intentId orderId clientOrderId
  brokerOrderId symbol side qty strategy market job jobId key attempt attempts retry runs count rows pending provider operation
  url port host instance version epoch owner lease at marketAt dueAt nextOpen nextClose from to since reason kind state event
  template mailId messageId eventType step limit group error cause issues pid signal speed session environment broker lateMs
  coalesced message err decisionId leg outcome missingOrders accounts screened eligible seats regime label vix votes session
  jobs isRetryable differences legs ratio date unmatchedQty spyClose spyMa20 spyMa50 spyMa200 sent failed`.split(/\s+/),
);

/** Broker key ids, tokens, password hashes, long mixed-case secrets and addresses never reach a log, whatever field they hide in. */
const SHAPES: [RegExp, string][] = [
  [/\b(?:PK|AK|CK|TP)[A-Z0-9]{14,}\b/g, "[key]"],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, "[token]"],
  [/\$argon2\S+/g, "[hash]"],
  [/\b(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])(?=[A-Za-z0-9]*\d)[A-Za-z0-9]{36,}\b/g, "[secret]"],
  [/\b(Bearer|Basic)\s+\S+/gi, "$1 [token]"],
  [/:\/\/[^\s/@]+@/g, "://[credentials]@"],
  [/[\w.+-]+@[\w-]+\.[\w.-]+/g, "[email]"],
];

export function scrub(text: string): string {
  return SHAPES.reduce((rest, [shape, instead]) => rest.replace(shape, instead), text);
}

const DEPTH_MAX = 4;

function clean(value: unknown, depth: number): unknown {
  if (typeof value === "string") return scrub(value.slice(0, 4_000));
  if (typeof value === "bigint") return value.toString();
  if (value === null || typeof value !== "object") return typeof value === "function" ? undefined : value;
  if (value instanceof Date) return value;
  if (depth >= DEPTH_MAX) return "[deep]";
  if (value instanceof Error) return cleanError(value, depth);
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => clean(item, depth + 1));
  return cleanFields(value, depth + 1);
}

function cleanError(error: Error & { code?: unknown }, depth: number): object {
  return {
    name: error.name,
    message: scrub(error.message),
    ...(typeof error.code === "string" ? { code: error.code } : {}),
    ...(error.stack ? { stack: scrub(error.stack) } : {}),
    ...(error.cause === undefined ? {} : { cause: clean(error.cause, depth + 1) }),
  };
}

function cleanFields(fields: object, depth: number): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (ALLOWED_FIELDS.has(name)) kept[name] = clean(value, depth);
    else dropped.push(scrub(name));
  }
  return dropped.length > 0 ? { ...kept, dropped } : kept;
}

/** JSON lines on standard output. Made at first use, so that a build needs no environment. */
export function createLog(name: string, destination?: DestinationStream): Log {
  let logger: Logger | undefined;
  const write = (level: "debug" | "info" | "warn" | "error") => (fields: object, message: string) => {
    logger ??= pino(
      { name, level: env().LOG_LEVEL, base: { name }, timestamp: pino.stdTimeFunctions.isoTime },
      destination,
    );
    logger[level](cleanFields(fields, 0), scrub(message));
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
