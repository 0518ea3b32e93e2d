import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { db, type Tx } from "../db.ts";
import { recordAudit } from "./record-audit.ts";
import { verifyAudit } from "./verify-audit.ts";

const entry = (n: number) => ({
  at: new Date(1_700_000_000_000 + n),
  eventType: "TEST_HAPPENED",
  actor: { kind: "system" as const, name: "test" },
  subjectUserId: randomUUID(),
  ipAddress: "203.0.113.7",
  requestId: `r-${n}`,
  data: { n, nested: { b: [1, "zwei", null, true], a: 0.1 }, text: 'quo"te\n' },
});

/** What an intruder with every database right can do. */
async function bypassingTriggers(work: (tx: Tx) => Promise<unknown>) {
  await db().$transaction(async (tx) => {
    await tx.$executeRaw`set local session_replication_role = replica`;
    await work(tx);
  });
}

beforeEach(async () => {
  await bypassingTriggers(async (tx) => {
    await tx.$executeRaw`delete from "AuditEvent"`;
    await tx.$executeRaw`delete from "Lease"`;
  });
  for (let n = 1; n <= 6; n += 1) await db().$transaction((tx) => recordAudit(tx, entry(n)));
});

it("an untouched chain is whole, and so is an empty one", async () => {
  expect(await verifyAudit(db())).toEqual({ ok: true, rows: 6 });
  await bypassingTriggers(async (tx) => {
    await tx.$executeRaw`delete from "AuditEvent"`;
    await tx.$executeRaw`delete from "Lease"`;
  });
  expect(await verifyAudit(db())).toEqual({ ok: true, rows: 0 });
});

it("50 writers at once keep one unbroken chain", async () => {
  await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      db().$transaction((tx) => recordAudit(tx, entry(n)), { maxWait: 30_000, timeout: 30_000 }),
    ),
  );
  expect(await verifyAudit(db())).toEqual({ ok: true, rows: 56 });
});

it("an event of a transaction that failed leaves no gap", async () => {
  const failed = db().$transaction(async (tx) => {
    await recordAudit(tx, entry(7));
    throw new Error("the change failed");
  });
  await expect(failed).rejects.toThrow("the change failed");
  expect(await verifyAudit(db())).toEqual({ ok: true, rows: 6 });
});

it("rows can be neither changed nor removed through the front door", async () => {
  await expect(db().$executeRaw`update "AuditEvent" set "eventType" = 'X' where seq = 3`).rejects.toThrow();
  await expect(db().$executeRaw`delete from "AuditEvent" where seq = 3`).rejects.toThrow();
  await expect(db().$executeRaw`truncate "AuditEvent"`).rejects.toThrow();
});

it.each([
  [
    "an edited payload",
    (tx: Tx) => tx.$executeRaw`update "AuditEvent" set data = '{"n":99}' where seq = 3`,
    3n,
    "edited",
  ],
  [
    "an edited time",
    (tx: Tx) => tx.$executeRaw`update "AuditEvent" set at = at + interval '1 ms' where seq = 4`,
    4n,
    "edited",
  ],
  [
    "an edited subject",
    (tx: Tx) => tx.$executeRaw`update "AuditEvent" set "subjectUserId" = null where seq = 2`,
    2n,
    "edited",
  ],
  ["a removed row", (tx: Tx) => tx.$executeRaw`delete from "AuditEvent" where seq = 3`, 3n, "missing"],
  ["a removed first row", (tx: Tx) => tx.$executeRaw`delete from "AuditEvent" where seq = 1`, 1n, "missing"],
  [
    "a removed row with the numbers closed up",
    async (tx: Tx) => {
      await tx.$executeRaw`delete from "AuditEvent" where seq = 3`;
      for (const seq of [4, 5, 6]) await tx.$executeRaw`update "AuditEvent" set seq = ${seq - 1} where seq = ${seq}`;
    },
    3n,
    "edited",
  ],
  [
    "two rows in the other order",
    async (tx: Tx) => {
      await tx.$executeRaw`update "AuditEvent" set seq = 99 where seq = 3`;
      await tx.$executeRaw`update "AuditEvent" set seq = 3 where seq = 4`;
      await tx.$executeRaw`update "AuditEvent" set seq = 4 where seq = 99`;
    },
    3n,
    "edited",
  ],
  ["rows cut off the end", (tx: Tx) => tx.$executeRaw`delete from "AuditEvent" where seq > 4`, 5n, "cut"],
  ["all rows cut", (tx: Tx) => tx.$executeRaw`delete from "AuditEvent"`, 1n, "cut"],
  ["the remembered end removed", (tx: Tx) => tx.$executeRaw`delete from "Lease"`, 7n, "cut"],
] as const)("%s is named", async (_, tamper, seq, problem) => {
  await bypassingTriggers(tamper);
  expect(await verifyAudit(db())).toMatchObject({ ok: false, firstBad: { seq, problem } });
});
