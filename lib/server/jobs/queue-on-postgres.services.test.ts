import { afterAll, afterEach, beforeAll, expect, inject, it } from "vitest";
import { jobs } from "@/lib/contracts/jobs.ts";
import { migrate } from "@/prisma/migrate.mjs";
import { userOf } from "@/prisma/roles.mjs";
import { env, forgetEnv } from "../env.ts";
import { readJobs, retryFailedJobs, retryJob, stateOfJob } from "./kept-jobs.ts";
import { closeQueues, consume, queue } from "./queue.ts";

const before = process.env.REDIS_URL;
const consumers: { close(force?: boolean): Promise<void> }[] = [];
const accountOf = (nth: number) => `0198c0de-0000-7000-8000-${String(nth).padStart(12, "0")}`;

beforeAll(async () => {
  delete process.env.REDIS_URL;
  forgetEnv();
  // The tables of the queue, as the start of an installation without Redis makes them.
  const owner = inject("superuser").replace(/DATABASE$/, new URL(env().DATABASE_URL).pathname.slice(1));
  await migrate(owner, { hasQueue: true, appRole: userOf(env().DATABASE_URL) });
});
afterEach(async () => {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.close(true)));
  await closeQueues();
});
afterAll(() => {
  process.env.REDIS_URL = before;
  forgetEnv();
});

function consumer(run: (data: unknown) => Promise<void>) {
  const worker = consume(jobs.orderStatus, run);
  worker.onError(() => undefined);
  consumers.push(worker);
}

it("without Redis failed jobs are kept with what was asked and why they failed, and run again when they are retried", async () => {
  let isBroken = true;
  const ran: unknown[] = [];
  consumer((data) => {
    if (isBroken) return Promise.reject(new Error("the broker answered 500"));
    ran.push(data);
    return Promise.resolve();
  });
  const [accountId, other] = [accountOf(1), accountOf(2)];
  const counts = async () => (await readJobs()).counts;
  await queue().enqueue(jobs.orderStatus, { accountId });
  await expect.poll(async () => (await counts()).failed).toBe(1);
  const [failed] = (await readJobs()).latest;
  expect(failed).toMatchObject({
    ...{ type: "order-status", status: "failed", data: { accountId }, error: "the broker answered 500", attempts: 1 },
  });
  expect(await stateOfJob(failed!.id)).toBe("failed");
  isBroken = false;
  expect(await retryJob(failed!.id)).toBe(true);
  await expect.poll(() => ran).toEqual([{ accountId }]);
  await expect.poll(counts).toMatchObject({ failed: 0, completed: 1 });
  expect(await retryJob(failed!.id)).toBe(false);

  isBroken = true;
  await queue().enqueue(jobs.orderStatus, [{ accountId }, { accountId: other }]);
  await expect.poll(async () => (await counts()).failed).toBe(2);
  isBroken = false;
  expect(await retryFailedJobs()).toBe(2);
  await expect.poll(counts).toMatchObject({ failed: 0, completed: 3 });
});

it("without Redis up to 500 finished jobs of a kind are kept, the newest, and none that went well is called failed while many end at once", async () => {
  const ran = new Set<string>();
  for (let worker = 0; worker < 3; worker += 1)
    consumer((data) => {
      ran.add((data as { accountId: string }).accountId);
      return Promise.resolve();
    });
  const all = Array.from({ length: 1_500 }, (_, nth) => ({ accountId: accountOf(nth) }));
  await queue().enqueue(jobs.orderStatus, all);
  await expect.poll(() => ran.size, { timeout: 50_000 }).toBe(all.length);
  const counts = async () => (await readJobs()).counts;
  await expect.poll(counts).toMatchObject({ pending: 0, processing: 0, failed: 0 });
  await expect.poll(async () => (await counts()).completed).toBeLessThan(500 + 3 * 100);
  // Those of the millisecond in which the oldest of them ended go together.
  expect((await counts()).completed).toBeGreaterThan(450);
});
