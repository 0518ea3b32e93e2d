import { afterEach, beforeEach, expect, it } from "vitest";
import { jobs } from "@/lib/contracts/jobs.ts";
import { db } from "@/lib/server/db.ts";
import { env, forgetEnv } from "@/lib/server/env.ts";
import { closeQueues, consume, queue, type Consumer } from "@/lib/server/jobs/queue.ts";
import { isQueueActive } from "@/lib/server/services/schedule/is-queue-active.ts";
import { makeAccount, makeSignIn, makeUser } from "@/prisma/factories.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import * as retryDoor from "./retry/route.ts";
import * as statusDoor from "./status/route.ts";
import * as toggleDoor from "./toggle/route.ts";

interface Status {
  active: boolean;
  pendingJobs: number | null;
  failedJobs: number | null;
  completedJobs: number | null;
  totalJobs: number | null;
  averageProcessingTime: number | null;
  unreachable: string | null;
  recentJobs: { id: string; type: string; status: string; error: string | null }[];
  deadLettered: { key: string; type: string; accountId: string | null }[];
}
let token: string;
const consumers: Consumer[] = [];
const prefix = env().QUEUE_PREFIX;

beforeEach(async () => {
  process.env.QUEUE_PREFIX = `t${Math.random().toString(36).slice(2)}`;
  forgetEnv();
  token = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
});
afterEach(async () => {
  await db().systemState.update({ where: { id: 1 }, data: { isQueueActive: true } });
  await db().jobRun.deleteMany();
  await Promise.all(consumers.splice(0).map((consumer) => consumer.close(true)));
  await closeQueues();
  process.env.QUEUE_PREFIX = prefix;
  forgetEnv();
});

const status = async () => (await callDoor(statusDoor, "GET", { token })).json?.data as unknown as Status;
const toggle = (body: object) => callDoor(toggleDoor, "POST", { token, body });
const retry = (body: object) => callDoor(retryDoor, "POST", { token, body });
const audits = (eventType: string) => db().auditEvent.count({ where: { eventType } });

function consumer(run: () => Promise<void>): void {
  const one = consume(jobs.mail, run);
  one.onError(() => undefined);
  consumers.push(one);
}

it("the status counts jobs by state and names the latest; a failed one is retried by its id, all by a word", async () => {
  let isBroken = true;
  consumer(() => (isBroken ? Promise.reject(new Error("no connection")) : Promise.resolve()));
  await queue().enqueue(jobs.mail, {});
  await expect.poll(async () => (await status()).failedJobs).toBe(1);
  const { recentJobs, totalJobs, unreachable } = await status();
  expect({ totalJobs, unreachable }).toEqual({ totalJobs: 1, unreachable: null });
  expect(recentJobs).toMatchObject([{ type: "mail", status: "failed", error: "no connection", maxRetries: 0 }]);
  isBroken = false;
  const before = await audits("JOBS_RETRIED");
  expect((await retry({ jobId: recentJobs[0]!.id })).json?.data).toEqual({ retried: 1 });
  await expect.poll(async () => (await status()).completedJobs).toBe(1);
  expect((await status()).averageProcessingTime).toBeGreaterThanOrEqual(0);
  // A person's retry counts among those that the job may have.
  expect((await status()).recentJobs).toMatchObject([{ status: "completed", retryCount: 1, maxRetries: 1 }]);
  expect((await retry({ jobId: recentJobs[0]!.id })).status).toBe(409);
  isBroken = true;
  await queue().enqueue(jobs.mail, {});
  await expect.poll(async () => (await status()).failedJobs).toBe(1);
  isBroken = false;
  expect((await retry({ all: true })).json?.data).toEqual({ retried: 1 });
  await expect.poll(async () => (await status()).completedJobs).toBe(2);
  expect(await audits("JOBS_RETRIED")).toBe(before + 2);
});

it("the queue stops and resumes: the switch is stored, audited once and logged", async () => {
  const before = await audits("QUEUE_SWITCHED");
  expect(await toggle({ active: false })).toMatchObject({ status: 200, json: { data: { active: false } } });
  expect((await toggle({ active: false })).status).toBe(200);
  expect((await status()).active).toBe(false);
  expect(await isQueueActive({ db: db() })).toBe(false);
  expect((await toggle({ active: true })).status).toBe(200);
  expect(await isQueueActive({ db: db() })).toBe(true);
  expect(await audits("QUEUE_SWITCHED")).toBe(before + 2);
});

it("dead-lettered work is listed and runs again when it is retried; work of an account waits for its resuming", async () => {
  const { id: accountId } = await db().account.create({
    data: {
      userId: (await makeUser(db())).id,
      broker: "PRACTICE",
      market: "PRACTICE",
      brokerAccountId: crypto.randomUUID(),
    },
  });
  const dead = { startedAt: new Date(), deadAt: new Date(), unfinished: 3, lastError: "ended its worker" };
  await db().jobRun.createMany({
    data: [
      { key: "purge:all", job: "purge", ...dead },
      { key: `order-status:${accountId}`, job: "order-status", ...dead },
    ],
  });
  expect((await status()).deadLettered).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ key: "purge:all", accountId: null }),
      expect.objectContaining({ key: `order-status:${accountId}`, accountId }),
    ]),
  );
  expect((await retry({ jobId: "purge:all" })).json?.data).toEqual({ retried: 1 });
  expect(await db().jobRun.findUnique({ where: { key: "purge:all" } })).toMatchObject({ deadAt: null, unfinished: 0 });
  expect((await retry({ jobId: `order-status:${accountId}` })).status).toBe(409);
});

it("dead-lettered work of a page of accounts, and of a deleted one, waits for no resuming: it can be retried", async () => {
  const { id: userId } = await makeUser(db());
  const [first, deleted] = [await makeAccount(db(), userId), await makeAccount(db(), userId)];
  await db().account.update({ where: { id: deleted.id }, data: { deletedAt: new Date(), status: "INACTIVE" } });
  const dead = { startedAt: new Date(), deadAt: new Date(), unfinished: 3, lastError: "ended its worker" };
  const runs = [
    { key: `account-page:${first.id}`, job: "account-page", ...dead },
    { key: `order-status:${deleted.id}`, job: "order-status", ...dead },
  ];
  await db().jobRun.createMany({ data: runs });
  const listed = (await status()).deadLettered.map(({ key, accountId }) => ({ key, accountId }));
  expect(listed).toEqual(expect.arrayContaining(runs.map(({ key }) => ({ key, accountId: null }))));
  for (const { key } of runs) expect((await retry({ jobId: key })).json?.data).toEqual({ retried: 1 });
  expect((await status()).deadLettered).toEqual([]);
});

it("the queue is an administrator's alone, takes nothing unknown, and an unknown job is not found", async () => {
  const user = await makeSignIn(db(), await makeUser(db()));
  for (const [door, method, body] of [
    [statusDoor, "GET", undefined],
    [toggleDoor, "POST", { active: true }],
    [retryDoor, "POST", { all: true }],
  ] as const) {
    expect((await callDoor(door, method, { body })).status).toBe(401);
    expect((await callDoor(door, method, { token: user, body })).status).toBe(403);
  }
  expect((await toggle({})).json?.error).toBe("Say whether the queue is active.");
  expect((await toggle({ active: true, why: "x" })).status).toBe(400);
  expect((await retry({})).status).toBe(400);
  expect((await retry({ all: false })).status).toBe(400);
  expect((await retry({ jobId: "no-such-job" })).status).toBe(404);
});
