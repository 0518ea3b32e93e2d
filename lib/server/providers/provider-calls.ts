import type { CallFault, ProviderName } from "@/lib/domain/providers.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time.ts";
import { db } from "../db.ts";
import { createLog } from "../log.ts";
import { logRarely } from "../log-rarely.ts";
import { metrics } from "../metrics.ts";
import { tracedWithin } from "../tracing.ts";

/**
 * Every call of a provider is timed and counted here, by minute and by hour: a market's clock alone is read twice a second.
 * Counting never slows a call and never fails it; counts are written in batches, and what cannot be written is kept for the
 * next batch as long as there is room.
 */
export interface CountedCall {
  provider: ProviderName;
  /** What was asked for: "clock", "dailyBars". */
  operation: string;
}

interface Count extends CountedCall {
  ok: boolean;
  /** HTTP status of a refusal; 0 for a good answer and for none. */
  status: number;
  error: CallFault | "";
  /** Start of the minute, ms of wall time. */
  minute: number;
  calls: number;
  durationMs: number;
  /** Of the last call, ms of wall time. */
  lastAt: number;
}

const FLUSH_EVERY_MS = 10_000;
/** Counts of different minutes and outcomes that wait at most; what comes beyond is dropped, and the log says so. */
const MOST_WAITING = 2_000;

let waiting = new Map<string, Count>();
let timer: NodeJS.Timeout | undefined;
let flushing: Promise<void> = Promise.resolve();
const log = createLog("providers");

/** Does the work, times it and counts its outcome. */
export async function timedCall<T>({ provider, operation }: CountedCall, work: () => Promise<T>): Promise<T> {
  const call = { provider, operation };
  const startedAt = performance.now();
  // Outside of jobs and requests there are the schedule's looks at the clocks, twice a second: they are no trace.
  return tracedWithin("provider", call, async (span) => {
    try {
      const answer = await work();
      count(call, performance.now() - startedAt, null);
      return answer;
    } catch (error) {
      const fault = faultOf(error);
      count(call, performance.now() - startedAt, fault);
      span.set({ outcome: fault.error, ...(fault.status > 0 ? { status: fault.status } : {}) });
      throw error;
    }
  });
}

interface Fault {
  error: CallFault;
  status: number;
}

function count({ provider, operation }: CountedCall, tookMs: number, fault: Fault | null): void {
  const outcome = fault?.error ?? "ok";
  metrics().providers.observe({ provider, operation, outcome }, tookMs / 1000);
  const lastAt = Date.now();
  add(waiting, {
    provider,
    operation,
    ok: fault === null,
    status: fault?.status ?? 0,
    error: fault?.error ?? "",
    minute: lastAt - (lastAt % MINUTE_MS),
    calls: 1,
    durationMs: Math.round(tookMs),
    lastAt,
  });
  arm();
}

function arm(): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    void flushProviderCalls();
  }, FLUSH_EVERY_MS).unref();
}

function add(to: Map<string, Count>, more: Count): void {
  const { provider, operation, status, error, minute } = more;
  const key = `${provider}|${operation}|${status}|${error}|${minute}`;
  const known = to.get(key);
  if (known) {
    known.calls += more.calls;
    known.durationMs += more.durationMs;
    known.lastAt = Math.max(known.lastAt, more.lastAt);
  } else if (to.size < MOST_WAITING) to.set(key, { ...more });
  else logRarely(log, "warn", "provider-calls.dropped", {});
}

/** Why a call failed, by the kind of what was thrown, never by its words. */
export function faultOf(error: unknown): Fault {
  const cause: unknown = error instanceof Failure ? error.cause : error;
  const { name, status } = (cause ?? {}) as { name?: unknown; status?: unknown };
  if (typeof status === "number") return { error: "status", status };
  if (name === "TimeoutError" || name === "AbortError") return { error: "timeout", status: 0 };
  if (name === "SyntaxError") return { error: "not_json", status: 0 };
  // Zod's errors, and a table whose head is not the one that we know.
  if (name === "ZodError" || name === "$ZodError" || typeof cause === "string")
    return { error: "unknown_form", status: 0 };
  return { error: "unreachable", status: 0 };
}

/** Writes what waits. Resolves when it is written, or kept for the next time. */
export function flushProviderCalls(): Promise<void> {
  flushing = flushing.then(async () => {
    if (waiting.size === 0) return;
    const batch = waiting;
    waiting = new Map();
    try {
      await write([...batch.values()]);
    } catch (error) {
      for (const kept of batch.values()) add(waiting, kept);
      arm();
      logRarely(log, "warn", "provider-calls.write-failed", { err: error });
    }
  });
  return flushing;
}

/** One statement: all of the batch counts or none of it. Rows come in one order, so that two writers never wait for each other. */
async function write(counts: Count[]): Promise<void> {
  const column = <K extends keyof Count>(name: K) => counts.map((each) => each[name]);
  await db().$executeRaw`
    insert into "ProviderCall" ("provider", "operation", "ok", "status", "error", "span", "at", "calls", "durationMs", "lastAt")
    select c."provider", c."operation", c."ok", c."status", c."error", s."span"::"CallSpan",
      to_timestamp(floor(c."minute" / s."ms") * s."ms" / 1000), sum(c."calls")::int, sum(c."durationMs")::int,
      to_timestamp(max(c."lastAt") / 1000)
    from unnest(${column("provider")}::text[], ${column("operation")}::text[], ${column("ok")}::boolean[],
        ${column("status")}::int[], ${column("error")}::text[], ${column("minute")}::float8[], ${column("calls")}::int[],
        ${column("durationMs")}::int[], ${column("lastAt")}::float8[])
      as c("provider", "operation", "ok", "status", "error", "minute", "calls", "durationMs", "lastAt")
    cross join (values ('MINUTE', ${MINUTE_MS}::float8), ('HOUR', ${HOUR_MS}::float8)) as s("span", "ms")
    group by 1, 2, 3, 4, 5, 6, 7
    order by 1, 2, 6, 7, 3, 4, 5
    on conflict ("provider", "operation", "span", "at", "ok", "status", "error") do update set
      "calls" = "ProviderCall"."calls" + excluded."calls",
      "durationMs" = "ProviderCall"."durationMs" + excluded."durationMs",
      "lastAt" = greatest("ProviderCall"."lastAt", excluded."lastAt")`;
}
