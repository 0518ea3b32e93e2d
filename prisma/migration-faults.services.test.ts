/** Named faults of migrations: docs/faults.md. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeEach, expect, inject, it, vi } from "vitest";

const MIGRATIONS = readdirSync("prisma/migrations").filter((name) => /^\d{14}_/.test(name));
const NEXT = "29990101000000_next";
const folder = mkdtempSync(path.join(tmpdir(), "tradewind-migrations-"));
afterAll(() => rmSync(folder, { recursive: true }));

let name: string;
const urlOf = (database: string) => inject("superuser").replace(/DATABASE$/, database);

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

/** The product's migrations and one more. */
function withNext(sql: string): string {
  const migrations = path.join(folder, "migrations");
  cpSync("prisma/migrations", migrations, { recursive: true });
  mkdirSync(path.join(migrations, NEXT), { recursive: true });
  writeFileSync(path.join(migrations, NEXT, "migration.sql"), sql);
  return migrations;
}

/** What every start of the product does first. */
function begin(migrations = "prisma/migrations") {
  const run = spawn(process.execPath, ["prisma/migrate.mjs", migrations], {
    env: { ...process.env, DATABASE_URL: urlOf(name) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [run.stdout, run.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const done = new Promise<{ code: number | null; said: string }>((resolve) =>
    run.on("close", (code) => resolve({ code, said })),
  );
  return { run, done };
}

const deploy = (migrations?: string) => begin(migrations).done;
const applied = async () =>
  (
    await ask<{ migration_name: string }>(
      `select migration_name from _prisma_migrations where finished_at is not null and rolled_back_at is null order by 1`,
    )
  ).map(({ migration_name: each }) => each);
const nextTables = () =>
  ask<{ tablename: string }>(`select tablename from pg_tables where tablename in ('Half', 'Other') order by 1`);

it("two starts at once apply every migration once, and a third finds nothing to do (P10)", async () => {
  const both = await Promise.all([deploy(), deploy()]);
  expect(
    both.map(({ code }) => code),
    both.map(({ said }) => said).join("\n"),
  ).toEqual([0, 0]);
  expect(await applied()).toEqual(MIGRATIONS);
  expect(await deploy()).toEqual({ code: 0, said: "No pending migrations\n" });
}, 120_000);

it("a migration that fails half-way leaves nothing of itself, and is not passed over (P10)", async () => {
  const failing = withNext(
    'create table "Half" (id int); insert into "Half" values (1); select 1 / 0; create table "Other" (id int);',
  );
  for (let tries = 0; tries < 2; tries += 1) {
    const { code, said } = await deploy(failing);
    expect(code).toBe(1);
    expect(said).toBe(`Migration ${NEXT} failed: division by zero\n`);
    expect(await nextTables()).toEqual([]);
    expect(await applied()).toEqual(MIGRATIONS);
  }
  expect((await deploy(withNext('create table "Half" (id int);'))).code).toBe(0);
  expect(await applied()).toEqual([...MIGRATIONS, NEXT]);
}, 120_000);

it("a start that is killed half-way leaves nothing of its migration, and the next one applies it (P10)", async () => {
  const slow = withNext('create table "Half" (id int); select pg_sleep(3); create table "Other" (id int);');
  const { run, done } = begin(slow);
  const sleeping = () =>
    ask(`select 1 from pg_stat_activity where datname = '${name}' and query like '%pg_sleep(3)%'`, "postgres");
  await vi.waitFor(async () => expect(await sleeping()).toHaveLength(1), { timeout: 60_000 });
  run.kill("SIGKILL");
  await done;
  expect((await deploy(slow)).code).toBe(0);
  expect((await nextTables()).map(({ tablename }) => tablename)).toEqual(["Half", "Other"]);
  expect(await applied()).toEqual([...MIGRATIONS, NEXT]);
}, 120_000);

it("a migration that was edited after it was applied is refused", async () => {
  expect((await deploy(withNext('create table "Half" (id int);'))).code).toBe(0);
  const { code, said } = await deploy(withNext('create table "Half" (id bigint);'));
  expect({ code, said }).toEqual({ code: 1, said: `Migration ${NEXT} was edited after it was applied.\n` });
}, 120_000);

it("a database of another version is refused with a sentence that says what to do", async () => {
  expect((await deploy(withNext('create table "Half" (id int);'))).code).toBe(0);
  const { code, said } = await deploy();
  expect(code).toBe(1);
  expect(said).toMatch(/^The database has the migration 29990101000000_next, .* Start with an empty database: .*\n$/);
}, 120_000);

it("what Prisma began and did not finish is left to a person", async () => {
  await deploy();
  await ask(`update _prisma_migrations set finished_at = null`);
  const { code, said } = await deploy();
  expect(code).toBe(1);
  expect(said).toContain("npx prisma migrate resolve");
}, 120_000);

it("a database whose migrations were squashed into one since is taken over as it is, and no part of them", async () => {
  await deploy();
  const [replaced] = MIGRATIONS.map((each) => path.join("prisma/migrations", each, "replaces.txt")).filter(existsSync);
  const names = readFileSync(String(replaced), "utf8").trim().split("\n");
  // They stay applied: the schema has them.
  const later = MIGRATIONS.filter((each) => each !== path.basename(path.dirname(String(replaced))));
  const [had] = await ask<{ n: number }>(`select count(*)::int as n from pg_class`);
  const ledgerOf = (
    part: string[],
  ) => `delete from _prisma_migrations where migration_name <> all ('{${later.join(",")}}'::text[]);
    insert into _prisma_migrations (id, checksum, finished_at, migration_name)
    select gen_random_uuid(), 'x', now(), name from unnest('{${part.join(",")}}'::text[]) name`;
  await ask(ledgerOf(names.slice(1)));
  expect((await deploy()).said).toMatch(/^The database has the migration \d+_\w+, which this version does not know/);
  await ask(ledgerOf(names));
  expect(await deploy()).toEqual({ code: 0, said: "No pending migrations\n" });
  expect(await applied()).toEqual(MIGRATIONS);
  expect(await ask(`select count(*)::int as n from pg_class`)).toEqual([had]);
  expect(await deploy()).toEqual({ code: 0, said: "No pending migrations\n" });
}, 120_000);
