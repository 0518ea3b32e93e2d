import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { asSuperuser } from "@/lib/proof/fixtures/every-right.ts";
import { recordCycleDecision } from "@/lib/proof/fixtures/looks.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { makeDecision } from "@/lib/proof/principals/decisions.ts";
import { closeRows, openRows } from "@/lib/proof/principals/rows.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { newId } from "../../core/new-id.ts";
import { db } from "../../db.ts";
import { readDecisions } from "../cycles/read-decisions.ts";
import { keepPartitions, rowsInNoPartition } from "./keep-partitions.ts";

/** The days of a month from this one on, by the wall clock: the database has partitions from the next one on. */
const NOW = new Date();
const inMonth = (months: number, day = 10) => new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() + months, day));
const partOf = (months: number) => `DecisionRecord_${inMonth(months).toISOString().slice(0, 7).replace("-", "_")}`;
const BEFORE = "DecisionRecord_before";
const REST = "DecisionRecord_rest";

let user: { id: string };
let accountId: string;
const anAccount = async () => (await makeAccount(db(), user.id, { broker: "ALPACA", environment: "PAPER" })).id;
beforeAll(async () => {
  await openRows();
  user = await makeUser(db());
});
afterAll(closeRows);
beforeEach(async () => {
  await db().account.deleteMany();
  await db().cycle.deleteMany();
  accountId = await anAccount();
  await keepPartitions(testContext());
});

async function placeOf(table: "DecisionRecord" | "EquityPoint", where: string): Promise<string[]> {
  const rows = await db().$queryRawUnsafe<{ part: string }[]>(
    `select c.relname as part from "${table}" t join pg_class c on c.oid = t.tableoid where ${where} order by 1`,
  );
  return rows.map(({ part }) => part);
}
const placeOfDecision = async (id: string) => (await placeOf("DecisionRecord", `t."id" = '${id}'`))[0];
const restOf = async (table: string) =>
  (await rowsInNoPartition({ db: db() })).find((each) => each.table === table)?.rows;
const dropPart = (part: string) =>
  asSuperuser(async (all) => {
    await all.$executeRawUnsafe(`alter table "DecisionRecord" detach partition partitions."${part}"`);
    await all.$executeRawUnsafe(`drop table partitions."${part}"`);
  });

const asOwner = (id: string) => ({ userId: user.id, accountId: id, canary: () => randomUUID(), made: new Map() });
/** A cycle whose id was made at that time. */
async function cycleAt(at: Date): Promise<string> {
  const { id } = await db().cycle.create({
    data: { id: newId(at), market: "US", startedAt: at, sessionDate: at },
    select: { id: true },
  });
  return id;
}

/** What another record like it needs beside an id. */
async function columnsOf(id: string) {
  const row = await db().decisionRecord.findUniqueOrThrow({
    where: { id },
    omit: { id: true, verdicts: true, sheetId: true },
  });
  return { ...row, accountState: {}, plan: {} };
}

describe("a decision", () => {
  it.each([
    ["of the month after the next", () => inMonth(2), () => partOf(2)],
    ["of this month and earlier", () => inMonth(-30), () => BEFORE],
    ["of a month without a partition", () => inMonth(40), () => REST],
  ])("%s lies in its partition, once for an account and a cycle however many write at once", async (_, at, part) => {
    const cycleId = await cycleAt(at());
    const writers = await Promise.allSettled(
      Array.from({ length: 6 }, () => makeDecision(asOwner(accountId), cycleId)),
    );
    const stored = writers.flatMap((each) => (each.status === "fulfilled" ? [each.value.id] : []));
    expect(stored).toHaveLength(1);
    expect(await placeOfDecision(stored[0]!)).toBe(part());
    const again = { ...(await columnsOf(stored[0]!)), id: newId(at()) };
    await expect(db().decisionRecord.create({ data: again })).rejects.toThrow(/Unique constraint/);
    const other = await makeDecision(asOwner(await anAccount()), cycleId);
    expect(await placeOfDecision(other.id)).toBe(part());
  });

  it.each([
    ["another month than its cycle's", () => inMonth(1), () => inMonth(2)],
    ["another moment of the month", () => inMonth(1, 9), () => inMonth(1)],
    ["the time before the first month", () => inMonth(-1), () => inMonth(1)],
    ["a month, its cycle of the time before", () => inMonth(1), () => inMonth(-1)],
    ["a month without a partition", () => inMonth(50), () => inMonth(1)],
    ["a month, its cycle of one without a partition", () => inMonth(1), () => inMonth(50)],
  ])("whose id is of %s is refused by the database", async (_, idAt, cycleOf) => {
    const { id: recorded } = await makeDecision(asOwner(await anAccount()));
    const data = { ...(await columnsOf(recorded)), accountId, cycleId: await cycleAt(cycleOf()) };
    await expect(db().decisionRecord.create({ data: { ...data, id: newId(idAt()) } })).rejects.toThrow(
      /DecisionRecord_time_of_cycle/,
    );
  });

  it("cannot be changed in any partition, and goes with its account", async () => {
    for (const at of [inMonth(-1), inMonth(1), inMonth(40)]) {
      const { id } = await recordCycleDecision(accountId, at, { hasIntent: true });
      const change = db().$executeRaw`update "DecisionRecord" set "line" = 'x' where "id" = ${id}::uuid`;
      await expect(change).rejects.toThrow(/append-only/);
    }
    await db().account.delete({ where: { id: accountId } });
    expect(await db().decisionRecord.count({ where: { accountId } })).toBe(0);
  });

  it("is read in the order of time over the boundaries of months", async () => {
    const made: string[] = [];
    for (const at of [inMonth(-5), inMonth(0, 1), inMonth(1, 1), inMonth(2), inMonth(3), inMonth(30)])
      made.push((await recordCycleDecision(accountId, at)).id);
    const read: string[] = [];
    for await (const { id } of readDecisions({ db: db() }, { accountId })) read.push(id);
    expect(read).toEqual(made);
  });
});

describe("what lies in no partition", () => {
  it("of decisions gets its month, with its key and its intents", async () => {
    await dropPart(partOf(2));
    const [intended, quiet, other] = [
      await recordCycleDecision(accountId, inMonth(2), { hasIntent: true }),
      await recordCycleDecision(accountId, inMonth(2, 11)),
      await recordCycleDecision(accountId, inMonth(1), { hasIntent: true }),
    ];
    expect(await placeOfDecision(intended.id)).toBe(REST);
    expect(await restOf("DecisionRecord")).toBe(2);
    const context = testContext();
    await keepPartitions(context);
    expect(context.lines).toEqual([{ level: "info", event: "partitions.created", fields: { count: 1 } }]);
    expect(await restOf("DecisionRecord")).toBe(0);
    for (const { id } of [intended, quiet]) expect(await placeOfDecision(id)).toBe(partOf(2));
    expect(await placeOfDecision(other.id)).toBe(partOf(1));
    const intents = await db().intent.findMany({ where: { accountId }, orderBy: { decidedAt: "asc" } });
    expect(intents.map(({ decisionId }) => decisionId)).toEqual([other.id, intended.id]);
    const again = { ...(await columnsOf(quiet.id)), id: newId(inMonth(2, 11)) };
    await expect(db().decisionRecord.create({ data: again })).rejects.toThrow(/Unique constraint/);
    const idle = testContext();
    await keepPartitions(idle);
    expect(idle.lines).toEqual([]);
  });

  it("of decisions stays there where the time of its id cannot be right", async () => {
    const { id } = await recordCycleDecision(accountId, inMonth(12 * 500));
    await keepPartitions(testContext());
    expect(await placeOfDecision(id)).toBe(REST);
    expect((await db().decisionRecord.findUniqueOrThrow({ where: { id } })).accountId).toBe(accountId);
  });

  it("of equity gets its year of market time, however long ago or ahead, and keeps its key", async () => {
    const points = ["1998-07-01", "1998-07-02", "2019-12-31", "2051-01-01"].map((day) => ({
      accountId,
      at: new Date(`${day}T20:00:00Z`),
      sessionDate: new Date(day),
      equity: "100",
      netDeposits: "90",
    }));
    await db().equityPoint.createMany({ data: points });
    expect(await restOf("EquityPoint")).toBe(4);
    await keepPartitions(testContext());
    expect(await restOf("EquityPoint")).toBe(0);
    expect(await placeOf("EquityPoint", `t."accountId" = '${accountId}'`)).toEqual([
      "EquityPoint_1998",
      "EquityPoint_1998",
      "EquityPoint_2019",
      "EquityPoint_2051",
    ]);
    expect((await db().equityPoint.createMany({ data: points, skipDuplicates: true })).count).toBe(0);
    await db().account.delete({ where: { id: accountId } });
    expect(await db().equityPoint.count({ where: { accountId } })).toBe(0);
  });
});

it("years of equity are made ahead by the clock of each market", async () => {
  const asOf = new Date("2033-12-30T15:00:00Z");
  await db().accountFigures.upsert({
    where: { accountId },
    update: { asOf },
    create: { accountId, equity: "1", cash: "1", buyingPower: "1", netDeposits: "1", asOf },
  });
  await keepPartitions(testContext());
  const days = ["2033-12-30", "2034-01-02"].map((day) => new Date(day));
  await db().equityPoint.createMany({
    data: days.map((at) => ({ accountId, at, sessionDate: at, equity: "100", netDeposits: "90" })),
  });
  expect(await placeOf("EquityPoint", `t."accountId" = '${accountId}'`)).toEqual([
    "EquityPoint_2033",
    "EquityPoint_2034",
  ]);
});

it("more rows of a year than trading may wait for stay where they are until they are moved by hand", async () => {
  const days = ["1991-02-01", "1991-02-02", "1991-02-03", "1992-02-01"].map((day) => new Date(day));
  await db().equityPoint.createMany({
    data: days.map((at) => ({ accountId, at, sessionDate: at, equity: "100", netDeposits: "90" })),
  });
  const places = () => placeOf("EquityPoint", `t."accountId" = '${accountId}'`);
  await db().$queryRaw`select make_partitions(2)`;
  expect(await places()).toEqual(["EquityPoint_1992", "EquityPoint_rest", "EquityPoint_rest", "EquityPoint_rest"]);
  await db().$queryRaw`select make_partitions(null)`;
  expect(await places()).toEqual(["EquityPoint_1991", "EquityPoint_1991", "EquityPoint_1991", "EquityPoint_1992"]);
});

it("a market that ran through a century gets fifty years, and keeps the points of the others", async () => {
  const at = (year: number) => new Date(Date.UTC(1900 + year, 5, 1));
  const points = Array.from({ length: 100 }, (_, year) => ({ accountId, at: at(year), sessionDate: at(year) }));
  await db().equityPoint.createMany({ data: points.map((point) => ({ ...point, equity: "100", netDeposits: "90" })) });
  await keepPartitions(testContext());
  const places = await placeOf("EquityPoint", `t."accountId" = '${accountId}'`);
  expect(places).toHaveLength(100);
  expect(new Set(places).size).toBeLessThanOrEqual(51);
  const inRest = places.filter((place) => place === "EquityPoint_rest");
  expect(inRest.length).toBe(await restOf("EquityPoint"));
  expect(inRest.length).toBeGreaterThanOrEqual(50);
});

it("partitions are not made while others hold the table, and are the next time", async () => {
  await dropPart(partOf(3));
  await recordCycleDecision(accountId, inMonth(1));
  const busy = testContext();
  await db().$transaction(async (tx) => {
    await tx.decisionRecord.count();
    await keepPartitions(busy);
  });
  expect(busy.lines.map(({ level, event }) => [level, event])).toEqual([["warn", "partitions.create-failed"]]);
  const free = testContext();
  await keepPartitions(free);
  expect(free.lines.map(({ event }) => event)).toEqual(["partitions.created"]);
});

it("the application reaches no partition but through its table", async () => {
  for (const sql of [
    `select from partitions."${partOf(1)}"`,
    `delete from partitions."${REST}"`,
    `drop table partitions."${partOf(1)}"`,
    `select partitions.add('DecisionRecord', 'x', '1', '2')`,
  ])
    await expect(db().$queryRawUnsafe(sql)).rejects.toThrow(/permission denied/);
});
