/**
 * The bucket of one account for all processes: a row in Postgres, changed by one statement. Worker, web, watchdog and
 * commands talk for the same account, and the broker counts them together.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Db, Prisma } from "../db.ts";
import { createLocalBucket, THIRD, tokenMs, tokensNeeded, type TokenBucket, WHOLE } from "./token-bucket.ts";

/** An order's mark stays fresh for little longer (lib/domain/protocol/settings.ts). */
const PATIENCE_MS = 250;
/** A reading of the books asks seven times: what one statement takes for it. */
const HANDFUL = 7;
/** Left in the bucket by a handful, so that entries and other processes find some. */
const LEFT = 40;
/**
 * What was not asked for by then is lost: too few requests is the safe side. A pause that another process was asked for is seen as
 * late. Wall time.
 */
const KEPT_MS = 2_000;
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

/** A bucket that takes in what was taken out of the row for it elsewhere. */
export interface SharedBucket extends TokenBucket {
  /** Tokens that were taken with those of other accounts (`takeForLooks`). */
  receive(count: number): void;
}

export function createSharedBucket({
  db,
  accountId,
  minuteMs,
  patienceMs = PATIENCE_MS,
}: SharedBucketOptions): SharedBucket {
  const own = createLocalBucket(minuteMs, THIRD);
  let isApartUntilMs = 0;
  /** Tokens that this process took for a reading and has not used. */
  let inHand = 0;
  let inHandUntilMs = 0;

  /**
   * Within the patience, or null: a database that fails is one that is late, and the process uses its own third. What the database does
   * later counts as taken: too few requests is the safe side.
   */
  async function inTime<T>(work: () => Promise<T>): Promise<T | null> {
    const waiting = new AbortController();
    const late = delay(patienceMs, null, { signal: waiting.signal }).catch(() => null);
    const answer = await Promise.race([work().catch(() => null), late]);
    waiting.abort();
    if (answer === null) isApartUntilMs = performance.now() + APART_MS;
    return answer;
  }

  const hold = (count: number) => {
    inHand = count;
    inHandUntilMs = performance.now() + KEPT_MS;
  };

  /** A token out of the hand; false where there is none. */
  function useInHand(): boolean {
    if (inHand === 0 || performance.now() >= inHandUntilMs) return false;
    inHand -= 1;
    return true;
  }

  /** A token for a reading, with as many more as a reading takes where the bucket has plenty. */
  async function takeHandful(everyMs: number): Promise<boolean> {
    const free = await inTime(() => takeTokens(db(), accountId, everyMs, HANDFUL, HANDFUL + LEFT));
    if (free !== true || own.pausedForMs() > 0) return false;
    hold(HANDFUL - 1);
    return true;
  }

  return {
    async take(priority) {
      const pausedMs = own.pausedForMs();
      if (pausedMs > 0) return pausedMs;
      const everyMs = tokenMs(minuteMs, WHOLE);
      if (performance.now() < isApartUntilMs) return own.take(priority);
      // A reading asks for what is held too, which has a higher priority by itself.
      if (useInHand() || (priority === "reading" && (await takeHandful(everyMs)))) return 0;
      const needed = tokensNeeded(priority, WHOLE);
      return (await inTime(() => takeToken(db(), accountId, everyMs, needed))) ?? own.take(priority);
    },
    pause(ms) {
      inHand = 0;
      own.pause(ms);
      void inTime(() => pauseAll(db(), accountId, ms));
    },
    pausedForMs: () => own.pausedForMs(),
    receive(count) {
      if (own.pausedForMs() === 0) hold(count);
    },
  };
}

/**
 * Takes what a look at each of these accounts asks for, in one statement, where the bucket has plenty; answers the accounts for which
 * it did.
 *
 * @param minuteMs as for `createSharedBucket`, the same for all of them
 */
export async function takeForReads(
  db: Db,
  accountIds: readonly string[],
  minuteMs: () => number,
  count: number,
): Promise<string[]> {
  const everyMs = tokenMs(minuteMs, WHOLE);
  const taken = await db.$queryRaw<{ accountId: string }[]>`
    insert into "RequestBudget" as "b" ("accountId", "tokens", "countedAt")
    select w."id", ${WHOLE.perMinute}::float8 - ${count}::float8, clock_timestamp()
    from unnest(${[...accountIds].sort()}::uuid[]) w("id")
    on conflict ("accountId") do update set
      "tokens" = ${refilled(everyMs)} - ${count}::float8,
      "countedAt" = clock_timestamp()
    where coalesce("b"."pausedUntil" <= clock_timestamp(), true) and ${refilled(everyMs)} >= ${count + LEFT}::float8
    returning "accountId"::text as "accountId"`;
  return taken.map(({ accountId }) => accountId);
}

/** Takes so many tokens where so many are there; true when it did. */
async function takeTokens(db: Db, accountId: string, everyMs: number, count: number, needed: number): Promise<boolean> {
  const taken = await db.$executeRaw`
    insert into "RequestBudget" as "b" ("accountId", "tokens", "countedAt")
    values (${accountId}::uuid, ${WHOLE.perMinute}::float8 - ${count}::float8, clock_timestamp())
    on conflict ("accountId") do update set
      "tokens" = ${refilled(everyMs)} - ${count}::float8,
      "countedAt" = clock_timestamp()
    where coalesce("b"."pausedUntil" <= clock_timestamp(), true) and ${refilled(everyMs)} >= ${needed}::float8`;
  return taken > 0;
}

/** Takes a token, or answers the wall milliseconds until one is worth asking for. */
async function takeToken(db: Db, accountId: string, everyMs: number, needed: number): Promise<number> {
  if (await takeTokens(db, accountId, everyMs, 1, needed)) return 0;
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
