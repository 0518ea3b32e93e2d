import { beforeEach, describe, expect, it } from "vitest";
import { jobs } from "@/lib/contracts/jobs.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { systemContext } from "../../system-context.ts";
import { takeDaily, takeForAccounts, takeForAll } from "./take-due.ts";

beforeEach(() => db().schedule.deleteMany());

/** Twice a second for 15 s both workers look, the one with the earlier clock first. */
async function wakesOfTwo(apartMs: number, from: string, take: (now: () => Date) => Promise<boolean>): Promise<number> {
  const start = Date.parse(from);
  let wakes = 0;
  for (let ms = 0; ms <= 15_000; ms += 500)
    for (const ahead of [0, apartMs]) if (await take(() => new Date(start + ms + ahead))) wakes += 1;
  return wakes;
}

const NOON = "2026-11-27T12:00:00Z";

describe.each([0, 3_000, 6_000, 10_000])("two workers whose clocks are %i ms apart", (apartMs) => {
  it("wake work of all accounts no more often than one does", async () => {
    const base = systemContext("test");
    const wakes = await wakesOfTwo(apartMs, NOON, (now) => takeForAll({ ...base, now }, jobs.backtestRun, 5_000));
    expect(wakes).toBeGreaterThanOrEqual(2);
    expect(wakes).toBeLessThanOrEqual(4);
  });

  it("wake the work of an account no more often than one does", async () => {
    const base = systemContext("test");
    const { id } = await makeAccount(db(), (await makeUser(db())).id);
    const wakes = await wakesOfTwo(apartMs, NOON, async (now) =>
      (await takeForAccounts({ ...base, now }, jobs.orderStatus, 5_000)).includes(id),
    );
    expect(wakes).toBeGreaterThanOrEqual(2);
    expect(wakes).toBeLessThanOrEqual(4);
  });

  it("wake daily work once", async () => {
    const base = systemContext("test");
    const at = { hour: 13, minute: 30 };
    await takeDaily({ ...base, now: () => new Date("2026-11-27T13:00:00Z") }, jobs.providerCheck, at);
    expect(
      await wakesOfTwo(apartMs, "2026-11-27T13:29:52Z", (now) => takeDaily({ ...base, now }, jobs.providerCheck, at)),
    ).toBe(1);
  });
});

it("a row that waits for a time which the clock has left is put right without a run", async () => {
  const base = systemContext("test");
  const context = { ...base, now: () => new Date(NOON) };
  const { id } = await makeAccount(db(), (await makeUser(db())).id);
  const take = async () => [
    await takeForAll(context, jobs.mail, 2_000),
    await takeDaily(context, jobs.providerCheck, { hour: 13, minute: 30 }),
    (await takeForAccounts(context, jobs.orderStatus, 5_000)).includes(id),
  ];
  await take();
  await db().schedule.updateMany({ data: { dueAt: new Date("2099-01-01T00:00:00Z") } });
  expect(await take()).toEqual([false, false, false]);
  const rows = await db().schedule.findMany({
    where: { OR: [{ accountId: null }, { accountId: id }] },
    select: { job: true, dueAt: true, runs: true, lastStartedAt: true },
    orderBy: { job: "asc" },
  });
  expect(rows).toEqual([
    { job: "mail", dueAt: new Date("2026-11-27T12:00:02Z"), runs: 0, lastStartedAt: null },
    { job: "order-status", dueAt: new Date("2026-11-27T12:00:05Z"), runs: 0, lastStartedAt: null },
    { job: "provider-check", dueAt: new Date("2026-11-27T13:30:00Z"), runs: 0, lastStartedAt: null },
  ]);
});
