import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import pg from "pg";
import { badLine } from "@/scripts/own-services.mjs";
import { db } from "../db.ts";
import { env, forgetEnv } from "../env.ts";
import { takePoint } from "./rate-limit.ts";

/** The product's connections run over a line that the test can make bad; the test has one of its own. */
let line: Awaited<ReturnType<typeof badLine>>;
let direct: pg.Client;

beforeAll(async () => {
  const url = new URL(env().DATABASE_URL);
  direct = new pg.Client({ connectionString: url.href });
  await direct.connect();
  line = await badLine(Number(url.port));
  url.port = String(line.port);
  process.env.DATABASE_URL = url.href;
  forgetEnv();
  await direct.query(
    `insert into "RateLimit" ("id", "name", "maxRequests", "updatedAt") values (gen_random_uuid(), 'export', 3, now())`,
  );
  await direct.query(
    `insert into "RateLimit" ("id", "name", "enabled", "updatedAt") values (gen_random_uuid(), 'admin', false, now())`,
  );
});
afterAll(async () => {
  line.mend();
  line.cut();
  await db().$disconnect();
  await line.close();
  await direct.end();
});

/** How many of these calls pass, from an address of their own. */
async function passing(name: Parameters<typeof takePoint>[0], calls: number) {
  const bucket = randomUUID();
  const taken = await Promise.allSettled(Array.from({ length: calls }, () => takePoint(name, bucket)));
  return taken.filter(({ status }) => status === "fulfilled").length;
}
const exportsPass = (count: number) =>
  expect.poll(() => passing("export", 20), { timeout: 8_000, interval: 100 }).toBe(count);

it("while Postgres is unavailable the built-in limits hold, also where a row had lifted one, and rows act again after it (P2)", async () => {
  await exportsPass(3);
  expect(await passing("admin", 700)).toBe(700);
  line.cut();
  await exportsPass(10);
  expect(await passing("admin", 700)).toBe(600);
  line.mend();
  await exportsPass(3);
});

it("a Postgres that answers nothing holds no call back: the built-in limits hold", async () => {
  await exportsPass(3);
  line.silence();
  await exportsPass(10);
  expect(await passing("admin", 700)).toBe(600);
});
