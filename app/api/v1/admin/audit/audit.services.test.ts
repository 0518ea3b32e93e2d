import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { AUDIT_BOUNDS } from "@/lib/contracts/audit.ts";
import { writeAuditChain } from "@/lib/proof/fixtures/audit-chain.ts";
import { bypassingTriggers } from "@/lib/proof/fixtures/every-right.ts";
import { headLine, publicAuditKey, signHead, type SignedHead } from "@/lib/server/audit/signed-head.ts";
import { recordAudit } from "@/lib/server/audit/record-audit.ts";
import { db } from "@/lib/server/db.ts";
import { env } from "@/lib/server/env.ts";
import { makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import * as listDoor from "../all-audit-logs/route.ts";
import * as exportDoor from "./export/route.ts";
import * as verifyDoor from "./verify/route.ts";

const CANARY = "203.0.113.77";
const directory = mkdtempSync(path.join(os.tmpdir(), "audit-export-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let admin: MadeUser;
let token: string;

beforeEach(async () => {
  await bypassingTriggers(async (tx) => {
    await tx.$executeRaw`delete from "AuditEvent"`;
    await tx.$executeRaw`delete from "AuditHead"`;
    await tx.$executeRaw`delete from "Lease"`;
  });
  admin = await makeUser(db(), { role: "ADMIN" });
  token = await makeSignIn(db(), admin);
});

async function write(entry: Partial<Parameters<typeof recordAudit>[1]> = {}): Promise<void> {
  await db().$transaction((tx) =>
    recordAudit(tx, {
      at: new Date(),
      eventType: "SIGNED_IN",
      actor: { kind: "user", userId: admin.id, role: "ADMIN", signInId: "test" },
      subjectUserId: admin.id,
      ipAddress: CANARY,
      requestId: "request-1",
      data: { text: 'quo"te\n', amount: 0.1, nested: { b: [1, null, true], a: "é" } },
      ...entry,
    }),
  );
}

const verify = (body: object = {}) => callDoor(verifyDoor, "POST", { token, body });
interface Verdict {
  ok: boolean;
  rows: number;
  last: number;
  next: number | null;
  firstBad: { seq: number; problem: string; text: string } | null;
}
async function verdict(body: object = {}): Promise<Verdict> {
  const answer = await verify(body);
  expect(answer.status, answer.text).toBe(200);
  return answer.json?.data as unknown as Verdict;
}
const verifications = () => db().auditEvent.findMany({ where: { eventType: "AUDIT_VERIFIED" } });

describe("verification", () => {
  it("a whole chain is whole, and what came of each call is one event of it", async () => {
    for (let n = 0; n < 3; n += 1) await write();
    expect(await verdict()).toMatchObject({ ok: true, from: 1, rows: 3, last: 3, next: null, firstBad: null });
    expect(await verdict()).toMatchObject({ ok: true, rows: 4 });
    expect((await verifications()).map(({ data, actorUserId }) => ({ data, actorUserId }))).toEqual([
      { data: { from: 1, rows: 3, isWhole: true }, actorUserId: admin.id },
      { data: { from: 1, rows: 4, isWhole: true }, actorUserId: admin.id },
    ]);
  });

  it("names the first event that is not as it was written, in words", async () => {
    for (let n = 0; n < 5; n += 1) await write();
    await bypassingTriggers((tx) => tx.$executeRaw`update "AuditEvent" set data = '{}' where seq = 3`);
    expect(await verdict()).toMatchObject({
      ok: false,
      rows: 2,
      firstBad: { seq: 3, problem: "edited", text: "Event 3 is not as it was written." },
    });
    expect((await verifications())[0]?.data).toMatchObject({ isWhole: false, brokenAt: 3, problem: "edited" });
  });

  it("a long chain is verified part by part, and a part whose first link was edited is not believed", async () => {
    const length = AUDIT_BOUNDS.verified + 1_500;
    await writeAuditChain(length);
    const first = await verdict();
    expect(first).toMatchObject({
      ok: true,
      rows: AUDIT_BOUNDS.verified,
      last: length,
      next: AUDIT_BOUNDS.verified + 1,
    });
    expect(await verdict({ from: first.next })).toMatchObject({ ok: true, rows: 1_501, next: null });
    await bypassingTriggers(
      (tx) => tx.$executeRaw`update "AuditEvent" set "requestId" = 'x' where seq = ${AUDIT_BOUNDS.verified}`,
    );
    expect(await verdict({ from: first.next })).toMatchObject({ ok: false, firstBad: { seq: AUDIT_BOUNDS.verified } });
    expect((await verify({ from: length + 100 })).status).toBe(400);
    expect((await verify({ from: 0 })).status).toBe(400);
  }, 300_000); // 26,500 events are written and read, on a machine that may be busy

  it("runs one at a time: a second waits for its turn, and one whose process died blocks no other for long", async () => {
    await write();
    const hold = (beatAt: Date) =>
      db().lease.upsert({
        where: { name: "audit-verify" },
        create: { name: "audit-verify", owner: "another", beatAt },
        update: { beatAt },
      });
    await hold(new Date());
    expect((await verify()).status).toBe(409);
    expect(await verifications()).toEqual([]);
    await hold(new Date(Date.now() - 61_000));
    expect((await verify()).status).toBe(200);
    expect(await db().lease.count({ where: { name: "audit-verify" } })).toBe(0);
  });
});

/** The file that the door sends. */
async function exported(query = ""): Promise<{ lines: string[]; name: string }> {
  const request = new Request(`http://localhost/api/v1/admin/audit/export?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const response = await exportDoor.GET(request, { params: Promise.resolve(undefined) });
  expect(response.status).toBe(200);
  const text = gunzipSync(Buffer.from(await response.arrayBuffer())).toString();
  return {
    lines: text.split("\n").filter((line) => line !== ""),
    name: /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "",
  };
}

let files = 0;
/** What the offline verifier says of these lines, run as its own program with nothing but the key. */
async function offline(lines: string[], { key = env().AUDIT_KEY, isZipped = false, args = [] as string[] } = {}) {
  const file = path.join(directory, `export-${(files += 1)}`);
  const text = `${lines.join("\n")}\n`;
  writeFileSync(file, isZipped ? gzipSync(text) : text);
  const program = path.resolve("scripts/verify-audit.mjs");
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, file, ...args], {
      env: { NODE_ENV: "test", AUDIT_KEY: key },
    });
    return { code: 0, said: stdout.trim() };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, said: `${stdout}${stderr}`.trim() };
  }
}

describe("export", () => {
  it("the offline verifier finds it whole, zipped and plain; what is personal stays sealed, and no secret is in it", async () => {
    for (let n = 0; n < 6; n += 1) await write({ personal: { reason: "typed words" } });
    const { lines, name } = await exported();
    expect(name).toBe("audit-1-6.ndjson.gz");
    expect(lines).toHaveLength(8);
    for (const isZipped of [true, false])
      expect(await offline(lines, { isZipped })).toMatchObject({
        code: 0,
        said: expect.stringMatching(/^Whole: 6 events/),
      });
    const text = lines.join("\n");
    for (const secret of [CANARY, "typed words", env().AUDIT_KEY]) expect(text).not.toContain(secret);
    expect(text).not.toContain("sealedKey");
    expect(await db().auditEvent.count({ where: { eventType: "AUDIT_EXPORTED", actorUserId: admin.id } })).toBe(1);
  });

  it("a part of the chain is whole by itself", async () => {
    for (let n = 0; n < 6; n += 1) await write();
    const { lines } = await exported("from=3&to=5");
    expect(await offline(lines)).toMatchObject({ code: 0, said: expect.stringContaining("3 events (3 to 5)") });
  });

  it("an edited, removed, reordered, cut, forged or lengthened export is broken, and the event is named", async () => {
    for (let n = 0; n < 6; n += 1) await write();
    const { lines } = await exported();
    const other = (await exported("from=1&to=3")).lines;
    const without = (index: number) => lines.filter((_, i) => i !== index);
    const swapped = [...lines];
    [swapped[3], swapped[4]] = [lines[4]!, lines[3]!];
    const edited = (index: number, change: object) =>
      lines.map((line, i) => (i === index ? JSON.stringify({ ...(JSON.parse(line) as object), ...change }) : line));
    const tampered: [string, string[], RegExp][] = [
      ["edited facts", edited(3, { data: { amount: 2 } }), /event 3 is not as it was written/],
      ["an edited time", edited(2, { at: "2026-01-01T00:00:00.000Z" }), /event 2 is not/],
      ["another subject", edited(2, { subjectUserId: null }), /event 2 is not/],
      ["a personal part removed", edited(4, { personal: null }), /event 4 is not/],
      ["an edited hash", edited(4, { hash: "a".repeat(64) }), /event 4 is not/],
      ["a removed event", without(3), /event 3 is missing/],
      ["a removed first event", without(1), /event 1 is missing/],
      ["a removed last event", without(6), /event 6 and all after it are cut off/],
      ["two in the other order", swapped, /event 3 is missing or in another place/],
      ["the end cut off", lines.slice(0, 5), /event 5 and all after it are cut off/],
      ["the end line alone cut off", lines.slice(0, -1), /cut off/],
      ["a shorter export passed off", [lines[0]!, ...other.slice(1)], /cut off/],
      [
        "ends rewritten to fit",
        [
          ...edited(0, { to: "4" }).slice(0, 5),
          JSON.stringify({
            ...(JSON.parse(lines[7]!) as object),
            hash: (JSON.parse(lines[4]!) as { hash: string }).hash,
          }),
        ],
        /ends of the export are not as they were made/,
      ],
      ["no head", lines.slice(1), /does not begin with the head/],
      ["more behind the end", [...lines, lines[6]!], /more behind the end/],
      ["a line that is no JSON", [...lines.slice(0, 3), "{", ...lines.slice(4)], /line 4 is not readable/],
      ["nothing", [], /empty/],
    ];
    for (const [what, changed, message] of tampered)
      expect({ what, ...(await offline(changed)) }).toEqual({ what, code: 1, said: expect.stringMatching(message) });
  }, 120_000);

  it("with another key nothing is believed; without one it says that edits cannot be told", async () => {
    await write();
    const { lines } = await exported();
    expect(await offline(lines, { key: "another key" })).toMatchObject({ code: 1 });
    expect(await offline(lines, { key: "" })).toMatchObject({
      code: 2,
      said: expect.stringContaining("Without AUDIT_KEY"),
    });
  });

  it("the public key alone proves that the export is as it was signed, and names a chain that contradicts a signed head", async () => {
    const kept = path.join(directory, "heads.ndjson");
    const heads = (...lines: SignedHead[]) => writeFileSync(kept, lines.map((head) => `${headLine(head)}\n`).join(""));
    const signedHead = async () => {
      const { seq, hash } = await db().auditHead.findUniqueOrThrow({ where: { id: 1 } });
      return signHead({ seq, hash }, new Date());
    };
    const publicly = (lines: string[], key = publicAuditKey()) =>
      offline(lines, { key: "", args: ["--key", key, "--heads", kept] });
    for (let n = 0; n < 4; n += 1) await write();
    const older = await db().auditHead.findUniqueOrThrow({ where: { id: 1 }, omit: { id: true } });
    await write();
    const signed = await signedHead();
    heads(signed);
    const { lines } = await exported();
    expect(await publicly(lines)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^Signed: 5 events .*agrees with 1 of 1 signed heads/),
    });
    expect(await offline(lines, { args: ["--heads", kept] })).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^Whole: 5 events .*agrees with 1 of 1/),
    });

    // A crash cut the writing of the first line off; the next one began anew.
    writeFileSync(kept, `${headLine(signed).slice(0, 90)}\n${headLine(signed)}\n`);
    expect(await publicly(lines)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/agrees with 1 of 1 signed heads.* cut off and were not compared: 1\./),
    });
    for (const whole of ["null", "1", "{}"]) {
      writeFileSync(kept, `${headLine(signed)}\n${whole}\n`);
      expect(await publicly(lines)).toMatchObject({ code: 1, said: expect.stringMatching(/line 2 of the heads/) });
    }
    heads(signed);

    const edited = lines.map((line, index) =>
      index === 3 ? JSON.stringify({ ...(JSON.parse(line) as object), data: { amount: 2 } }) : line,
    );
    expect(await publicly(edited)).toMatchObject({ code: 1, said: expect.stringContaining("not as this key signed") });
    expect(await publicly(lines, "A".repeat(43))).toMatchObject({ code: 1 });
    heads({ ...signed, hash: "f".repeat(64) });
    expect(await publicly(lines)).toMatchObject({ code: 1, said: expect.stringMatching(/line 1 of the heads/) });

    // Rolled back: shorter than a head that was signed, then written anew.
    await bypassingTriggers(async (tx) => {
      await tx.$executeRaw`delete from "AuditEvent" where seq > ${older.seq}`;
      await tx.auditHead.update({ where: { id: 1 }, data: older });
    });
    heads(signed);
    const shorter = (await exported()).lines;
    expect(await publicly(shorter)).toMatchObject({
      code: 1,
      said: expect.stringMatching(/event 5 and all after it are gone/),
    });
    await write();
    const anew = (await exported()).lines;
    expect(await publicly(anew)).toMatchObject({
      code: 1,
      said: expect.stringMatching(/event 5 contradicts the head/),
    });
    heads(signed, signHead({ seq: 5n, hash: "a".repeat(64) }, new Date()));
    expect(await publicly(anew)).toMatchObject({
      code: 1,
      said: expect.stringMatching(/contradict each other about event 5/),
    });
  });

  it("an export of a chain that was edited in the database says so under its signature", async () => {
    for (let n = 0; n < 3; n += 1) await write();
    await bypassingTriggers((tx) => tx.$executeRaw`update "AuditEvent" set data = '{}' where seq = 2`);
    const { lines } = await exported();
    const forged = lines.map((line) => line.replace('"isWhole":false', '"isWhole":true'));
    const publicly = (each: string[]) => offline(each, { key: "", args: ["--key", publicAuditKey()] });
    expect(await publicly(lines)).toMatchObject({
      code: 1,
      said: expect.stringContaining("the installation itself found"),
    });
    expect(await publicly(forged)).toMatchObject({ code: 1, said: expect.stringContaining("not as this key signed") });
  });

  it("events that there are not, and too many at once, are refused before anything is made", async () => {
    await write();
    const ask = (query: string) => callDoor(exportDoor, "GET", { token, query });
    for (const query of ["from=2", "to=9", "from=1&to=0", "from=x"]) expect((await ask(query)).status, query).toBe(400);
    await bypassingTriggers(
      (tx) => tx.$executeRaw`update "AuditEvent" set seq = ${AUDIT_BOUNDS.exported + 5} where seq = 1`,
    );
    const answer = await ask("");
    expect(answer).toMatchObject({ status: 400, json: { issues: [{ path: "to" }] } });
    expect(await db().auditEvent.count({ where: { eventType: "AUDIT_EXPORTED" } })).toBe(0);
  });
});

describe("filters of the list", () => {
  const list = (query: string) => callDoor(listDoor, "GET", { token, query });
  const ids = async (query: string) => {
    const answer = await list(query);
    expect(answer.status, answer.text).toBe(200);
    const page = answer.json?.data as unknown as {
      auditLogs: { id: string }[];
      summary: { totalEvents: number };
      pagination: { nextCursor: string | null };
    };
    expect(page.summary.totalEvents).toBeGreaterThanOrEqual(page.auditLogs.length);
    return { ids: page.auditLogs.map(({ id }) => Number(id)), total: page.summary.totalEvents, page };
  };

  it("topic, event, actor, person, dates and request narrow it down, each alone and together, and pages keep the filter", async () => {
    const trader = await makeUser(db(), { email: `tess-${admin.id.slice(0, 8)}@example.com` });
    const asTrader = {
      actor: { kind: "user", userId: trader.id, role: "USER", signInId: "t" } as const,
      subjectUserId: trader.id,
    };
    await write({ at: new Date("2020-02-03T04:59:59.999Z"), requestId: "early" }); // 1: Sunday in New York
    await write({ at: new Date("2020-02-03T05:00:00.000Z"), ...asTrader }); // 2: Monday
    await write({ at: new Date("2020-02-04T04:59:59.999Z"), eventType: "SIGNED_OUT", ...asTrader }); // 3: Monday
    await write({
      at: new Date("2020-02-04T05:00:00.000Z"),
      eventType: "WORKER_BACK",
      actor: { kind: "system", name: "worker" },
    }); // 4
    expect((await ids("")).ids).toEqual([4, 3, 2, 1]);
    expect((await ids("from=2020-02-03&to=2020-02-03")).ids).toEqual([3, 2]);
    expect((await ids("topic=security")).ids).toEqual([3, 2, 1]);
    expect((await ids("eventType=SIGNED_OUT")).ids).toEqual([3]);
    expect((await ids("actor=system")).ids).toEqual([4]);
    expect((await ids("person=TESS-")).ids).toEqual([3, 2]);
    expect((await ids("person=no-user-of-that-name")).ids).toEqual([]);
    // As it is: no wildcard of the database.
    expect((await ids("person=t_ss-")).ids).toEqual([]);
    expect((await ids("requestId=early")).ids).toEqual([1]);
    expect((await ids("person=tess-&eventType=SIGNED_IN&from=2020-02-03")).ids).toEqual([2]);
    expect((await ids("person=&eventType=&actor=&from=&to=&requestId=&topic=")).ids).toHaveLength(4);
    const first = await ids("topic=security&limit=2");
    expect([first.ids, first.total]).toEqual([[3, 2], 3]);
    expect((await ids(`topic=security&limit=2&cursor=${first.page.pagination.nextCursor}`)).ids).toEqual([1]);
  });

  it("a filter that is none is refused at its field", async () => {
    for (const query of ["eventType=nope", "actor=me", "person=x", "from=yesterday", "from=2020-02-04&to=2020-02-03"])
      expect((await list(query)).status, query).toBe(400);
  });
});

it("callers without a sign-in and traders are refused", async () => {
  const trader = await makeSignIn(db(), await makeUser(db()));
  for (const [door, method] of [
    [verifyDoor, "POST"],
    [exportDoor, "GET"],
  ] as const) {
    expect((await callDoor(door, method)).status).toBe(401);
    expect((await callDoor(door, method, { token: trader })).status).toBe(403);
  }
});
