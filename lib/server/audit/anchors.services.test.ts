import { randomUUID } from "node:crypto";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { bypassingTriggers } from "@/lib/proof/fixtures/every-right.ts";
import { db } from "../db.ts";
import { forgetEnv } from "../env.ts";
import type { Log } from "../log-events.ts";
import { anchorHead } from "../services/audit/anchor-head.ts";
import { checkSystem } from "../services/invariants/check-system.ts";
import { systemContext } from "../system-context.ts";
import { appendAnchor, lastAnchor, readAnchors } from "./anchors.ts";
import { consistent } from "./consistent.ts";
import { recordAudit } from "./record-audit.ts";
import { headLine, isOurHead, signHead } from "./signed-head.ts";
import { verifyAudit } from "./verify-audit.ts";

const directory = mkdtempSync(path.join(os.tmpdir(), "audit-anchors-"));
const file = path.join(directory, "kept", "heads.ndjson");
process.env.AUDIT_ANCHOR_FILE = file;
forgetEnv();
afterAll(() => rmSync(directory, { recursive: true }));

const logged: { event: string; fields: Record<string, unknown> }[] = [];
const record = (event: string, fields: object) => void logged.push({ event, fields: { ...fields } });
const log = { debug: record, info: record, warn: record, error: record } as unknown as Log;
const anchor = () => anchorHead({ ...systemContext("test"), log });

async function write(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await db().$transaction((tx) =>
      recordAudit(tx, {
        at: new Date(),
        eventType: "SIGNED_IN",
        actor: { kind: "system", name: "test" },
        data: { id: randomUUID() },
      }),
    );
}

/** What the owner of the database can do: the chain is as it was at an earlier event, its remembered end included. */
async function rollBack(to: { seq: bigint; hash: string; proof: string }): Promise<void> {
  await bypassingTriggers(async (tx) => {
    await tx.$executeRaw`delete from "AuditEvent" where seq > ${to.seq}`;
    await tx.auditHead.update({ where: { id: 1 }, data: to });
  });
}
const head = () => db().auditHead.findUniqueOrThrow({ where: { id: 1 }, omit: { id: true } });
const verdict = async () => verifyAudit(db(), { anchors: (await readAnchors()).heads });

beforeEach(async () => {
  logged.length = 0;
  rmSync(file, { force: true });
  await bypassingTriggers(async (tx) => {
    for (const table of ["AuditEvent", "AuditHead", "InvariantCheck"])
      await tx.$executeRawUnsafe(`delete from "${table}"`);
  });
  await write(3);
});

it("a head is signed with its time and kept outside of the database, in a file of the owner's alone and in the log", async () => {
  const signed = await anchor();
  const { seq, hash } = await head();
  expect(signed).toMatchObject({ seq, hash });
  expect(statSync(file).mode & 0o077).toBe(0);
  expect((await readAnchors()).heads).toEqual([signed]);
  expect(logged).toMatchObject([{ event: "audit-head.signed", fields: { seq: "3", head: hash } }]);
  expect(await verdict()).toEqual({ ok: true, rows: 3 });

  expect(await anchor(), "an end that did not move is not signed again").toBeNull();
  await write(2);
  expect(await anchor()).toMatchObject({ seq: 5n });
  expect(await lastAnchor()).toMatchObject({ seq: 5n });
  expect((await readAnchors()).heads).toHaveLength(2);
});

it("a chain that was rolled back to an older end verifies by itself, and is named by the anchor that it contradicts", async () => {
  const older = await head();
  await write(2);
  const signed = await anchor();
  await rollBack(older);
  expect(await verifyAudit(db())).toEqual({ ok: true, rows: 3 });
  expect(await verdict()).toEqual({
    ok: false,
    rows: 3,
    firstBad: { seq: 4n, problem: "rolled_back", anchor: signed },
  });
  // Written anew behind the older end: as long as before, or longer.
  await write(4);
  expect(await verifyAudit(db())).toEqual({ ok: true, rows: 7 });
  expect(await verdict()).toMatchObject({ firstBad: { seq: 5n, problem: "rolled_back", anchor: { seq: 5n } } });
});

it("no head is signed that contradicts an earlier one, and the look at what all share names it within the minute", async () => {
  const older = await head();
  await write(2);
  await anchor();
  await checkSystem(systemContext("test"));
  const kept = readFileSync(file, "utf8");
  await rollBack(older);
  await write(4);
  logged.length = 0;
  expect(await anchor()).toBeNull();
  expect(logged).toMatchObject([
    { event: "audit-chain.broken", fields: { reason: /event 5 contradicts the head of event 5/ } },
  ]);
  expect(readFileSync(file, "utf8")).toBe(kept);
  await db().invariantCheck.deleteMany();
  expect(await checkSystem({ ...systemContext("test"), log })).toContainEqual(
    expect.objectContaining({
      invariant: "I12",
      subject: "audit row 5",
      detail: expect.stringContaining("rolled back"),
    }),
  );
});

it("an end that Tradewind did not write is not signed", async () => {
  await bypassingTriggers((tx) => tx.$executeRaw`update "AuditHead" set "hash" = repeat('a', 64)`);
  expect(await anchor()).toBeNull();
  expect(logged.map(({ event }) => event)).toEqual(["audit-chain.broken"]);
});

it("a changed, forged or torn line is no anchor, and the lines around it still are", async () => {
  const signed = (await anchor())!;
  const { kind, ...line } = JSON.parse(headLine(signed)) as Record<string, unknown>;
  const forged = [
    { kind, ...line, seq: "2" },
    { kind, ...line, hash: "b".repeat(64) },
    { kind, ...line, at: "2020-01-01T00:00:00.000Z" },
    { kind, ...line, key: "A".repeat(43) },
    { kind, ...line, signature: "" },
    { ...line },
  ];
  appendFileSync(file, forged.map((each) => `${JSON.stringify(each)}\n`).join(""));
  appendFileSync(file, headLine(signed).slice(0, 60));
  await write(1);
  const next = await anchor();
  expect(await readAnchors()).toEqual({ heads: [signed, next], unreadable: forged.length + 1 });
  expect(await lastAnchor()).toEqual(next);
});

it("a head under another key, or with anything of it changed, is not ours", () => {
  const ours = signHead({ seq: 7n, hash: "c".repeat(64) }, new Date(1_700_000_000_000));
  expect(isOurHead(ours)).toBe(true);
  expect(isOurHead({ ...ours, seq: 8n })).toBe(false);
  expect(isOurHead({ ...ours, hash: "d".repeat(64) })).toBe(false);
  expect(isOurHead({ ...ours, at: new Date(1_700_000_000_001) })).toBe(false);
  process.env.AUDIT_KEY = "another-audit-key-".repeat(4);
  forgetEnv();
  const others = signHead(ours, ours.at);
  process.env.AUDIT_KEY = "test-audit-key-".repeat(4);
  forgetEnv();
  expect(isOurHead(others)).toBe(false);
});

it("of two heads the older lies on the path to the newer one, or the first row that does not fit is named", async () => {
  await write(4);
  const rows = await db().auditEvent.findMany({ orderBy: { seq: "asc" } });
  const at = (seq: number) => ({ seq: BigInt(seq), hash: rows[seq - 1]!.hash });
  const path = rows.slice(1, 6);
  const [older, newer] = [at(2), at(6)];
  expect(await consistent(older, newer, path)).toBeNull();
  expect(await consistent(older, older, rows.slice(1, 2))).toBeNull();
  const without = (index: number) => path.filter((_, nth) => nth !== index);
  const edited = path.map((row, nth) => (nth === 2 ? { ...row, data: { id: "edited" } } : row));
  expect(await consistent(older, newer, edited)).toBe(4n);
  expect(await consistent(older, newer, without(0))).toBe(2n);
  expect(await consistent(older, newer, without(2))).toBe(4n);
  expect(await consistent(older, newer, without(4))).toBe(6n);
  expect(await consistent(older, newer, [path[0]!, path[2]!, path[1]!, path[3]!, path[4]!])).toBe(3n);
  expect(await consistent(older, newer, [])).toBe(2n);
  expect(await consistent({ ...older, hash: at(3).hash }, newer, path)).toBe(2n);
  expect(await consistent(older, { ...newer, hash: at(5).hash }, path)).toBe(6n);
  expect(await consistent(newer, older, path)).toBe(6n);
});

it("heads of several workers share the file without a line lost", async () => {
  const signed = Array.from({ length: 40 }, (_, n) =>
    signHead({ seq: BigInt(n + 1), hash: "e".repeat(64) }, new Date()),
  );
  writeFileSync(file, "");
  await Promise.all(signed.map((one) => appendAnchor(file, one)));
  expect(await readAnchors()).toEqual({ heads: signed, unreadable: 0 });
});
