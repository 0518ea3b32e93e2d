import { afterEach, beforeEach, expect, it } from "vitest";
import { DAY_MS } from "@/lib/domain/time.ts";
import { keepDecisions, recordCycleDecision } from "@/lib/proof/fixtures/looks.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { purgeDecisions } from "./purge-decisions.ts";

const NOW = new Date("2026-11-21T12:00:00.000Z");
const KEPT_DAYS = 90;
const daysAgo = (days: number, minutes = 0) => new Date(NOW.getTime() - days * DAY_MS + minutes * 60_000);

let accountId: string;
beforeEach(async () => {
  keepDecisions(KEPT_DAYS);
  await db().account.deleteMany();
  await db().cycle.deleteMany();
  await db().rotationPlan.deleteMany();
  await db().marketSnapshot.deleteMany();
  await db().verdictSheet.deleteMany();
  accountId = await anAccount();
});
afterEach(() => keepDecisions());

const anAccount = async () =>
  (await makeAccount(db(), (await makeUser(db())).id, { broker: "ALPACA", environment: "PAPER" })).id;

/** What the run says that it deleted. */
async function purge(batch?: number) {
  const context = testContext({ now: () => NOW });
  await purgeDecisions(context, batch === undefined ? {} : { batch });
  return context.lines.map(({ event, fields }) => [event, fields]);
}
const deleted = (count: number, snapshots: number, sheets = snapshots) => [
  ["decisions.purged", { count, snapshots, sheets }],
];

const decisionsLeft = async () =>
  (await db().decisionRecord.findMany({ orderBy: { decidedAt: "asc" } })).map(({ id }) => id);
const hasSheet = async (id: string) => (await db().verdictSheet.findUnique({ where: { id } })) !== null;
const hasSnapshot = async (id: string) => (await db().marketSnapshot.findUnique({ where: { id } })) !== null;

it("deletes old decisions that did nothing with their snapshots and verdict sheets, keeps younger ones, and has no more to do then", async () => {
  const old = await recordCycleDecision(accountId, daysAgo(KEPT_DAYS, -1));
  const young = await recordCycleDecision(accountId, daysAgo(KEPT_DAYS, 1));
  const latest = await recordCycleDecision(accountId, daysAgo(1));
  expect(await purge()).toEqual(deleted(1, 1));
  expect(await decisionsLeft()).toEqual([young.id, latest.id]);
  expect(await hasSnapshot(old.snapshotId)).toBe(false);
  expect(await hasSnapshot(young.snapshotId)).toBe(true);
  expect([await hasSheet(old.sheetId), await hasSheet(young.sheetId)]).toEqual([false, true]);
  const cycles = await db().cycle.findMany({ orderBy: { startedAt: "asc" } });
  expect(cycles.map(({ snapshotId }) => snapshotId)).toEqual([null, young.snapshotId, latest.snapshotId]);
  expect(await purge()).toEqual(deleted(0, 0));
});

it("keeps what ordered, cancelled, stopped the account or has an intent for good, with both parts of its snapshot and its sheet", async () => {
  const kept = [
    await recordCycleDecision(accountId, daysAgo(400), { orders: 1 }),
    await recordCycleDecision(accountId, daysAgo(399), { cancels: ["an entry that waited too long"] }),
    await recordCycleDecision(accountId, daysAgo(398), { latch: { killState: "REDUCE_ONLY", reason: "drawdown" } }),
    await recordCycleDecision(accountId, daysAgo(397), { hasIntent: true }),
  ];
  const latest = await recordCycleDecision(accountId, daysAgo(1));
  expect(await purge()).toEqual(deleted(0, 0));
  expect(await decisionsLeft()).toEqual([...kept, latest].map(({ id }) => id));
  for (const { snapshotId, sheetId } of kept) {
    expect(await hasSheet(sheetId)).toBe(true);
    expect(await hasSnapshot(snapshotId)).toBe(true);
    expect(await hasSnapshot(`part of ${snapshotId}`)).toBe(true);
  }
  const [intent] = await db().intent.findMany({ where: { accountId } });
  expect(intent?.decisionId).toBe(kept.at(-1)?.id);
});

it("keeps a snapshot and a sheet that a kept decision uses, and a snapshot that a young cycle or a rotation plan uses", async () => {
  const [other, at] = [await anAccount(), daysAgo(200)];
  const quiet = await recordCycleDecision(accountId, at);
  const { snapshotId, sheetId } = await recordCycleDecision(other, at, { snapshotId: quiet.snapshotId, orders: 1 });
  const shared = await recordCycleDecision(accountId, daysAgo(199));
  await recordCycleDecision(accountId, daysAgo(80), { snapshotId: shared.snapshotId });
  const planned = await recordCycleDecision(accountId, daysAgo(198));
  const plan = { market: "US", sessionDate: NOW, policyVersion: "looks", expiresAt: NOW } as const;
  const { snapshotId: plannedOn } = planned;
  await db().rotationPlan.create({
    data: { ...plan, snapshotId: plannedOn, actions: [], metrics: {}, kpiSnapshot: {} },
  });
  await recordCycleDecision(other, daysAgo(1));
  await recordCycleDecision(accountId, daysAgo(1, 5));
  expect(await purge()).toEqual(deleted(3, 0, 1));
  for (const id of [sheetId, shared.sheetId]) expect(await hasSheet(id)).toBe(true);
  expect(await hasSheet(planned.sheetId)).toBe(false);
  for (const id of [snapshotId, shared.snapshotId, plannedOn]) expect(await hasSnapshot(id)).toBe(true);
});

it("keeps the last days of a market and of an account, however old they are", async () => {
  const gone = await recordCycleDecision(accountId, daysAgo(220));
  const before = await recordCycleDecision(accountId, daysAgo(205));
  const last = await recordCycleDecision(accountId, daysAgo(200));
  const stopped = await anAccount();
  const practice = [
    await recordCycleDecision(stopped, daysAgo(300), { market: "PRACTICE" }),
    await recordCycleDecision(stopped, daysAgo(295), { market: "PRACTICE" }),
  ];
  await recordCycleDecision(await anAccount(), daysAgo(1));
  expect(await purge()).toEqual(deleted(1, 1));
  const left = await decisionsLeft();
  expect(left).not.toContain(gone.id);
  for (const { id } of [before, last, ...practice]) expect(left).toContain(id);
  const idle = await db().cycle.findMany({ where: { market: "PRACTICE" } });
  expect(idle.map(({ snapshotId }) => snapshotId)).not.toContain(null);
});

it("deletes nothing while no number of days is set", async () => {
  keepDecisions();
  await recordCycleDecision(accountId, daysAgo(4_000));
  await recordCycleDecision(accountId, daysAgo(1));
  expect(await purge()).toEqual([]);
  expect(await decisionsLeft()).toHaveLength(2);
  expect(await db().cycle.count({ where: { snapshotId: null } })).toBe(0);
});

it("goes through any number of old decisions in batches, past those that stay", async () => {
  for (let n = 0; n < 9; n += 1) await recordCycleDecision(accountId, daysAgo(200, n), { orders: n % 3 === 1 ? 1 : 0 });
  await recordCycleDecision(accountId, daysAgo(1));
  expect(await purge(2)).toEqual(deleted(6, 6));
  expect(await decisionsLeft()).toHaveLength(4);
  expect(await purge(2)).toEqual(deleted(0, 0));
});
