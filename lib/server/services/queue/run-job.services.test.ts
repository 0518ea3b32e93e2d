import * as z from "zod";
import { expect, it } from "vitest";
import { job } from "@/lib/contracts/job.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { defineJob } from "../../jobs/define-job.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { runJob } from "./run-job.ts";

function doorOf(service: () => Promise<unknown>) {
  const contract = job({
    name: "order-status",
    input: z.strictObject({ accountId: z.uuid() }),
    scope: ({ accountId }) => accountId,
    priority: 1,
    attempts: 1,
    concurrency: 1,
  });
  return defineJob(contract, service);
}

const DELETED = { deletedAt: new Date(), status: "INACTIVE" } as const;
const neverEnding = () => new Promise<never>(() => undefined);

/** Begins a run and forgets it, as a worker that dies in the middle does. */
async function dieIn(accountId: string): Promise<void> {
  let hasBegun = false;
  const door = doorOf(() => {
    hasBegun = true;
    return neverEnding();
  });
  void runJob(testContext(), door, { accountId });
  await expect.poll(() => hasBegun).toBe(true);
}

it("a payload that is not one of the job's is refused and touches nothing (R11)", async () => {
  const context = testContext();
  let runs = 0;
  const door = doorOf(() => Promise.resolve((runs += 1)));
  for (const forged of [null, 7, {}, { accountId: "1; drop table" }, { accountId: crypto.randomUUID(), admin: true }])
    await runJob(context, door, forged);
  expect(runs).toBe(0);
  expect(await db().jobRun.count()).toBe(0);
  expect(context.lines.filter(({ event }) => event === "job.rejected")).toHaveLength(5);
});

it("a job that killed its worker three times is dead-lettered and its account halted; other accounts are served (W14)", async () => {
  const user = await makeUser(db());
  const [poisoned, healthy] = [await makeAccount(db(), user.id), await makeAccount(db(), user.id)];
  for (let death = 0; death < 3; death += 1) await dieIn(poisoned.id);
  let runs = 0;
  const door = doorOf(() => Promise.resolve((runs += 1)));

  await runJob(testContext(), door, { accountId: poisoned.id });
  expect(runs).toBe(0);
  const halted = await db().account.findUniqueOrThrow({ where: { id: poisoned.id } });
  expect(halted.haltReason).toBe("order-status ended its worker 3 times in a row");
  await runJob(testContext(), door, { accountId: poisoned.id });
  expect(runs).toBe(0);

  await runJob(testContext(), door, { accountId: healthy.id });
  expect(runs).toBe(1);

  // A person who resumes the account lets its work run again.
  await db().account.update({ where: { id: poisoned.id }, data: { haltedAt: null, haltReason: null } });
  await runJob(testContext(), door, { accountId: poisoned.id });
  expect(runs).toBe(2);
  expect(await db().jobRun.findUniqueOrThrow({ where: { key: `order-status:${poisoned.id}` } })).toMatchObject({
    unfinished: 0,
    deadAt: null,
  });
});

it("a run that ends, well or badly, forgets the deaths before it", async () => {
  const user = await makeUser(db());
  const { id: accountId } = await makeAccount(db(), user.id);
  await dieIn(accountId);
  await dieIn(accountId);
  const failing = doorOf(() => Promise.reject(new Error("broken")));
  await expect(runJob(testContext(), failing, { accountId })).rejects.toThrow("broken");
  const row = await db().jobRun.findUniqueOrThrow({ where: { key: `order-status:${accountId}` } });
  expect(row).toMatchObject({ unfinished: 0, lastError: "broken" });
  expect(row.finishedAt).not.toBeNull();
});

it("work of a deleted account that kills its worker rests for ten minutes: it cannot be resumed", async () => {
  const { id: accountId } = await makeAccount(db(), (await makeUser(db())).id);
  await db().account.update({
    where: { id: accountId },
    data: { ...DELETED, haltedAt: new Date(), haltReason: "before" },
  });
  for (let death = 0; death < 3; death += 1) await dieIn(accountId);
  let runs = 0;
  const door = doorOf(() => Promise.resolve((runs += 1)));
  const after = (minutes: number) => testContext({ now: () => new Date(Date.now() + minutes * 60_000) });
  for (const minutes of [0, 0, 9]) await runJob(after(minutes), door, { accountId });
  expect(runs).toBe(0);
  await runJob(after(11), door, { accountId });
  expect(runs).toBe(1);
});

it("work of a deleted account that was never halted rests as well, so that it does not kill worker after worker", async () => {
  const { id: accountId } = await makeAccount(db(), (await makeUser(db())).id);
  await db().account.update({ where: { id: accountId }, data: DELETED });
  for (let death = 0; death < 3; death += 1) await dieIn(accountId);
  let runs = 0;
  const door = doorOf(() => Promise.resolve((runs += 1)));
  for (let turn = 0; turn < 3; turn += 1) await runJob(testContext(), door, { accountId });
  expect(runs).toBe(0);
});
