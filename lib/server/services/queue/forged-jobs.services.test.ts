/** Redis is untrusted input: what a forged job says is checked against Postgres before anything is done with it. */
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { jobs } from "@/lib/contracts/jobs.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { doors } from "@/workers/doors.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import { defineJob } from "../../jobs/define-job.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { runJob } from "./run-job.ts";

const { accountCycle, invariants, orderStatus } = doors;

let asked: string[] = [];

/** A context that notes for which account a broker is asked, and reaches none. */
function watchedContext() {
  const context = testContext();
  const brokers: Context["brokers"] = {
    ...context.brokers,
    forAccount: (account) => {
      asked.push(account.id);
      throw new Error("a broker is asked");
    },
  };
  return { ...context, brokers };
}

let account: { id: string; userId: string };

beforeEach(async () => {
  asked = [];
  account = await makeAccount(db(), (await makeUser(db())).id);
  await db().account.update({ where: { id: account.id }, data: { reconciledAt: new Date() } });
});

const SNAPSHOTS = { PRACTICE: `snapshot-${randomUUID()}`, US: `snapshot-${randomUUID()}` };
let minutes = 0;

async function makeCycle(market: MarketName, status: "DONE" | "RUNNING" | "FAILED" = "DONE"): Promise<string> {
  const startedAt = new Date(Date.UTC(2026, 10, 20, 15, (minutes += 1)));
  const id = SNAPSHOTS[market];
  await db().marketSnapshot.createMany({ data: [{ id, market, asOf: startedAt, content: {} }], skipDuplicates: true });
  const cycle = { market, status, startedAt, sessionDate: new Date("2026-11-20"), snapshotId: id };
  return (await db().cycle.create({ data: cycle })).id;
}

async function nothingHappened(): Promise<void> {
  expect(asked).toEqual([]);
  expect(await db().decisionRecord.count()).toBe(0);
  expect(await db().intent.count()).toBe(0);
}

describe.each(Object.entries(jobs))("%s", (_, contract) => {
  it("takes the ids it promises and no other word", () => {
    const door = defineJob(contract, () => Promise.resolve());
    const ids = { accountId: randomUUID(), cycleId: randomUUID(), from: randomUUID(), to: randomUUID(), market: "US" };
    const sound = Object.fromEntries(Object.entries(ids).filter(([name]) => name in contract.input.shape));
    expect(door.open(sound)).not.toBeNull();
    const forged: unknown[] = [null, 7, "x", [], [sound]];
    for (const extra of ["userId", "role", "symbol", "qty", "keys", "constructor"])
      forged.push({ ...sound, [extra]: "ADMIN" });
    forged.push(JSON.parse(`{"__proto__":{"admin":true},${JSON.stringify(sound).slice(1, -1) || '"x":1'}}`));
    for (const name of Object.keys(sound))
      for (const value of [null, "", "x' or 1=1 --", 1, [sound[name]], { $ne: null }, `${sound[name]}\n`])
        forged.push({ ...sound, [name]: value });
    for (const payload of forged) expect(door.open(payload), JSON.stringify(payload)).toBeNull();
  });
});

describe("a forged job", () => {
  it.each([
    ["that was removed", { deletedAt: new Date(), sealedKeys: null, keyPrefix: null, status: "INACTIVE" as const }],
    ["whose keys are erased", { sealedKeys: null, keyPrefix: null }],
  ])("for an account %s asks no broker and decides nothing", async (__, data) => {
    await db().account.update({ where: { id: account.id }, data });
    const cycleId = await makeCycle("PRACTICE");
    const context = watchedContext();
    await runJob(context, orderStatus, { accountId: account.id });
    await runJob(context, invariants, { accountId: account.id });
    await runJob(context, accountCycle, { accountId: account.id, cycleId });
    await nothingHappened();
  });

  it("for an account that is switched off decides nothing", async () => {
    await db().account.update({ where: { id: account.id }, data: { status: "INACTIVE" } });
    await runJob(watchedContext(), accountCycle, { accountId: account.id, cycleId: await makeCycle("PRACTICE") });
    await nothingHappened();
  });

  it("for an account that there is not does nothing, and leaves no row", async () => {
    const context = watchedContext();
    const runs = await db().jobRun.count();
    const noAccount = { accountId: randomUUID() };
    await runJob(context, orderStatus, noAccount);
    await runJob(context, invariants, noAccount);
    await runJob(context, accountCycle, { ...noAccount, cycleId: await makeCycle("PRACTICE") });
    await nothingHappened();
    expect(await db().jobRun.count()).toBe(runs);
    expect(context.lines.filter(({ event }) => event === "job.rejected")).toHaveLength(3);
  });

  it.each([
    ["of another market", () => makeCycle("US")],
    ["that is not done", () => makeCycle("PRACTICE", "RUNNING")],
    ["that failed", () => makeCycle("PRACTICE", "FAILED")],
    ["that there is not", () => Promise.resolve(randomUUID())],
  ])("with a cycle %s is ignored, and said so", async (__, cycle) => {
    const context = watchedContext();
    await runJob(context, accountCycle, { accountId: account.id, cycleId: await cycle() });
    await nothingHappened();
    expect(context.lines.map(({ event }) => event)).toContain("cycle.rejected");
  });

  it("is the only one to be ignored: of a sound one the account's own broker is asked, and no other", async () => {
    await makeAccount(db(), account.userId);
    await expect(runJob(watchedContext(), invariants, { accountId: account.id })).rejects.toThrow("a broker is asked");
    expect(asked).toEqual([account.id]);
  });
});
