import { afterEach, beforeEach, expect, it } from "vitest";
import { DAY_MS } from "@/lib/domain/time.ts";
import { keepDecisions, recordCycleDecision } from "@/lib/proof/fixtures/looks.ts";
import { withSuperuserClient } from "@/lib/proof/fixtures/every-right.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { keepPartitions } from "../system/keep-partitions.ts";
import { purgeDecisions } from "./purge-decisions.ts";
import { releasePartitions } from "./release-partitions.ts";

const KEPT_DAYS = 90;
const TODAY = new Date();
/** A day of a month from this one on: the database has partitions from the next one on. */
const inMonth = (months: number, day = 10) =>
  new Date(Date.UTC(TODAY.getUTCFullYear(), TODAY.getUTCMonth() + months, day));
const partOf = (months: number) => `DecisionRecord_${inMonth(months).toISOString().slice(0, 7).replace("-", "_")}`;

let accountId: string;
beforeEach(async () => {
  keepDecisions(KEPT_DAYS);
  await db().account.deleteMany();
  await db().cycle.deleteMany();
  await db().marketSnapshot.deleteMany();
  accountId = (await makeAccount(db(), (await makeUser(db())).id, { broker: "ALPACA", environment: "PAPER" })).id;
});
afterEach(() => keepDecisions());

/** When all decisions of a month are old enough to be deleted, and when the month is released. */
const endOf = (months: number) => new Date(inMonth(months + 1, 1).getTime() + KEPT_DAYS * DAY_MS);
const releaseOf = (months: number) => new Date(endOf(months).getTime() + 2 * DAY_MS);

/** No transaction is left that began before: what was deleted is visible to none. */
const untilAllEnded = () =>
  withSuperuserClient(async (client) => {
    const open = `select count(*)::int as "count" from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_xmin is not null`;
    await expect.poll(async () => (await client.query<{ count: number }>(open)).rows[0]?.count).toBe(0);
  });

/** A day's run at that time; answers what became of partitions. */
async function run(now: Date) {
  const context = testContext({ now: () => now });
  await purgeDecisions(context);
  await releasePartitions(context);
  return context.lines.flatMap(({ event, fields }) => (event === "decisions.purged" ? [] : [{ event, ...fields }]));
}
const released = (partition: string, outcome: string) => ({
  event: "decisions.partition-released",
  partition,
  outcome,
});

async function parts(): Promise<string[]> {
  const rows = await db().$queryRaw<{ name: string }[]>`
    select inhrelid::regclass::text as "name" from pg_inherits where inhparent = '"DecisionRecord"'::regclass`;
  return rows.map(({ name }) => name.replace(/^partitions\.|"/g, ""));
}
async function pagesOf(part: string): Promise<number> {
  const [row] = await db().$queryRawUnsafe<{ bytes: bigint }[]>(
    `select pg_table_size(oid) as bytes from pg_class where relname = '${part}'`,
  );
  return Number(row?.bytes);
}

it("a month in which nothing is left is dropped once all of it is old enough, and what comes late finds its place", async () => {
  await recordCycleDecision(accountId, inMonth(1, 5));
  await recordCycleDecision(accountId, inMonth(1, 27));
  await recordCycleDecision(accountId, inMonth(9));
  expect(await run(new Date(releaseOf(1).getTime() - DAY_MS))).toEqual([]);
  expect(await parts()).toContain(partOf(1));
  expect(await run(releaseOf(1))).toEqual([released(partOf(1), "dropped")]);
  expect(await parts()).not.toContain(partOf(1));
  const late = await recordCycleDecision(accountId, inMonth(1, 28));
  await keepPartitions(testContext());
  expect(await parts()).toContain(partOf(1));
  expect(await db().decisionRecord.count({ where: { id: late.id } })).toBe(1);
});

it("a month in which decisions with orders are left keeps them, with their intents, and gives the room of the others back once", async () => {
  const kept = [
    await recordCycleDecision(accountId, inMonth(2, 3), { orders: 1, hasIntent: true }),
    await recordCycleDecision(accountId, inMonth(2, 20), { orders: 1 }),
  ];
  for (let minute = 1; minute <= 150; minute += 1)
    await recordCycleDecision(accountId, new Date(inMonth(2, 4).getTime() + minute * 60_000), {
      line: "quiet ".repeat(300),
    });
  await recordCycleDecision(accountId, inMonth(9));
  const full = await pagesOf(partOf(2));
  await run(endOf(2));
  await untilAllEnded();
  const outcomes = await run(releaseOf(2));
  expect(outcomes).toContainEqual(released(partOf(2), "rewritten"));
  // What is still visible to an analysis by Postgres itself is written along.
  expect(await pagesOf(partOf(2))).toBeLessThan(full);
  const left = await db().decisionRecord.findMany({
    where: { accountId, decidedAt: { lt: inMonth(3, 1) } },
    orderBy: { id: "asc" },
    select: { id: true, intents: { select: { decisionId: true } } },
  });
  expect(left.map(({ id }) => id)).toEqual(kept.map(({ id }) => id));
  expect(left[0]?.intents).toEqual([{ decisionId: kept[0]?.id }]);
  expect(await run(releaseOf(2))).toEqual([]);
  // Its person was erased.
  await db().account.delete({ where: { id: accountId } });
  expect(await run(releaseOf(2))).toEqual([released(partOf(2), "dropped")]);
});

it("a month that others read is left alone, is released on another day, and delays no other transaction", async () => {
  await keepPartitions(testContext());
  await recordCycleDecision(accountId, inMonth(1));
  await recordCycleDecision(accountId, inMonth(9));
  const outcomes = await db().$transaction(
    async (tx) => {
      await tx.decisionRecord.count();
      return run(releaseOf(1));
    },
    { timeout: 30_000 },
  );
  expect(outcomes.map(({ event }) => event)).toEqual(["decisions.partition-not-released"]);
  expect(await parts()).toContain(partOf(1));
  expect(await run(releaseOf(1))).toEqual([released(partOf(1), "dropped")]);
});

it("nothing is released while decisions are kept for good", async () => {
  keepDecisions();
  await keepPartitions(testContext());
  await recordCycleDecision(accountId, inMonth(1));
  expect(await run(inMonth(100))).toEqual([]);
  expect(await parts()).toContain(partOf(1));
});
