/** Named faults of migrations: docs/faults.md. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeEach, expect, inject, it } from "vitest";

const MIGRATIONS = readdirSync("prisma/migrations").filter((name) => /^\d{14}_/.test(name));
const folder = mkdtempSync(path.join(tmpdir(), "tradewind-migrations-"));
afterAll(() => rmSync(folder, { recursive: true }));

let name: string;
const urlOf = (database: string) => inject("postgres").replace(/DATABASE$/, database);

async function ask<Row extends pg.QueryResultRow>(sql: string, database = name): Promise<Row[]> {
  const client = new pg.Client({ connectionString: urlOf(database) });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

beforeEach(async () => {
  name = `m_${randomBytes(8).toString("hex")}`;
  await ask(`create database ${name}`, "postgres");
});
afterEach(() => ask(`drop database if exists ${name} with (force)`, "postgres"));

/** What every start of the product does first. */
async function deploy(...options: string[]): Promise<{ code: number | null; said: string }> {
  const run = spawn(process.execPath, ["node_modules/prisma/build/index.js", "migrate", "deploy", ...options], {
    env: { ...process.env, DATABASE_URL: urlOf(name) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [run.stdout, run.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => run.on("close", resolve));
  return { code, said };
}

const applied = () =>
  ask<{ migration_name: string; is_done: boolean }>(
    `select migration_name, finished_at is not null as is_done from _prisma_migrations where rolled_back_at is null order by 1`,
  );

it("two starts at once apply every migration once, and a third finds nothing to do (P10)", async () => {
  const both = await Promise.all([deploy(), deploy()]);
  expect(
    both.map(({ code }) => code),
    both.map(({ said }) => said).join("\n"),
  ).toEqual([0, 0]);
  expect(await applied()).toEqual(MIGRATIONS.map((migration_name) => ({ migration_name, is_done: true })));
  const again = await deploy();
  expect(again.code).toBe(0);
  expect(again.said).toContain("No pending migrations");
}, 120_000);

it("a migration that fails half-way leaves nothing of itself, and is not passed over (P10)", async () => {
  const migrations = path.join(folder, "migrations");
  cpSync("prisma/migrations", migrations, { recursive: true });
  const next = path.join(migrations, "29990101000000_half");
  mkdirSync(next);
  const write = (sql: string) => writeFileSync(path.join(next, "migration.sql"), sql);
  write('create table "Half" (id int); insert into "Half" values (1); select 1 / 0; create table "Other" (id int);');
  const config = path.join(folder, "prisma.config.mjs");
  const schema = path.resolve("prisma/schema.prisma");
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.resolve("prisma/schema-engine.mjs");
  const settings = { schema, migrations: { path: migrations }, datasource: { url: urlOf(name) } };
  writeFileSync(config, `export default ${JSON.stringify(settings)};`);
  const half = () => ask<{ count: string }>(`select count(*) from pg_tables where tablename in ('Half', 'Other')`);

  const failed = await deploy("--config", config);
  expect(failed.code, failed.said).not.toBe(0);
  expect(failed.said).toMatch(/29990101000000_half/);
  expect(await half()).toEqual([{ count: "0" }]);
  const held = await deploy("--config", config);
  expect(held.code).not.toBe(0);
  expect(held.said).toMatch(/P3009|failed migrations/);
  expect((await applied()).filter(({ is_done }) => !is_done)).toEqual([
    { migration_name: "29990101000000_half", is_done: false },
  ]);
}, 120_000);
