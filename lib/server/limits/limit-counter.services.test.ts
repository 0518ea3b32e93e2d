import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { env } from "../env.ts";
import { counterOf } from "./limit-counter.ts";
import { noteAnswer, noteCall, readLimitStats } from "./limit-stats.ts";

const WINDOW_MS = 900_000;
const redis = new Redis(env().REDIS_URL ?? "");
const keyOf = (bucket: string) => `${env().QUEUE_PREFIX}:limit:sliding:${bucket}`;
const take = (bucket: string, points: number, windowMs = WINDOW_MS) =>
  counterOf("sliding").take(bucket, points, windowMs);
async function now() {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}
/** As a bucket looks after calls that were made that long ago. */
async function called(bucket: string, ...calls: { agoMs: number; count: number }[]) {
  const at = await now();
  for (const { agoMs, count } of calls) await redis.hset(keyOf(bucket), String(at - agoMs), `${count} ${at - agoMs}`);
}

beforeAll(() =>
  // The first calls may be counted before the connection stands: those are counted in memory.
  vi.waitFor(
    async () => {
      await take("warm-up", 1_000);
      expect(await redis.exists(keyOf("warm-up"))).toBe(1);
    },
    { timeout: 15_000 },
  ),
);
afterAll(() => redis.quit());

it("the window slides: twenty calls at its end leave no room for twenty more when a fixed window would begin anew", async () => {
  await called("sliding", { agoMs: WINDOW_MS - 1_000, count: 1 }, { agoMs: 60_000, count: 19 });
  const full = await take("sliding", 20);
  expect(full).toMatchObject({ isFull: true });
  // One call leaves with the first of them, the others with the burst.
  expect(full.isFull && full.freeInMs).toBeGreaterThan(0);
  expect(full.isFull && full.freeInMs).toBeLessThanOrEqual(1_000);
  await called("over", { agoMs: WINDOW_MS + 1, count: 1 }, { agoMs: 60_000, count: 19 });
  expect(await take("over", 20)).toMatchObject({ isFull: false });
  expect(await take("over", 20)).toMatchObject({ isFull: true });
});

it("a bucket stays small and goes by itself", async () => {
  await called("small", ...Array.from({ length: 12 }, (_, n) => ({ agoMs: n * 75_000 + 1, count: 5_000 })));
  for (let n = 0; n < 200; n += 1) await take("small", 100_000);
  expect(await redis.hlen(keyOf("small"))).toBeLessThanOrEqual(13);
  expect(await redis.pttl(keyOf("small"))).toBeLessThanOrEqual(WINDOW_MS);
  expect(await redis.pttl(keyOf("small"))).toBeGreaterThan(WINDOW_MS - 60_000);
});

it("calls are given back to where they were counted, once the slot is gone to nowhere", async () => {
  const first = await take("back", 2);
  const second = await take("back", 2);
  expect(await take("back", 2)).toMatchObject({ isFull: true });
  if (first.isFull || second.isFull) throw new Error("the first two calls must pass");
  await first.giveBack();
  await second.giveBack();
  expect(await redis.exists(keyOf("back"))).toBe(0);
  await second.giveBack();
  expect(await redis.exists(keyOf("back"))).toBe(0);
});

it("of 300 calls at once exactly as many pass as the limit says", async () => {
  const taken = await Promise.all(Array.from({ length: 300 }, () => take("at-once", 37)));
  expect(taken.filter(({ isFull }) => !isFull)).toHaveLength(37);
});

it("what happened under a limit adds up in Redis, over all web processes", async () => {
  // As another process left it.
  await redis.hset(`${env().QUEUE_PREFIX}:limit-stats:export`, {
    total: 5,
    blocked: 2,
    answered: 3,
    durationMs: 90,
    since: 1_000,
  });
  noteCall("export", false);
  noteAnswer("export", 30.4);
  noteCall("export", true);
  await expect
    .poll(async () => (await readLimitStats(["export"])).get("export"))
    .toEqual({ total: 7, blocked: 3, answered: 4, durationMs: 120, since: new Date(1_000) });
  // Without being read, it is there within a few seconds, too.
  noteCall("admin", false);
  await expect.poll(() => redis.hget(`${env().QUEUE_PREFIX}:limit-stats:admin`, "total"), { timeout: 5_000 }).toBe("1");
  expect((await readLimitStats(["nothing-of-ours"])).get("nothing-of-ours")).toMatchObject({ total: 0, answered: 0 });
});
