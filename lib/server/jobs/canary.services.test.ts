/** Who takes which work while a canary worker runs: the queues in a Redis, the share and the canary's life in Postgres. */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Job } from "@/lib/contracts/job.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { isInShare } from "@/lib/domain/canary.ts";
import { asCanary, canaryBeats, endSplit, giveShare } from "@/lib/proof/fixtures/split.ts";
import { db } from "../db.ts";
import { env, forgetEnv } from "../env.ts";
import { CANARY_SILENT_MS, currentSplit, guardedAccounts, ownAccounts, readSplit } from "./canary.ts";
import { readJobs } from "./kept-jobs.ts";
import { closeQueues, consume, type Consumer, queue } from "./queue.ts";
import { standIn } from "./stand-in.ts";

const HALF = 5_000;
const consumers: { close(): Promise<void> }[] = [];

beforeEach(() => {
  process.env.QUEUE_PREFIX = `t${randomUUID()}`;
  forgetEnv();
});
afterEach(async () => {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.close()));
  await closeQueues();
  await endSplit();
});

/** An id on the side of the share. */
function idOn(isInside: boolean, share = HALF): string {
  for (;;) {
    const id = randomUUID();
    if (isInShare(id, share) === isInside) return id;
  }
}
const wake = (accountId: string) => queue().enqueue(jobs.orderStatus, { accountId });

/** Keeps what it was given. */
function take(job: Job, isForCanary: boolean, ran: unknown[] = []) {
  const consumer = consume(job, (data) => Promise.resolve(void ran.push(data)), isForCanary);
  consumer.onError(() => undefined);
  consumers.push(consumer);
  return { ran, consumer };
}
/** An ordinary worker, as far as it takes the jobs of orders. */
function ordinaryWorker() {
  const { ran } = take(jobs.orderStatus, false);
  const beside = standIn(() => [take(jobs.orderStatus, true, ran).consumer]);
  return { ran, look: async () => beside.look(await currentSplit(db())) };
}
const accountsOf = (ran: unknown[]) => ran.map((data) => (data as { accountId: string }).accountId).sort();

it("the accounts of the share run in the canary alone, all others and the work of no account in ordinary workers alone", async () => {
  await giveShare(HALF);
  await canaryBeats();
  const inside = Array.from({ length: 20 }, () => idOn(true)).sort();
  const others = Array.from({ length: 20 }, () => idOn(false)).sort();
  const ordinary = ordinaryWorker();
  await ordinary.look();
  const taken = take(jobs.orderStatus, true);
  const markets = take(jobs.mail, false);
  await queue().enqueue(
    jobs.orderStatus,
    [...inside, ...others].map((accountId) => ({ accountId })),
  );
  await queue().enqueue(jobs.mail, {});
  await expect.poll(() => [taken.ran.length, ordinary.ran.length, markets.ran.length]).toEqual([20, 20, 1]);
  expect(accountsOf(taken.ran)).toEqual(inside);
  expect(accountsOf(ordinary.ran)).toEqual(others);
  // The console counts both queues.
  await expect.poll(async () => (await readJobs()).counts).toMatchObject({ pending: 0, completed: 41 });
});

it.each([
  ["account-cycle", jobs.accountCycle, (accountId: string) => ({ cycleId: randomUUID(), accountId })],
  ["account-page", jobs.accountPage, (from: string) => ({ cycleId: randomUUID(), from, to: from, share: HALF })],
  ["order-status", jobs.orderStatus, (accountId: string) => ({ accountId })],
  ["rotation-account", jobs.rotationAccount, (accountId: string) => ({ accountId })],
  ["invariants", jobs.invariants, (accountId: string) => ({ accountId })],
  ["invariants-page", jobs.invariantsPage, (from: string) => ({ from, to: from, share: HALF })],
])("%s goes to the worker of its account", async (_, job: Job, payload) => {
  await giveShare(HALF);
  await canaryBeats();
  const [taken, ordinary] = [take(job, true), take(job, false)];
  const [ofCanary, ofOthers] = [payload(idOn(true)), payload(idOn(false))];
  await queue().enqueue(job, [ofCanary, ofOthers]);
  await expect.poll(() => [taken.ran, ordinary.ran]).toEqual([[ofCanary], [ofOthers]]);
});

it("every job about one account or a page of them names one, so that none is left out of the share", () => {
  const ofOne = Object.values(jobs as Record<string, Job>).filter(({ account }) => account !== undefined);
  const accountId = randomUUID();
  const about = Object.values(jobs as Record<string, Job>).filter(
    ({ input }) => input.safeParse({ accountId }).success || input.safeParse({ accountId, cycleId: accountId }).success,
  );
  expect(ofOne.map(({ name }) => name).sort()).toEqual(
    [...about.map(({ name }) => name), "account-page", "invariants-page", "order-status-page"].sort(),
  );
});

it("a canary that falls silent loses its accounts: what waits for it is done once by the others, and so is what comes after", async () => {
  await giveShare(HALF);
  await canaryBeats();
  const ordinary = ordinaryWorker();
  await ordinary.look();
  const waiting = [idOn(true), idOn(true)].sort();
  for (const id of waiting) await wake(id);
  await expect.poll(async () => (await readJobs()).counts.pending).toBe(2);
  await canaryBeats(CANARY_SILENT_MS + 1);
  expect(await readSplit(db())).toEqual({ share: HALF, isAlive: false });
  await ordinary.look();
  await expect.poll(() => accountsOf(ordinary.ran)).toEqual(waiting);
  const later = idOn(true);
  await wake(later);
  await expect.poll(() => accountsOf(ordinary.ran)).toEqual([...waiting, later].sort());
  await expect.poll(async () => (await readJobs()).counts).toMatchObject({ pending: 0, processing: 0, completed: 3 });
});

it("a canary that restarts has its accounts again, and no ordinary worker takes them", async () => {
  await giveShare(HALF);
  await canaryBeats(CANARY_SILENT_MS + 1);
  const ordinary = ordinaryWorker();
  await ordinary.look();
  const first = idOn(true);
  await wake(first);
  await expect.poll(() => accountsOf(ordinary.ran)).toEqual([first]);
  await canaryBeats();
  await ordinary.look();
  const inside = Array.from({ length: 10 }, () => idOn(true)).sort();
  for (const id of inside) await wake(id);
  const outside = idOn(false);
  await wake(outside);
  await expect.poll(() => accountsOf(ordinary.ran)).toEqual([first, outside].sort());
  expect((await readJobs()).counts.pending).toBe(inside.length);
  const taken = take(jobs.orderStatus, true);
  await expect.poll(() => accountsOf(taken.ran)).toEqual(inside);
});

it("a share of 0 gives every account back, though the canary lives on", async () => {
  await giveShare(HALF);
  await canaryBeats();
  expect(await giveShare(0)).toBe(HALF);
  const ordinary = ordinaryWorker();
  const ids = [idOn(true), idOn(false)].sort();
  for (const id of ids) await wake(id);
  await expect.poll(() => accountsOf(ordinary.ran)).toEqual(ids);
});

it("a worker stands in for a canary only once there was a share, and as held as its own work is", async () => {
  const opened: boolean[] = [];
  let closed = 0;
  const beside = standIn(() => {
    const consumer: Consumer = {
      hold: (isHeld) => void opened.push(isHeld),
      onError: () => undefined,
      close: () => Promise.resolve(void (closed += 1)),
    };
    opened.push(false);
    return [consumer];
  });
  await beside.look({ share: 0, isAlive: false });
  expect(opened).toEqual([]);
  await beside.look({ share: HALF, isAlive: true });
  expect(opened).toEqual([]);
  beside.hold(true);
  // What waits when the share was taken back and the canary is gone is done, too.
  await beside.look({ share: 0, isAlive: false });
  await beside.look({ share: 0, isAlive: false });
  expect([opened, closed]).toEqual([[false, true], 0]);
  await beside.look({ share: HALF, isAlive: true });
  expect(closed).toBe(1);
});

it("a process follows and protects its own side; stops of people are enforced by ordinary workers for every account", async () => {
  await giveShare(HALF);
  await canaryBeats();
  const [inside, outside] = [idOn(true), idOn(false)];
  const ofThis = async (read: typeof ownAccounts) => [inside, outside].map(await read(db()));
  expect([await ofThis(ownAccounts), await ofThis(guardedAccounts)]).toEqual([
    [false, true],
    [true, true],
  ]);
  await asCanary(async () => {
    expect(env().CANARY).toBe(true);
    expect([await ofThis(ownAccounts), await ofThis(guardedAccounts)]).toEqual([
      [true, false],
      [true, false],
    ]);
  });
  await canaryBeats(CANARY_SILENT_MS + 1);
  expect(await ofThis(ownAccounts)).toEqual([true, true]);
});
