import { randomUUID } from "node:crypto";
import pg from "pg";
import { beforeEach, expect, it, vi } from "vitest";
import { forgetEnv } from "../env.ts";
import { db, type Tx } from "../db.ts";
import { moveHead, writeAuditChain } from "@/lib/proof/fixtures/audit-chain.ts";
import { bypassingTriggers } from "@/lib/proof/fixtures/every-right.ts";
import { CHAIN_START, eventHash } from "./chain.ts";
import { withPersonal } from "./personal.ts";
import { recordAudit } from "./record-audit.ts";
import { verifyAudit } from "./verify-audit.ts";

const entry = (n: number) => ({
  at: new Date(1_700_000_000_000 + n),
  eventType: "SIGNED_IN" as const,
  actor: { kind: "system" as const, name: "test" },
  subjectUserId: randomUUID(),
  ipAddress: "203.0.113.7",
  requestId: `r-${n}`,
  data: { n, nested: { b: [1, "zwei", null, true], a: 0.1 }, text: 'quo"te\n' },
});

const erase = () =>
  bypassingTriggers(async (tx) => {
    await tx.$executeRaw`delete from "AuditEvent"`;
    await tx.$executeRaw`delete from "AuditHead"`;
    await tx.$executeRaw`delete from "SubjectKey"`;
  });

beforeEach(async () => {
  await erase();
  for (let n = 1; n <= 6; n += 1) await db().$transaction((tx) => recordAudit(tx, entry(n)));
});

it("an untouched chain is whole, and so is an empty one", async () => {
  expect(await verifyAudit(db())).toEqual({ ok: true, rows: 6 });
  await erase();
  expect(await verifyAudit(db())).toEqual({ ok: true, rows: 0 });
});

it("50 writers at once keep one unbroken chain (H12)", async () => {
  await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      db().$transaction((tx) => recordAudit(tx, entry(n)), { maxWait: 30_000, timeout: 30_000 }),
    ),
  );
  expect(await verifyAudit(db())).toEqual({ ok: true, rows: 56 });
});

it("a writer's turn at the chain lasts two statements and the commit, as all others wait for it", async () => {
  const sent: string[] = [];
  const { subjectUserId: _, ipAddress: __, ...withoutSubject } = entry(7);
  await db().$transaction(async (tx) => {
    const query = vi.spyOn(pg.Client.prototype, "query");
    await recordAudit(tx, withoutSubject);
    for (const [asked] of query.mock.calls as unknown as [string | { text: string }][])
      sent.push(typeof asked === "string" ? asked : asked.text);
    query.mockRestore();
  });
  expect(sent.length, sent.join("\n")).toBe(2);
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
    "an edited personal part",
    (tx: Tx) => tx.$executeRaw`update "AuditEvent" set personal = replace(personal, '"v":1', '"v":2') where seq = 3`,
    3n,
    "edited",
  ],
  [
    "a personal part removed",
    (tx: Tx) => tx.$executeRaw`update "AuditEvent" set personal = null where seq = 5`,
    5n,
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
  [
    "a forged row behind the end",
    (tx: Tx) =>
      tx.$executeRaw`insert into "AuditEvent" select 7, at, "eventType", "actorKind", "actorUserId", "subjectUserId", "ipAddress", "requestId", data, hash, repeat('a', 64) from "AuditEvent" where seq = 6`,
    7n,
    "extra",
  ],
  [
    "a row before the first",
    (tx: Tx) =>
      tx.$executeRaw`insert into "AuditEvent" select -3, at, "eventType", "actorKind", "actorUserId", "subjectUserId", "ipAddress", "requestId", data, "prevHash", repeat('b', 64) from "AuditEvent" where seq = 1`,
    -3n,
    "extra",
  ],
  [
    "a remembered end that was moved to another row",
    (tx: Tx) => tx.$executeRaw`update "AuditHead" set "seq" = 4`,
    7n,
    "cut",
  ],
  ["the remembered end removed", (tx: Tx) => tx.$executeRaw`delete from "AuditHead"`, 7n, "cut"],
] as const)("%s is named (H12)", async (_, tamper, seq, problem) => {
  await bypassingTriggers(tamper);
  expect(await verifyAudit(db())).toMatchObject({ ok: false, firstBad: { seq, problem } });
});

it("an earlier remembered end that is put back names the rows behind it (H12)", async () => {
  const earlier = await db().auditHead.findUniqueOrThrow({ where: { id: 1 } });
  await db().$transaction((tx) => recordAudit(tx, entry(7)));
  await bypassingTriggers((tx) => tx.auditHead.update({ where: { id: 1 }, data: earlier }));
  expect(await verifyAudit(db())).toEqual({ ok: false, rows: 6, firstBad: { seq: 7n, problem: "extra" } });
});

it("rows that are written during a walk break nothing", async () => {
  const walks = Array.from({ length: 20 }, () => verifyAudit(db()));
  const writes = Array.from({ length: 20 }, (_, n) => db().$transaction((tx) => recordAudit(tx, entry(n))));
  for (const verdict of await Promise.all(walks)) expect(verdict).toMatchObject({ ok: true });
  await Promise.all(writes);
  expect(await verifyAudit(db())).toEqual({ ok: true, rows: 26 });
});

const LENGTH = 2_300;
const ROLLED_BACK = new Error("the tampering is taken back");

/** What the verifier says of a tampered chain, which is then as it was before. */
async function verdictOn(tamper: (tx: Tx) => Promise<unknown>) {
  let verdict: Awaited<ReturnType<typeof verifyAudit>> | undefined;
  const tampering = bypassingTriggers(async (tx) => {
    await tamper(tx);
    verdict = await verifyAudit(tx);
    throw ROLLED_BACK;
  });
  await expect(tampering).rejects.toBe(ROLLED_BACK);
  return verdict;
}

const COLUMNS = {
  at: "at - interval '1 ms'",
  eventType: `"eventType" || 'X'`,
  actorKind: `'anonymous'`,
  actorUserId: "gen_random_uuid()",
  subjectUserId: "gen_random_uuid()",
  ipAddress: `'198.51.100.9'`,
  requestId: "null",
  personal: `coalesce(personal, '') || 'X'`,
  data: `jsonb_set(data, '{quantity}', '"12.345678902"')`,
  prevHash: `repeat('0', 63) || '1'`,
  hash: `md5(seq::text) || md5(hash)`,
};

it("in a chain of many pages every edited column, and every removed, swapped or cut row is named (H12)", async () => {
  await erase();
  await writeAuditChain(LENGTH);
  expect(await verifyAudit(db())).toEqual({ ok: true, rows: LENGTH });
  // The ends of the chain, and the rows on both sides of where one page ends and the next begins.
  for (const seq of [1, 1_000, 1_001, 2_000, 2_001, LENGTH]) {
    const isLast = seq === LENGTH;
    const named = (problem: string) => ({ ok: false, rows: seq - 1, firstBad: { seq: BigInt(seq), problem } });
    expect(await verdictOn((tx) => tx.$executeRaw`delete from "AuditEvent" where seq = ${seq}`)).toEqual(
      named(isLast ? "cut" : "missing"),
    );
    expect(await verdictOn((tx) => tx.$executeRaw`delete from "AuditEvent" where seq >= ${seq}`)).toEqual(named("cut"));
    if (isLast) continue;
    const swapped = await verdictOn(async (tx) => {
      await tx.$executeRaw`update "AuditEvent" set seq = -1 where seq = ${seq}`;
      await tx.$executeRaw`update "AuditEvent" set seq = ${seq} where seq = ${seq + 1}`;
      await tx.$executeRaw`update "AuditEvent" set seq = ${seq + 1} where seq = -1`;
    });
    expect(swapped).toEqual(named("edited"));
  }
  for (const [nth, [column, value]] of Object.entries(COLUMNS).entries()) {
    const seq = 900 + nth * 130;
    const edited = await verdictOn((tx) =>
      tx.$executeRawUnsafe(`update "AuditEvent" set "${column}" = ${value} where seq = ${seq}`),
    );
    expect({ column, ...edited }).toEqual({
      column,
      ok: false,
      rows: seq - 1,
      firstBad: { seq: BigInt(seq), problem: "edited" },
    });
  }
});

const rowsOf = (subjectUserId: string) =>
  db().auditEvent.findMany({ where: { subjectUserId }, orderBy: { seq: "asc" } });
const record = (entry: Parameters<typeof recordAudit>[1]) => db().$transaction((tx) => recordAudit(tx, entry));
const eraseKey = (userId: string) =>
  db().subjectKey.update({ where: { userId }, data: { sealedKey: null, erasedAt: new Date() } });

it("what is personal is sealed under its subject's key, opens for readers, and for no reader once the key is erased", async () => {
  const [ada, bob] = [randomUUID(), randomUUID()];
  const personal = { reason: "canary-words-of-ada", nothing: null };
  for (const subjectUserId of [ada, bob, ada]) await record({ ...entry(7), subjectUserId, personal });
  const before = await rowsOf(ada);
  expect(JSON.stringify(before.map((row) => ({ ...row, seq: 0 })))).not.toMatch(/canary|203\.0\.113/);
  expect(before.map(({ data }) => data)).toEqual(Array(2).fill({ ...entry(7).data, by: "test" }));
  const opened = { ipAddress: "203.0.113.7", personal: { reason: "canary-words-of-ada" }, closed: null };
  expect(await withPersonal(db(), before)).toMatchObject([opened, opened]);

  await eraseKey(ada);
  expect(await withPersonal(db(), await rowsOf(ada))).toMatchObject([
    { ipAddress: null, personal: null, closed: "erased" },
    { ipAddress: null, personal: null, closed: "erased" },
  ]);
  expect(await withPersonal(db(), await rowsOf(bob))).toMatchObject([opened]);
  expect(await rowsOf(ada)).toEqual(before);
  expect(await verifyAudit(db())).toEqual({ ok: true, rows: 9 });
});

it("of an erased person nothing personal is written again, and their key is not made again", async () => {
  const ada = randomUUID();
  await record({ ...entry(7), subjectUserId: ada });
  await eraseKey(ada);
  await record({ ...entry(8), subjectUserId: ada, personal: { reason: "canary-of-an-erased-person" } });
  const rows = await rowsOf(ada);
  expect(rows.map(({ personal, ipAddress }) => [personal === null, ipAddress])).toEqual([
    [false, null],
    [true, null],
  ]);
  expect(JSON.stringify(rows.map(({ data }) => data))).not.toContain("canary");
  const revived = db().subjectKey.update({ where: { userId: ada }, data: { sealedKey: "x", erasedAt: null } });
  await expect(revived).rejects.toThrow();
  await expect(db().subjectKey.delete({ where: { userId: ada } })).rejects.toThrow();
  const keyless = db().subjectKey.create({ data: { userId: randomUUID(), sealedKey: null } });
  await expect(keyless).rejects.toThrow();
});

it("a sealed part opens neither in another row nor under another person's key", async () => {
  const [ada, bob] = [randomUUID(), randomUUID()];
  await record({ ...entry(7), subjectUserId: ada });
  await record({ ...entry(8), subjectUserId: ada });
  await record({ ...entry(9), subjectUserId: bob });
  const [first, second] = await rowsOf(ada);
  const [others] = await rowsOf(bob);
  const moved = [
    { ...second!, personal: first!.personal },
    { ...others!, personal: first!.personal },
  ];
  expect(await withPersonal(db(), moved)).toMatchObject([{ closed: "unreadable" }, { closed: "unreadable" }]);
});

it("an event of a person whose master key is gone is recorded without its personal part, and the chain holds", async () => {
  await erase();
  const ada = randomUUID();
  await record({ ...entry(7), subjectUserId: ada });
  const known = process.env.MASTER_KEYS;
  process.env.MASTER_KEYS = `9:${Buffer.from("another master key of 32 bytes..").toString("base64")}`;
  forgetEnv();
  try {
    await record({ ...entry(8), subjectUserId: ada, personal: { reason: "canary-words" } });
    expect(await withPersonal(db(), await rowsOf(ada))).toMatchObject([
      { personal: null, closed: "unreadable" },
      { personal: null, closed: "unreadable" },
    ]);
  } finally {
    process.env.MASTER_KEYS = known;
    forgetEnv();
  }
  const rows = await rowsOf(ada);
  expect(JSON.stringify(rows.map((row) => ({ ...row, seq: 0 })))).not.toContain("canary");
  expect(await withPersonal(db(), rows)).toMatchObject([
    { ipAddress: "203.0.113.7", closed: null },
    { personal: null, closed: "unreadable" },
  ]);
  expect(await verifyAudit(db())).toEqual({ ok: true, rows: 2 });
});

it("rows that were written before there were sealed parts verify and show their address", async () => {
  await erase();
  const { data, requestId, eventType, at } = entry(1);
  const old = {
    ...{
      seq: 1n,
      at,
      eventType,
      actorKind: "anonymous",
      actorUserId: null,
      subjectUserId: randomUUID(),
      requestId,
      data,
    },
    ipAddress: "198.51.100.4",
  };
  const hash = eventHash(CHAIN_START, old);
  await db().auditEvent.create({ data: { ...old, prevHash: CHAIN_START, hash } });
  await moveHead(db(), 1n, hash);
  await record(entry(2));
  expect(await verifyAudit(db())).toEqual({ ok: true, rows: 2 });
  const rows = await db().auditEvent.findMany({ where: { seq: 1n } });
  expect(await withPersonal(db(), rows)).toMatchObject([{ ipAddress: "198.51.100.4", personal: {}, closed: null }]);
});

it("an event without a subject keeps its address and words with the facts", async () => {
  const { subjectUserId: _, ...withoutSubject } = entry(7);
  await record({ ...withoutSubject, personal: { reason: "feed is broken" } });
  const [row] = await db().auditEvent.findMany({ where: { seq: 7n } });
  expect(row).toMatchObject({ ipAddress: "203.0.113.7", personal: null, data: { reason: "feed is broken" } });
});
