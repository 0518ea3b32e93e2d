/** An installation that has decisions and points of equity gets partitions: nothing is copied, nothing is lost. */
import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import type pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { askPostgres, postgresAnswer } from "../lib/proof/fixtures/ask-postgres.ts";
import { newId } from "../lib/server/core/new-id.ts";
import { migrate } from "./migrate.mjs";

const MIGRATION = "20261126100000_partitions";
const EARLIER = readdirSync("prisma/migrations").filter((each) => /^\d{14}_/.test(each) && each < MIGRATION);
const name = `p_${randomBytes(8).toString("hex")}`;
const urlOf = (role: "superuser" | "owner" | "postgres", database = name) =>
  inject(role).replace(/DATABASE$/, database);
const userOf = (url: string) => new URL(url).username;

const ask = <Row extends pg.QueryResultRow>(sql: string, url = urlOf("postgres")) => askPostgres<Row>(url, sql);
const answerOf = (sql: string) => postgresAnswer(urlOf("postgres"), sql);
const [UNIQUE, REFERENCE, CHECK, APPEND_ONLY, NO_SUCH_KEY] = ["23505", "23503", "23514", "23001", "42P10"];

const account = randomUUID();
/** Decided some seconds after its cycle was made, in the next month: ids had a time of their own. */
const cycle = newId(new Date("2026-09-30T23:59:58Z"));
const decision = newId(new Date("2026-10-01T00:00:02Z"));
const intent = randomUUID();

const decided = (id: string, cycleId: string, conflict = "") => `
  insert into "DecisionRecord" ("id", "cycleId", "accountId", "engineVersion", "policyVersion", "snapshotId", "inputHash", "accountState",
    "plan", "outputHash", "line", "decidedAt")
  values ('${id}', '${cycleId}', '${account}', '1', 'p', 's', 'x', '{}', '{"counts": {}}', 'x', 'l', '2026-09-30T23:59:00Z') ${conflict}`;
const intended = (id: string, decisionId: string) => `
  insert into "Intent" ("id", "accountId", "decisionId", "planId", "leg", "clientOrderId", "purpose", "reason", "symbol", "side", "type",
    "timeInForce", "qty", "decisionPrice", "decidedAt", "updatedAt")
  values ('${id}', '${account}', '${decisionId}', '${id}', 0, '${id}', 'ENTRY', 'r', '${id.slice(0, 8)}', 'BUY', 'MARKET', 'day', 1, 1, now(), now())`;
const points = (...days: string[]) =>
  `insert into "EquityPoint" ("accountId", "at", "sessionDate", "equity", "netDeposits") values ${days
    .map((day) => `('${account}', '${day}', '${day}', 100, 90)`)
    .join(", ")}`;
const cycleAt = (id: string, at: string) =>
  `insert into "Cycle" ("id", "market", "startedAt", "sessionDate") values ('${id}', 'US', '${at}', '${at}')`;

const EVERYTHING = `
  select (select jsonb_agg(d) from (select * from "DecisionRecord" order by "id") d) as "decisions",
    (select jsonb_agg(e) from (select * from "EquityPoint" order by "at") e) as "points",
    -- Without the column that a later migration adds.
    (select jsonb_agg(to_jsonb(i) - 'atr') from "Intent" i) as "intents"`;
let before: unknown;

beforeAll(async () => {
  await ask(`create database ${name} owner "${userOf(urlOf("owner"))}"`, urlOf("superuser", "postgres"));
  const earlier: object = { only: EARLIER, appRole: userOf(urlOf("postgres")) };
  await migrate(urlOf("owner"), earlier);
  await ask(`
    insert into "User" ("id", "email", "firstName", "lastName", "passwordHash") values ('${account}', 'a@example.com', 'a', 'b', 'x');
    insert into "Account" ("id", "userId", "broker", "market", "brokerAccountId", "sealedKeys")
      values ('${account}', '${account}', 'ALPACA', 'US', 'x', 'x');
    insert into "PolicyVersion" ("version", "content") values ('p', '{}');
    insert into "MarketSnapshot" ("id", "market", "asOf", "content") values ('s', 'US', now(), '{}');
    ${cycleAt(cycle, "2026-09-30T23:59:00Z")}; ${decided(decision, cycle)}; ${intended(intent, decision)};
    ${points("2020-01-02", "2026-11-20", "2031-05-05")}`);
  before = await ask(EVERYTHING);
  // As `prisma migrate deploy` would: nothing grants rights afterwards.
  expect(await migrate(urlOf("owner"), { appRole: userOf(urlOf("owner")) })).toContain(MIGRATION);
});
afterAll(() => ask(`drop database if exists ${name} with (force)`, urlOf("superuser", "postgres")));

it("every row is there, and the application reads and writes as before", async () => {
  expect(await ask(EVERYTHING)).toEqual(before);
  const [next, other] = [newId(new Date()), newId(new Date(Date.now() + 40 * 86_400_000))];
  await ask(`${cycleAt(next, "2026-11-26T15:00:00Z")}; ${cycleAt(other, "2026-11-26T15:05:00Z")}`);
  for (const made of [next, other]) {
    const id = newId(new Date(Number.parseInt(made.replace("-", "").slice(0, 12), 16)));
    expect(await answerOf(decided(id, made, "on conflict do nothing"))).toBe("done");
    expect(await answerOf(intended(randomUUID(), id))).toBe("done");
  }
  expect(await answerOf(points("2026-11-21", "2032-01-01", "2040-01-01"))).toBe("done");
  expect(await answerOf(`update "EquityPoint" set "netDeposits" = 95 where "at" = '2031-05-05'`)).toBe("done");
});

it("a cycle from before decides no second time, whatever time the id has", async () => {
  const ofCycle = newId(new Date("2026-09-30T23:59:58Z"));
  expect(await answerOf(decided(ofCycle, cycle))).toBe(UNIQUE);
  expect(await answerOf(decided(newId(new Date()), cycle))).toBe(UNIQUE);
  expect(await answerOf(decided(newId(new Date(Date.now() + 40 * 86_400_000)), cycle))).toBe(CHECK);
  expect(await ask(`${decided(ofCycle, cycle, "on conflict do nothing")} returning "id"`)).toEqual([]);
});

it("keys, references and what may not be changed hold for rows from before", async () => {
  expect(await answerOf(points("2020-01-02"))).toBe(UNIQUE);
  expect(await answerOf(intended(randomUUID(), randomUUID()))).toBe(REFERENCE);
  expect(await answerOf(decided(newId(new Date()), newId(new Date())))).toBe(REFERENCE);
  expect(await answerOf(`update "DecisionRecord" set "line" = 'x' where "id" = '${decision}'`)).toBe(APPEND_ONLY);
  // Restricted: its code depends on the version of Postgres.
  expect([REFERENCE, APPEND_ONLY]).toContain(await answerOf(`delete from "MarketSnapshot" where "id" = 's'`));
});

it("a version from before records no decision: it is refused, and doubles none", async () => {
  const count = async () => (await ask<{ n: string }>(`select count(*) as n from "DecisionRecord"`))[0]?.n;
  const had = await count();
  const made = newId(new Date());
  await ask(cycleAt(made, "2026-11-26T15:10:00Z"));
  const earlier = decided(made, made, `on conflict ("cycleId", "accountId") do nothing`);
  expect(await answerOf(earlier)).toBe(NO_SUCH_KEY);
  expect(await count()).toBe(had);
});

it("erasing the account takes its rows along, of all partitions", async () => {
  await ask(`delete from "Intent"; delete from "Account"`);
  expect(await ask(EVERYTHING)).toEqual([{ decisions: null, points: null, intents: null }]);
});
