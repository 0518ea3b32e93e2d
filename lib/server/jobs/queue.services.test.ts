import { mkdirSync, rmdirSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { Redis } from "ioredis";
import { jobs } from "@/lib/contracts/jobs.ts";
import { badLine, ownRedis } from "@/scripts/own-services.mjs";
import { env, forgetEnv } from "../env.ts";
import { readJobs, retryFailedJobs, retryJob, stateOfJob } from "./kept-jobs.ts";
import { closeQueues, consume, queue } from "./queue.ts";
import { createInProcessQueue } from "./in-process-queue.ts";

let redis: Awaited<ReturnType<typeof ownRedis>>;
let line: Awaited<ReturnType<typeof badLine>>;
const consumers: { close(force?: boolean): Promise<void> }[] = [];

beforeAll(async () => {
  redis = await ownRedis();
});
afterAll(async () => {
  await redis.remove();
});

/** Every test has a line of its own to Redis, and no memory of an earlier outage. */
beforeEach(async () => {
  const url = new URL(redis.url);
  line = await badLine(Number(url.port));
  url.port = String(line.port);
  process.env.REDIS_URL = url.href;
  process.env.QUEUE_PREFIX = `t${Math.random().toString(36).slice(2)}`;
  forgetEnv();
});
afterEach(async () => {
  line.mend();
  await Promise.all(consumers.splice(0).map((consumer) => consumer.close(true)));
  await closeQueues();
  await line.close();
});

function consumer() {
  const done: unknown[] = [];
  const worker = consume(jobs.mail, (data) => {
    done.push(data);
    return Promise.resolve();
  });
  worker.onError(() => undefined);
  consumers.push(worker);
  return done;
}

function worker() {
  const done: string[] = [];
  const inProcess = createInProcessQueue((job) => {
    done.push(job.name);
    return Promise.resolve();
  });
  return { done, enqueue: () => queue(inProcess).enqueue(jobs.mail, {}) };
}

it("work enqueued while Redis is down runs in the worker that enqueued it, at once and without an error (R6)", async () => {
  line.cut();
  const { done, enqueue } = worker();
  await enqueue();
  expect(done).toEqual(["mail"]);
  // Known to be unavailable: no caller waits for it a second time.
  await Promise.all(Array.from({ length: 200 }, enqueue));
  expect(done.length).toBeGreaterThan(1);
});

it("a connection that breaks in the middle of the day is used again when Redis is back (R1)", async () => {
  const ran = consumer();
  const { enqueue, done } = worker();
  await enqueue();
  await expect.poll(() => ran.length).toBe(1);
  line.cut();
  await enqueue();
  expect(done).toEqual(["mail"]);
  line.mend();
  await expect
    .poll(
      async () => {
        await enqueue();
        return ran.length;
      },
      { timeout: 20_000, interval: 250 },
    )
    .toBeGreaterThan(1);
});

it("a Redis that was killed takes work again after its start (R2)", async () => {
  const ran = consumer();
  const { enqueue } = worker();
  await enqueue();
  await expect.poll(() => ran.length).toBe(1);
  redis.running().proc.kill();
  await redis.running().proc.done;
  await redis.start();
  await expect
    .poll(
      async () => {
        await enqueue();
        return ran.length;
      },
      { timeout: 20_000, interval: 250 },
    )
    .toBeGreaterThan(1);
});

it("after a flush the same work can be rung again: no forgotten mark holds it back (R3)", async () => {
  // No worker consumes yet: the work waits, and is lost with everything else.
  const { enqueue } = worker();
  await enqueue();
  const client = new Redis(redis.url);
  await client.flushall();
  const ran = consumer();
  await enqueue();
  await expect.poll(() => ran.length).toBe(1);
  client.disconnect();
});

it("an empty Redis in the place of the old one is enough to continue (R4)", async () => {
  const ran = consumer();
  const { enqueue } = worker();
  await enqueue();
  await expect.poll(() => ran.length).toBe(1);
  await redis.stop();
  redis.wipe();
  await redis.start();
  await expect
    .poll(
      async () => {
        await enqueue();
        return ran.length;
      },
      { timeout: 20_000, interval: 250 },
    )
    .toBeGreaterThan(1);
});

it("a Redis without memory takes nothing, and the work runs in the worker that enqueued it (R5)", async () => {
  const client = new Redis(redis.url);
  await client.config("SET", "maxmemory", "1");
  try {
    const { done, enqueue } = worker();
    await enqueue();
    expect(done).toEqual(["mail"]);
  } finally {
    await client.config("SET", "maxmemory", "0");
    client.disconnect();
  }
});

it("of one scope one run waits, however often and slowly it is rung (R12)", async () => {
  line.delayMs = 100;
  const { enqueue } = worker();
  await Promise.all(Array.from({ length: 20 }, enqueue));
  const client = new Redis(redis.url);
  const waiting = await client.zcard(`${env().QUEUE_PREFIX}:mail:prioritized`);
  expect(waiting).toBe(1);
  client.disconnect();
});

it("work of many accounts in one call waits once for each account, and runs here where Redis is down", async () => {
  const accountIds = Array.from(
    { length: 450 },
    (_, nth) => `0198c0de-0000-7000-8000-${String(nth).padStart(12, "0")}`,
  );
  const ran: unknown[] = [];
  const inProcess = createInProcessQueue((_job, data) => {
    ran.push(data);
    return Promise.resolve();
  });
  const inputs = accountIds.map((accountId) => ({ accountId }));
  // Twice: those that wait already are not asked for again.
  for (let turn = 0; turn < 2; turn += 1) await queue(inProcess).enqueue(jobs.orderStatus, inputs);
  const client = new Redis(redis.url);
  const waiting = await client.zcard(`${env().QUEUE_PREFIX}:order-status:prioritized`);
  client.disconnect();
  expect(waiting).toBe(accountIds.length);
  expect(ran).toEqual([]);
  line.cut();
  await queue(inProcess).enqueue(jobs.orderStatus, inputs);
  await expect.poll(() => ran.length).toBe(accountIds.length);
});

it("a run whose worker lost its lock in the middle is run again by another (R7) (R8)", async () => {
  let begun = 0;
  const stuck = consume(jobs.mail, () => {
    begun += 1;
    return begun === 1 ? new Promise<void>(() => undefined) : Promise.resolve();
  });
  stuck.onError(() => undefined);
  consumers.push(stuck);
  const { enqueue } = worker();
  await enqueue();
  await expect.poll(() => begun).toBe(1);
  const ran = consumer();
  // The lock is gone, as that of a process that was stopped for longer than its lock lasts.
  const client = new Redis(redis.url);
  const [lock] = await client.keys(`${env().QUEUE_PREFIX}:mail:*:lock`);
  await stuck.close(true);
  if (lock) await client.del(lock);
  await expect.poll(() => ran.length, { timeout: 30_000 }).toBe(1);
  client.disconnect();
});

it("a queue whose disk is full is asked now and then, not without a pause, and works again soon after (Redis answers MISCONF)", async () => {
  const errors: string[] = [];
  const ran: unknown[] = [];
  const consumer = consume(jobs.mail, (data) => {
    ran.push(data);
    return Promise.resolve();
  });
  consumer.onError((error) => errors.push(error.message));
  consumers.push(consumer);
  const { enqueue, done } = worker();
  await enqueue();
  await expect.poll(() => ran.length).toBe(1);

  // The last save failed, so Redis refuses to write: what a full disk looks like.
  const client = new Redis(redis.url);
  const [, dir = ""] = (await client.config("GET", "dir")) as string[];
  const [, name = ""] = (await client.config("GET", "dbfilename")) as string[];
  await client.config("SET", "stop-writes-on-bgsave-error", "yes");
  await client.config("SET", "save", "3600 1");
  // A directory stands where the save has to go.
  const inTheWay = path.join(dir, name);
  rmSync(inTheWay, { force: true });
  mkdirSync(inTheWay);
  await client.set("something", "to save");
  await client.bgsave();
  await expect.poll(() => errors.length, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(errors[0]).toMatch(/^MISCONF/);
  const before = errors.length;
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  // One look in two seconds, and the look for stalled work.
  expect(errors.length - before).toBeLessThanOrEqual(8);
  // The work itself does not wait for the disk.
  await enqueue();
  expect(done).toEqual(["mail"]);

  rmdirSync(inTheWay);
  await client.config("SET", "stop-writes-on-bgsave-error", "no");
  client.disconnect();
  await expect
    .poll(
      async () => {
        await enqueue();
        return ran.length;
      },
      { timeout: 12_000, interval: 250 },
    )
    .toBeGreaterThan(1);
});

it("a consumer that is held starts no job but the one it was waiting for, and continues once it is released", async () => {
  const ran: unknown[] = [];
  const held = consume(jobs.orderStatus, (data) => {
    ran.push(data);
    return Promise.resolve();
  });
  held.onError(() => undefined);
  consumers.push(held);
  const accountIds = Array.from({ length: 5 }, (_, nth) => `0198c0de-0000-7000-8000-00000000000${nth}`);
  const enqueue = (accountId: string) => queue().enqueue(jobs.orderStatus, { accountId });
  await enqueue(accountIds[0]!);
  await expect.poll(() => ran.length).toBe(1);
  held.hold(true);
  for (const accountId of accountIds.slice(1)) await enqueue(accountId);
  const counts = async () => (await readJobs()).counts;
  await expect.poll(async () => (await counts()).processing).toBe(0);
  expect((await counts()).pending).toBeGreaterThanOrEqual(3);
  held.hold(false);
  await expect.poll(() => ran.length).toBe(5);
});

it("failed jobs are kept with what was asked and why they failed, and run again when they are retried", async () => {
  let isBroken = true;
  const ran: unknown[] = [];
  const flaky = consume(jobs.orderStatus, (data) => {
    if (isBroken) return Promise.reject(new Error("the broker answered 500"));
    ran.push(data);
    return Promise.resolve();
  });
  flaky.onError(() => undefined);
  consumers.push(flaky);
  const accountId = "0198c0de-0000-7000-8000-000000000001";
  await queue().enqueue(jobs.orderStatus, { accountId });
  await expect.poll(async () => (await readJobs()).counts.failed).toBe(1);
  const [failed] = (await readJobs()).latest;
  expect(failed).toMatchObject({
    type: "order-status",
    status: "failed",
    data: { accountId },
    error: "the broker answered 500",
    attempts: 1,
  });
  expect(await stateOfJob(failed!.id)).toBe("failed");
  expect(await stateOfJob("no-such-job")).toBe("unknown");
  isBroken = false;
  expect(await retryJob(failed!.id)).toBe(true);
  await expect.poll(() => ran).toEqual([{ accountId }]);
  await expect.poll(async () => (await readJobs()).counts).toMatchObject({ failed: 0, completed: 1 });
  expect(await stateOfJob(failed!.id)).toBe("not-failed");
  expect(await retryJob(failed!.id)).toBe(false);

  isBroken = true;
  await queue().enqueue(jobs.orderStatus, { accountId });
  await expect.poll(async () => (await readJobs()).counts.failed).toBe(1);
  isBroken = false;
  expect(await retryFailedJobs()).toBe(1);
  await expect.poll(() => ran.length).toBe(2);
});
