import { spawn } from "node:child_process";
import { once } from "node:events";
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeUser } from "@/prisma/factories.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { withPersonal } from "../../audit/personal.ts";
import { verifyAudit } from "../../audit/verify-audit.ts";
import { db } from "../../db.ts";
import { forgetEnv } from "../../env.ts";
import { openTotp, sealTotp } from "../../secrets/seal-totp.ts";
import { newTotpSecret } from "../../secrets/totp.ts";
import { openKeys, sealKeys } from "../../secrets/seal.ts";
import { programArgs } from "@/lib/proof/bundled.ts";
import { openKeyPair } from "@/lib/proof/fixtures/key-pair.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { resealStoredKeys } from "./reseal-stored-keys.ts";

const FIRST = process.env.MASTER_KEYS ?? "";
const SECOND = `2:${Buffer.from("the-second-master-key-of-a-test!").toString("base64")}`;
const use = (masterKeys: string) => {
  process.env.MASTER_KEYS = masterKeys;
  forgetEnv();
};

let userId: string;

beforeEach(async () => {
  use(FIRST);
  userId = (await makeUser(db())).id;
});
afterEach(async () => {
  await db().account.deleteMany();
  await db().totpFactor.deleteMany();
  use(FIRST);
});

const secretOf = (id: string) => `secret-of-${id}`;

async function makeSealedAccounts(count: number): Promise<void> {
  const rows = Array.from({ length: count }, () => {
    const id = randomUUID();
    const sealedKeys = sealKeys(
      { keyId: `TP${id}`, secret: secretOf(id) },
      { userId, accountId: id, environment: "PAPER" },
    );
    const fixed = { environment: "PAPER", broker: "PRACTICE", market: "PRACTICE" } as const;
    return { id, userId, ...fixed, brokerAccountId: id, keyPrefix: `TP${id.slice(0, 6)}`, sealedKeys };
  });
  await db().account.createMany({ data: rows });
}

/** Every account's secret, opened with the master keys in force. Throws where one does not open. */
async function openAll(): Promise<number> {
  const rows = await db().account.findMany({ where: { sealedKeys: { not: null } } });
  for (const row of rows) {
    const opened = openKeyPair(row.sealedKeys!, { userId, accountId: row.id, environment: "PAPER" });
    expect(opened.secret).toBe(secretOf(row.id));
  }
  return rows.length;
}

const underSecond = () => db().account.count({ where: { sealedKeys: { startsWith: '{"v":1,"kek":2,' } } });
const audits = (eventType: string) => db().auditEvent.findMany({ where: { eventType }, orderBy: { seq: "asc" } });

it("every row comes under the newest master key, opens without the old one, and the second run has nothing to do", async () => {
  await makeSealedAccounts(230);
  const event = { at: new Date(), eventType: "SIGN_IN_FAILED", actor: { kind: "anonymous" }, data: {} } as const;
  await db().$transaction((tx) => recordAudit(tx, { ...event, subjectUserId: userId, ipAddress: "203.0.113.9" }));
  const idle = await resealStoredKeys(testContext());
  expect(idle).toMatchObject({ newest: 1, resealed: 0, waiting: 0 });
  expect(await audits("KEYS_RESEAL_STARTED")).toEqual([]);

  use(`${SECOND},${FIRST}`);
  expect(await resealStoredKeys(testContext())).toEqual({ newest: 2, resealed: 231, waiting: 0, unreadable: [] });
  expect(await resealStoredKeys(testContext())).toMatchObject({ resealed: 0, waiting: 0 });
  use(SECOND);
  expect(await openAll()).toBe(230);
  const rows = await db().auditEvent.findMany({ where: { subjectUserId: userId } });
  expect(await withPersonal(db(), rows)).toMatchObject([{ ipAddress: "203.0.113.9", closed: null }]);
  expect((await audits("KEYS_RESEAL_STARTED")).map(({ data }) => data)).toMatchObject([{ newest: 2, waiting: 231 }]);
  expect((await audits("KEYS_RESEALED")).map(({ data }) => data)).toMatchObject([
    { newest: 2, resealed: 231, waiting: 0, unreadable: 0 },
  ]);
  expect(await verifyAudit(db())).toMatchObject({ ok: true });
});

it("a row that does not open is named and stops no other, and keys that were erased stay erased", async () => {
  await makeSealedAccounts(3);
  const [broken, erased, whole] = await db().account.findMany({ orderBy: { id: "asc" } });
  const swapped = { sealedKeys: whole!.sealedKeys };
  await db().account.update({ where: { id: broken!.id }, data: swapped });
  await db().account.update({ where: { id: erased!.id }, data: { sealedKeys: null, keyPrefix: null } });
  use(`${SECOND},${FIRST}`);
  expect(await resealStoredKeys(testContext())).toMatchObject({ resealed: 1, waiting: 1, unreadable: [broken!.id] });
  expect(await db().account.findUniqueOrThrow({ where: { id: erased!.id } })).toMatchObject({ sealedKeys: null });
  expect(await db().account.findUniqueOrThrow({ where: { id: broken!.id } })).toMatchObject(swapped);
});

/** The command itself, as an operator runs it. */
async function runCommand() {
  const program = await programArgs("workers/cli/admin.ts");
  const child = spawn(process.execPath, [...program, "reseal"], {
    env: { ...process.env, NODE_ENV: "test", LOG_LEVEL: "error" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return { child, ended: once(child, "exit"), output: () => output };
}

it("killed in the middle of a run every row still opens, and the next run finishes it, while rows are added and erased", async () => {
  const many = 3_000;
  await makeSealedAccounts(many);
  use(`${SECOND},${FIRST}`);
  const first = await runCommand();
  await expect.poll(underSecond, { timeout: 40_000, interval: 5 }).toBeGreaterThan(500);
  first.child.kill("SIGKILL");
  expect(await first.ended).toEqual([null, "SIGKILL"]);
  const done = await underSecond();
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(many);
  expect(await openAll()).toBe(many);

  const second = await runCommand();
  const [gone] = await db().account.findMany({ orderBy: { id: "desc" }, take: 1 });
  await db().account.update({ where: { id: gone!.id }, data: { sealedKeys: null, keyPrefix: null } });
  await makeSealedAccounts(20);
  expect(await second.ended).toEqual([0, null]);
  expect(second.output()).toContain("the others may leave MASTER_KEYS");
  use(SECOND);
  expect(await openAll()).toBe(many + 19);
  expect(await audits("KEYS_RESEAL_STARTED")).toHaveLength(4);
});

it("the secrets of authenticator apps come along", async () => {
  const secret = newTotpSecret();
  await db().totpFactor.create({ data: { userId, sealedSecret: sealTotp(secret, userId) } });
  use(`${SECOND},${FIRST}`);
  expect(await resealStoredKeys(testContext())).toMatchObject({ resealed: 1, waiting: 0, unreadable: [] });
  use(SECOND);
  const { sealedSecret } = await db().totpFactor.findUniqueOrThrow({ where: { userId } });
  expect(openTotp(sealedSecret, userId)).toBe(secret);
});

it("the access that a person allowed at Alpaca comes along", async () => {
  const id = randomUUID();
  const context = { userId, accountId: id, environment: "PAPER" } as const;
  const granted = { accessToken: `access-of-${id}` };
  await db().account.create({
    data: {
      ...{ id, userId, environment: "PAPER", broker: "ALPACA", market: "US", brokerAccountId: id, access: "OAUTH" },
      sealedKeys: sealKeys(granted, context),
    },
  });
  use(`${SECOND},${FIRST}`);
  expect(await resealStoredKeys(testContext())).toMatchObject({ resealed: 1, waiting: 0, unreadable: [] });
  use(SECOND);
  const { sealedKeys } = await db().account.findUniqueOrThrow({ where: { id } });
  expect(openKeys(sealedKeys!, context)).toEqual(granted);
});
