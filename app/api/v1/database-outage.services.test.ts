import { afterAll, beforeAll, expect, it } from "vitest";
import pg from "pg";
import { badLine } from "@/scripts/own-services.mjs";
import { db } from "@/lib/server/db.ts";
import { env, forgetEnv } from "@/lib/server/env.ts";
import { beat } from "@/lib/server/services/schedule/worker-lease.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import { superuserUrl } from "@/lib/proof/fixtures/every-right.ts";
import * as login from "./auth/login/route.ts";
import * as ready from "./health/ready/route.ts";

/** The product's connections run over a line that the test can make bad; the test has one of its own. */
let line: Awaited<ReturnType<typeof badLine>>;
let direct: pg.Client;

beforeAll(async () => {
  const url = new URL(env().DATABASE_URL);
  direct = new pg.Client({ connectionString: superuserUrl() });
  await direct.connect();
  line = await badLine(Number(url.port));
  url.port = String(line.port);
  process.env.DATABASE_URL = url.href;
  process.env.DATABASE_POOL_SIZE = "4";
  process.env.TRUSTED_PROXIES = "1";
  process.env.LOG_LEVEL = "error";
  forgetEnv();
  await beat(systemContext("test"), "test", {});
});
afterAll(async () => {
  line.mend();
  await db().$disconnect();
  await line.close();
  await direct.end();
});

const askReady = () => callDoor(ready, "GET");
let people = 0;
/** Each from an address of its own: what is looked at here are not the limits. */
function signIn() {
  people += 1;
  return callDoor(login, "POST", {
    headers: { "x-forwarded-for": `203.0.${people >> 8}.${people & 255}` },
    body: { email: `nobody${people}@example.com`, password: "not-a-real-password-1" },
  });
}

const serves = () => expect.poll(async () => (await askReady()).status, { timeout: 10_000, interval: 50 }).toBe(200);

it("while the database is unavailable every answer is a 503 that says when to retry, and it is healthy a second after (P2)", async () => {
  await serves();
  line.cut();
  const awaySince = performance.now();
  const answers = [];
  while (performance.now() - awaySince < 1_500) answers.push(await askReady(), await signIn());
  expect(answers.map(({ status }) => status).filter((status) => status !== 503)).toEqual([]);
  for (const answer of answers) {
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answer.json).toMatchObject({ success: false, code: "unavailable" });
  }
  line.mend();
  await expect.poll(async () => (await askReady()).status, { timeout: 1_000, interval: 20 }).toBe(200);
});

it("connections that the server closed under us are replaced without a bare error (P1)", async () => {
  await serves();
  const answers = [];
  for (let round = 0; round < 20; round += 1) {
    await direct.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    answers.push(...(await Promise.all([askReady(), askReady(), signIn()])));
  }
  expect(answers.map(({ status }) => status).filter((status) => ![200, 401, 503].includes(status))).toEqual([]);
  await serves();
});

it("a statement that waits for a lock is cancelled with a 503, and the connection is free again (P6)", async () => {
  await serves();
  await direct.query("begin");
  await direct.query('lock table "User" in access exclusive mode');
  const answer = await signIn();
  await direct.query("rollback");
  expect(answer.status).toBe(503);
  expect((await signIn()).status).toBe(401);
});

it("a pool without a free connection answers 503, and serves again when one is free (P7)", async () => {
  await serves();
  await direct.query("begin");
  await direct.query('lock table "User" in access exclusive mode');
  const held = Array.from({ length: 12 }, signIn);
  const answers = await Promise.all(held);
  await direct.query("rollback");
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  await serves();
});

it("a database that turned read-only refuses writes with a 503 and writes nothing (P8)", async () => {
  await serves();
  const name = new URL(env().DATABASE_URL).pathname.slice(1);
  await direct.query(`alter database "${name}" set default_transaction_read_only = on`);
  try {
    await db().$disconnect();
    await expect(beat(systemContext("test"), "read-only", {})).rejects.toThrow();
    const answer = await signIn();
    expect([401, 503]).toContain(answer.status);
  } finally {
    await direct.query(`alter database "${name}" reset default_transaction_read_only`);
    await db().$disconnect();
  }
  await serves();
  const { rows } = await direct.query<{ owner: string }>('select "owner" from "Lease"');
  expect(rows.map(({ owner }) => owner)).not.toContain("read-only");
});
