/**
 * The bucket of one account for all processes: a row in Postgres, changed by one statement. Worker, web, watchdog and
 * commands talk for the same account, and the broker counts them together.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Db, Prisma } from "../db.ts";
import { createLocalBucket, THIRD, tokenMs, tokensNeeded, type TokenBucket, WHOLE } from "./token-bucket.ts";

/** An order's mark stays fresh for little longer (lib/domain/protocol/settings.ts). */
const PATIENCE_MS = 250;
/** How long this process uses its own third before the database is asked again. */
const APART_MS = 5_000;

export interface SharedBucketOptions {
  db: () => Db;
  accountId: string;
  /** How long a minute of the broker takes in wall milliseconds: less than a minute where the practice market runs faster. */
  minuteMs: () => number;
  /** A database that takes longer is not waited for. */
  patienceMs?: number;
}

export function createSharedBucket({
  db,
  accountId,
  minuteMs,
  patienceMs = PATIENCE_MS,
}: SharedBucketOptions): TokenBucket {
  const own = createLocalBucket(minuteMs, THIRD);
  let isApartUntilMs = 0;

  /** Within the patience, or null. What the database does later counts as taken: too few requests is the safe side. */
  async function inTime<T>(work: () => Promise<T>): Promise<T | null> {
    const waiting = new AbortController();
    const late = delay(patienceMs, null, { signal: waiting.signal }).catch(() => null);
    const answer = await Promise.race([work().catch(() => null), late]);
    waiting.abort();
    if (answer === null) isApartUntilMs = performance.now() + APART_MS;
    return answer;
  }

  return {
    async take(priority) {
      const pausedMs = own.pausedForMs();
      if (pausedMs > 0) return pausedMs;
      if (performance.now() < isApartUntilMs) return own.take(priority);
      const needed = tokensNeeded(priority, WHOLE);
      return (await inTime(() => takeToken(db(), accountId, tokenMs(minuteMs, WHOLE), needed))) ?? own.take(priority);
    },
    pause(ms) {
      own.pause(ms);
      void inTime(() => pauseAll(db(), accountId, ms));
    },
    pausedForMs: () => own.pausedForMs(),
  };
}

/** Takes a token, or answers the wall milliseconds until one is worth asking for. */
async function takeToken(db: Db, accountId: string, everyMs: number, needed: number): Promise<number> {
  const { perMinute } = WHOLE;
  const taken = await db.$queryRaw<{ tokens: number }[]>`
    insert into "RequestBudget" as "b" ("accountId", "tokens", "countedAt")
    values (${accountId}::uuid, ${perMinute - 1}::float8, clock_timestamp())
    on conflict ("accountId") do update set
      "tokens" = ${refilled(everyMs)} - 1,
      "countedAt" = clock_timestamp()
    where coalesce("b"."pausedUntil" <= clock_timestamp(), true) and ${refilled(everyMs)} >= ${needed}::float8
    returning "tokens"`;
  if (taken.length > 0) return 0;
  const [row] = await db.$queryRaw<{ pausedMs: number; tokens: number }[]>`
    select ${refilled(everyMs)} as "tokens",
      coalesce(extract(epoch from "b"."pausedUntil" - clock_timestamp()) * 1000, 0)::float8 as "pausedMs"
    from "RequestBudget" as "b" where "accountId" = ${accountId}::uuid`;
  return row === undefined ? 1 : Math.max(1, row.pausedMs, (needed - row.tokens) * everyMs);
}

/** The tokens in the bucket now. A clock that was set back adds none. */
const refilled = (everyMs: number) => Prisma.sql`
  least(${WHOLE.perMinute}::float8, "b"."tokens"
    + greatest(0, extract(epoch from clock_timestamp() - "b"."countedAt") * 1000)::float8 / ${everyMs}::float8)`;

async function pauseAll(db: Db, accountId: string, ms: number): Promise<number> {
  return db.$executeRaw`
    insert into "RequestBudget" as "b" ("accountId", "tokens", "countedAt", "pausedUntil")
    values (${accountId}::uuid, ${WHOLE.perMinute}::float8, clock_timestamp(), clock_timestamp() + ${ms} * interval '1 millisecond')
    on conflict ("accountId") do update set
      "pausedUntil" = greatest("b"."pausedUntil", excluded."pausedUntil")`;
}
