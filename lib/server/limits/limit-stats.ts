import { setTimeout as after } from "node:timers/promises";
import type { RateLimitName } from "@/lib/domain/rate-limits.ts";
import { env } from "../env.ts";
import { processWide } from "../process-wide.ts";
import { type LimitRedis, limitRedis } from "./limit-redis.ts";

/** What happened under a limit since `since` (wall time). */
export interface LimitStats {
  total: number;
  blocked: number;
  /** Calls that were let through and answered, and how long that took all together. */
  answered: number;
  durationMs: number;
  since: Date;
}

type Tally = Pick<LimitStats, "total" | "blocked" | "answered" | "durationMs">;

interface Memory {
  /** What Redis does not know yet. */
  unsent: Map<string, Tally>;
  /** All counts of this process: shown while Redis is unavailable. */
  own: Map<string, Tally>;
  since: Date;
  sending: Promise<void> | null;
}

const SEND_EVERY_MS = 1_000;
const NOTHING: Tally = { total: 0, blocked: 0, answered: 0, durationMs: 0 };
const FIELDS = ["total", "blocked", "answered", "durationMs"] as const;

const shared = processWide<Memory>("tradewindLimitStats");

const memory = (): Memory =>
  shared.orMake(() => ({ unsent: new Map(), own: new Map(), since: new Date(), sending: null }));

const keyOf = (name: string) => `${env().QUEUE_PREFIX}:limit-stats:${name}`;

/** A call that was let through, or refused. */
export const noteCall = (name: RateLimitName, isBlocked: boolean) =>
  add(name, { total: 1, blocked: isBlocked ? 1 : 0 });

/** A call that was let through is over. */
export const noteAnswer = (name: RateLimitName, durationMs: number) =>
  add(name, { answered: 1, durationMs: Math.round(durationMs) });

/** Counted here at once and sent to Redis once a second: no call waits for Redis. */
function add(name: string, more: Partial<Tally>): void {
  const known = memory();
  for (const tallies of [known.unsent, known.own]) tallies.set(name, sum(tallies.get(name), more));
  if (!limitRedis()) return;
  known.sending ??= after(SEND_EVERY_MS, undefined, { ref: false }).then(async () => {
    known.sending = null;
    await send(known);
  });
}

const sum = (tally: Tally = NOTHING, more: Partial<Tally>): Tally =>
  Object.fromEntries(FIELDS.map((field) => [field, tally[field] + (more[field] ?? 0)])) as unknown as Tally;

async function send(known: Memory): Promise<void> {
  const redis = limitRedis();
  if (!redis || known.unsent.size === 0) return;
  const { unsent } = known;
  known.unsent = new Map();
  await Promise.all(
    [...unsent].map(async ([name, tally]) => {
      try {
        await sendOne(redis, name, tally, known.since);
      } catch {
        // Redis is unavailable: the next batch includes them.
        known.unsent.set(name, sum(known.unsent.get(name), tally));
      }
    }),
  );
}

/** A batch for each limit: the keys of two may lie on two nodes of a cluster. */
async function sendOne(redis: LimitRedis, name: string, tally: Tally, since: Date): Promise<void> {
  // A cluster's batch would wait for its connection.
  if (redis.status !== "ready") throw new Error("Redis is unavailable");
  const batch = redis.multi();
  for (const field of FIELDS) batch.hincrby(keyOf(name), field, tally[field]);
  batch.hsetnx(keyOf(name), "since", since.getTime());
  await batch.exec();
}

/** Counts of all web processes; of this one only while Redis is unavailable. */
export async function readLimitStats(names: string[]): Promise<Map<string, LimitStats>> {
  const known = memory();
  const redis = limitRedis();
  try {
    if (!redis) throw new Error("no Redis");
    await send(known);
    const rows = await Promise.all(names.map((name) => redis.hgetall(keyOf(name))));
    return new Map(
      rows.map((row, index) => {
        const counts = Object.fromEntries(FIELDS.map((field) => [field, Number(row[field] ?? 0)])) as unknown as Tally;
        return [names[index]!, { ...counts, since: row.since ? new Date(Number(row.since)) : known.since }];
      }),
    );
  } catch {
    return new Map(names.map((name) => [name, { ...(known.own.get(name) ?? NOTHING), since: known.since }]));
  }
}
