import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { createDb, db } from "../db.ts";
import { createRequestBudget } from "./request-budget.ts";
import { createSharedBucket, takeForReads } from "./shared-bucket.ts";
import type { Priority } from "./token-bucket.ts";

/** A year for a minute: no token is refilled while a test runs. */
const STANDING_STILL = () => 365 * 24 * 3_600_000;

const inAProcess = (accountId: string, minuteMs = STANDING_STILL) => {
  const bucket = createSharedBucket({ db, accountId, minuteMs, patienceMs: 30_000 });
  return { bucket, budget: createRequestBudget(bucket) };
};

async function countGoing(take: (priority: Priority) => Promise<boolean>, priority: Priority, asked: number) {
  const answers = await Promise.all(Array.from({ length: asked }, () => take(priority)));
  return answers.filter(Boolean).length;
}

it("three processes of one account together send what one may: 120, and 80 more for what must not wait", async () => {
  const accountId = randomUUID();
  const processes = [inAProcess(accountId), inAProcess(accountId), inAProcess(accountId)];
  const going = async (priority: Priority) =>
    (
      await Promise.all(processes.map(({ budget }) => countGoing((kind) => budget.take(kind, 2_000), priority, 70)))
    ).reduce((total, count) => total + count, 0);
  expect(await going("reading")).toBe(120);
  expect(await going("exit")).toBe(80);
  expect(await going("cancel")).toBe(0);
});

it("accounts do not slow each other", async () => {
  const [one, other] = [inAProcess(randomUUID()), inAProcess(randomUUID())];
  expect(await countGoing((kind) => one.budget.take(kind, 500), "entry", 130)).toBe(120);
  expect(await countGoing((kind) => other.budget.take(kind, 500), "entry", 10)).toBe(10);
});

it("what was used is refilled with the minute", async () => {
  const accountId = randomUUID();
  const { budget } = inAProcess(accountId, () => 2_400);
  await countGoing((kind) => budget.take(kind, 0), "entry", 120);
  // 50 tokens a second are refilled.
  expect(await budget.take("entry", 5_000)).toBe(true);
});

it("a pause that the broker asked one process for stops the others, cancels too", async () => {
  const accountId = randomUUID();
  const [one, other] = [inAProcess(accountId), inAProcess(accountId)];
  one.budget.pause(60_000);
  await expect.poll(() => other.bucket.take("cancel")).toBeGreaterThan(50_000);
  expect(one.budget.pausedForMs()).toBeGreaterThan(50_000);
});

it("the requests of a reading take one statement while there is plenty, and one each where there is not", async () => {
  const accountId = randomUUID();
  let statements = 0;
  const counted = () => {
    statements += 1;
    return db();
  };
  const bucket = createSharedBucket({ db: counted, accountId, minuteMs: STANDING_STILL, patienceMs: 30_000 });
  const budget = createRequestBudget(bucket);
  expect(await countGoing((kind) => budget.take(kind, 2_000), "reading", 7)).toBe(7);
  expect(statements).toBe(1);
  expect(await countGoing((kind) => inAProcess(accountId).budget.take(kind, 2_000), "entry", 70)).toBe(70);
  // 43 are left, of which a handful would leave fewer than entries may need.
  statements = 0;
  expect(await countGoing((kind) => budget.take(kind, 2_000), "reading", 43)).toBe(43);
  expect(statements).toBeGreaterThanOrEqual(43);
  expect(await budget.take("reading", 0)).toBe(false);
});

it("a pause ends what a process had taken for its readings", async () => {
  const { budget } = inAProcess(randomUUID());
  expect(await budget.take("reading", 2_000)).toBe(true);
  budget.pause(60_000);
  expect(await budget.take("reading", 0)).toBe(false);
});

it("a process that cannot reach the database continues with a third", async () => {
  const gone = createDb("postgresql://nobody@127.0.0.1:1/nothing", 1);
  const apart = createRequestBudget(
    createSharedBucket({ db: () => gone, accountId: randomUUID(), minuteMs: STANDING_STILL }),
  );
  expect(await countGoing((kind) => apart.take(kind, 1_000), "reading", 60)).toBe(40);
  expect(await countGoing((kind) => apart.take(kind, 500), "exit", 40)).toBe(26);
  await gone.$disconnect();
});

it("looks at many accounts take their requests in one statement, where there is plenty and no pause", async () => {
  const [plenty, fresh, little, paused] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const { budget } = inAProcess(plenty);
  expect(await budget.take("entry", 2_000)).toBe(true);
  expect(await countGoing((kind) => inAProcess(little).budget.take(kind, 2_000), "entry", 80)).toBe(80);
  inAProcess(paused).budget.pause(60_000);
  await expect.poll(() => inAProcess(paused).bucket.take("cancel")).toBeGreaterThan(50_000);
  const taken = await takeForReads(db(), [plenty, fresh, little, paused], STANDING_STILL, 3);
  expect(taken.sort()).toEqual([plenty, fresh].sort());
  // What was taken is gone for all processes: 120 less one, less three.
  expect(await countGoing((kind) => budget.take(kind, 2_000), "entry", 120)).toBe(116);
});

it("what was taken for a look is used by its requests, whatever their priority, and a pause ends it", async () => {
  let statements = 0;
  const counted = () => {
    statements += 1;
    return db();
  };
  const bucket = createSharedBucket({
    db: counted,
    accountId: randomUUID(),
    minuteMs: STANDING_STILL,
    patienceMs: 30_000,
  });
  bucket.receive(3);
  expect([await bucket.take("reading"), await bucket.take("exit"), await bucket.take("reading")]).toEqual([0, 0, 0]);
  expect(statements).toBe(0);
  expect(await bucket.take("exit")).toBe(0);
  expect(statements).toBe(1);
  bucket.receive(3);
  bucket.pause(60_000);
  expect(await bucket.take("reading")).toBeGreaterThan(50_000);
  bucket.receive(3);
  expect(await bucket.take("exit")).toBeGreaterThan(50_000);
});
