import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askPostgres, postgresAnswer } from "../lib/proof/fixtures/ask-postgres.ts";
import { superuserUrl } from "../lib/proof/fixtures/every-right.ts";
import { env } from "../lib/server/env.ts";
import { grantApplication, prepareRoles, userOf } from "./roles.mjs";

const name = `r_${randomBytes(6).toString("hex")}`;
const as = (role: string, database = name) =>
  Object.assign(new URL(superuserUrl(database)), { username: `${name}_${role}`, password: `${role} p@ss'word` }).href;
const urls = () => ({
  superuserUrl: superuserUrl("postgres"),
  migrationUrl: as("migrate"),
  appUrl: as("app"),
  exchangeUrl: as("exchange", `${name}_exchange`),
});

const DENIED = "42501";

describe("the application's role, as which every test of services runs", () => {
  const mine = (sql: string) => postgresAnswer(env().DATABASE_URL, sql);

  it("is neither superuser nor owner, and may make neither roles nor databases nor tables", async () => {
    const [role] = await askPostgres(
      env().DATABASE_URL,
      `select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication,
              (select count(*)::int from pg_class where relowner = r.oid) as owned
       from pg_roles r where rolname = current_user`,
    );
    const no = false;
    expect(role).toEqual({
      rolsuper: no,
      rolcreaterole: no,
      rolcreatedb: no,
      rolbypassrls: no,
      rolreplication: no,
      owned: 0,
    });
    for (const sql of ["create table mine (id int)", "create schema mine", "create role mine", "create database mine"])
      expect({ sql, answer: await mine(sql) }).toEqual({ sql, answer: DENIED });
  });

  it("may not switch triggers off, neither for the session nor on a table", async () => {
    expect(await mine("set session_replication_role = replica")).toBe(DENIED);
    expect(await mine('alter table "AuditEvent" disable trigger user')).toBe(DENIED);
  });

  it.each([
    'update "AuditEvent" set data = data',
    'delete from "AuditEvent"',
    'truncate "AuditEvent"',
    `insert into "AuditHead" ("id", "seq", "hash", "proof") values (1, 1, 'x', 'x')`,
    'update "AuditHead" set "seq" = 0',
    'delete from "AuditHead"',
    'truncate "AuditHead"',
    'delete from "_prisma_migrations"',
    'truncate "User" cascade',
  ])("may not: %s", async (sql) => {
    expect(await mine(sql)).toBe(DENIED);
  });

  it("reads, writes, changes and deletes the rows of every other table", async () => {
    const [rights] = await askPostgres<{ lacking: string[] }>(
      env().DATABASE_URL,
      `select coalesce(array_agg(relname::text order by relname), '{}') as lacking from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and not (has_table_privilege(oid, 'SELECT') and has_table_privilege(oid, 'INSERT')
              and has_table_privilege(oid, 'UPDATE') and has_table_privilege(oid, 'DELETE'))`,
    );
    expect(rights?.lacking).toEqual(["AuditEvent", "AuditHead", "_prisma_migrations"]);
  });

  it("moves the end of the audit chain forward, and never back", async () => {
    const move = (seq: number) => mine(`select move_audit_head(${seq}, 'hash', 'proof')`);
    expect(await move(1_000_001)).toBe("done");
    expect(await move(1_000_001)).toBe("P0001");
    expect(await move(1_000_000)).toBe("P0001");
  });
});

describe("roles and databases", () => {
  beforeAll(() => prepareRoles(urls()));
  afterAll(async () => {
    for (const database of [name, `${name}_exchange`])
      await askPostgres(superuserUrl("postgres"), `drop database if exists "${database}" with (force)`);
    for (const role of ["migrate", "app", "exchange"])
      await askPostgres(superuserUrl("postgres"), `drop role if exists "${name}_${role}"`);
  });

  it("are as before when they are prepared again, also by several starts at once", async () => {
    await Promise.all([prepareRoles(urls()), prepareRoles(urls()), prepareRoles(urls())]);
    expect(await postgresAnswer(as("migrate"), "create table again (id int); drop table again")).toBe("done");
    expect(await postgresAnswer(as("app"), "create table again (id int)")).toBe(DENIED);
  });

  it("no program reaches the database of another", async () => {
    expect(await postgresAnswer(as("exchange"), "select 1")).toBe(DENIED);
    expect(await postgresAnswer(as("app", `${name}_exchange`), "select 1")).toBe(DENIED);
    expect(await postgresAnswer(as("exchange", `${name}_exchange`), "create table own (id int)")).toBe("done");
  });

  it("a changed password is in force after the next preparation, and the old one is not", async () => {
    const changed = Object.assign(new URL(as("app")), { password: "another" }).href;
    expect(await postgresAnswer(changed, "select 1")).toBe("28P01");
    await prepareRoles({ ...urls(), appUrl: changed });
    expect(await postgresAnswer(changed, "select 1")).toBe("done");
    expect(await postgresAnswer(as("app"), "select 1")).toBe("28P01");
    await prepareRoles(urls());
  });

  it("what a superuser made before there were roles becomes the owner's, and the application works with it", async () => {
    await askPostgres(
      superuserUrl(name),
      `create type "Kind" as enum ('A'); create table "AuditEvent" (kind "Kind"); create table "AuditHead" (id serial, n int);
       create table "_prisma_migrations" (id int); create table "Other" (id int);
       create function said() returns int language sql as 'select 1'`,
    );
    await prepareRoles(urls());
    const client = new pg.Client({ connectionString: as("migrate") });
    await client.connect();
    await client.query('alter table "Other" add column more int');
    await client.query("alter type \"Kind\" add value 'B'");
    await client.query("create or replace function said() returns int language sql as 'select 2'");
    await grantApplication(client, userOf(as("app")));
    // As an earlier version gave it: what is no longer a right is revoked again.
    await client.query(`grant update, truncate on "AuditEvent" to "${name}_app"`);
    await grantApplication(client, userOf(as("app")));
    await client.end();
    expect(await postgresAnswer(as("app"), 'insert into "Other" values (1, 2); select said()')).toBe("done");
    expect(await postgresAnswer(as("app"), `insert into "AuditEvent" values ('A')`)).toBe("done");
    expect(await postgresAnswer(as("app"), `update "AuditEvent" set kind = 'A'`)).toBe(DENIED);
    expect(await postgresAnswer(as("app"), 'truncate "AuditEvent"')).toBe(DENIED);
    expect(await postgresAnswer(as("app"), 'insert into "AuditHead" (n) values (1)')).toBe(DENIED);
  });
});
