import { setTimeout as after } from "node:timers/promises";
import { RATE_LIMITS, type RateLimitName, type RateLimitSetting } from "@/lib/domain/rate-limits.ts";
import { db } from "../db.ts";
import { processWide } from "../process-wide.ts";

/** Rows are read again when the last reading is older than this. */
const FRESH_MS = 1_000;
/** Rows that were read hold for this long; when the database is unavailable for longer, the built-in limits hold. */
const KEPT_MS = 4_000;
/** No call waits longer for its limits. */
const PATIENCE_MS = 250;

interface Memory {
  rows: ReadonlyMap<string, RateLimitSetting>;
  readAt: number;
  askedAt: number;
  answer: Promise<unknown>;
}

const shared = processWide<Memory>("tradewindLimitRows");

const memory = (): Memory =>
  shared.orMake(() => ({ rows: new Map(), readAt: -Infinity, askedAt: -Infinity, answer: Promise.resolve() }));

/** What the administrators set for a limit; null when there is no row, or when the database cannot be asked. */
export async function limitRow(name: RateLimitName): Promise<RateLimitSetting | null> {
  const known = memory();
  const now = performance.now();
  if (now - known.askedAt > FRESH_MS) {
    known.askedAt = now;
    // A reading that hangs is waited for once, not by every call.
    known.answer = Promise.race([readRows(known, now), after(PATIENCE_MS, undefined, { ref: false })]);
  }
  await known.answer;
  return performance.now() - known.readAt > KEPT_MS ? null : (known.rows.get(name) ?? null);
}

async function readRows(known: Memory, askedAt: number): Promise<void> {
  try {
    const rows = await db().rateLimit.findMany({
      where: { name: { in: Object.keys(RATE_LIMITS) } },
      select: {
        name: true,
        windowMs: true,
        maxRequests: true,
        skipSuccessfulRequests: true,
        skipFailedRequests: true,
        enabled: true,
      },
    });
    // A result that a later one has overtaken is ignored.
    if (askedAt < known.readAt) return;
    known.rows = new Map(rows.map(({ name, ...setting }) => [name, setting]));
    known.readAt = askedAt;
  } catch {
    // The built-in limits apply. What the call itself needs from the database fails on its own.
  }
}
