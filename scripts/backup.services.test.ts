import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { superuserUrl } from "@/lib/proof/fixtures/every-right.ts";
import {
  allPass,
  buyBracket,
  decide,
  openAccount,
  plannedOrder,
  startBench,
  testContext,
  truthOf,
} from "@/lib/proof/fixtures/orders.ts";
import { comparePractice } from "@/lib/proof/practice/compare-truth.ts";
import { verifyAudit } from "@/lib/server/audit/verify-audit.ts";
import { recordAudit } from "@/lib/server/audit/record-audit.ts";
import { readAnchors } from "@/lib/server/audit/anchors.ts";
import type { Context } from "@/lib/server/context.ts";
import { createDb, type Db } from "@/lib/server/db.ts";
import { env, forgetEnv } from "@/lib/server/env.ts";
import type { Account } from "@/lib/server/core/row-types.ts";
import { closeAccountWriters } from "@/lib/server/core/account-writer.ts";
import { anchorHead } from "@/lib/server/services/audit/anchor-head.ts";
import { setSystemKillState } from "@/lib/server/services/automation/set-kill-state.ts";
import { removeAccount } from "@/lib/server/services/accounts/remove-account.ts";
import { syncOrders } from "@/lib/server/services/accounts/sync-orders.ts";
import { resumeAccount } from "@/lib/server/services/automation/resume-account.ts";
import { forgetPerson } from "@/lib/server/services/erasure/forget-person.ts";
import { keepErasures } from "@/lib/server/services/erasure/keep-erasures.ts";
import { submitPlan } from "@/lib/server/services/orders/submit-plan.ts";
import { recoverAccounts } from "@/lib/server/services/sync/recover-accounts.ts";
import { reconcileAccount } from "@/lib/server/services/sync/reconcile-account.ts";

const work = fs.mkdtempSync(path.join(os.tmpdir(), "tradewind-backup-"));
const databases: string[] = [];
/** Where signed heads and erasures of one story are kept. */
function keepIn(folder: string): void {
  process.env.AUDIT_ANCHOR_FILE = path.join(work, folder, "audit-heads.ndjson");
  forgetEnv();
}

let exchange: Exchange;
let context: Context;
beforeAll(async () => {
  exchange = await startBench();
  context = testContext();
});
afterAll(async () => {
  await closeAccountWriters();
  await exchange.close();
  for (const name of databases) await query(superuserUrl("postgres"), `drop database if exists ${name} with (force)`);
  fs.rmSync(work, { recursive: true });
});

async function query(url: string, sql: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** A new, empty database of the schema's owner; the restore decides what the application may do there. */
async function emptyDatabase(): Promise<{ name: string; owner: string; app: string }> {
  const name = `r_${randomUUID().replaceAll("-", "")}`;
  databases.push(name);
  await query(superuserUrl("postgres"), `create database ${name} owner tradewind_migrate`);
  return { name, owner: inject("owner").replace("DATABASE", name), app: inject("postgres").replace("DATABASE", name) };
}

function run(script: string, args: string[], extra: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${script}.mjs`, ...args], {
    encoding: "utf8",
    // The exchange of these tests keeps nothing in a database. A program that the build of the tests holds need not be read from its source.
    env: { ...process.env, NO_ENV_FILE: "1", BUILD: "test", EXCHANGE_DATABASE_URL: "", ...extra },
  });
  return { status, said: `${stdout}${stderr}` };
}
/** A pattern by itself would match anything in `toMatchObject`. */
const saying = (pattern: RegExp) => expect.stringMatching(pattern) as string;
let backups = 0;
function backUp(extra: Record<string, string> = {}): string {
  const folder = path.join(work, `backups-${(backups += 1)}`);
  expect(run("backup", [folder], extra)).toMatchObject({ status: 0 });
  const [only, ...others] = fs.readdirSync(folder);
  expect(others).toEqual([]);
  return path.join(folder, only!);
}
const restoreInto = (target: { owner: string; app: string }, backup: string, ...args: string[]) =>
  run("restore", [backup, ...args], { MIGRATION_DATABASE_URL: target.owner, DATABASE_URL: target.app });

/** Every row of every table, as text. */
async function rowsOf(url: string): Promise<Map<string, string[]>> {
  const tables = await query(
    url,
    "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> '_prisma_migrations'",
  );
  const rows = new Map<string, string[]>();
  for (const { relname } of tables) {
    const found = await query(url, `select t::text as row from public."${String(relname)}" t order by 1`);
    rows.set(
      String(relname),
      found.map(({ row }) => String(row)),
    );
  }
  return rows;
}

const note = () =>
  context.db.$transaction((tx) =>
    recordAudit(tx, { at: new Date(), eventType: "SIGNED_IN", actor: context.actor, data: { id: randomUUID() } }),
  );

/** A sign-in whose browser shows notifications; one of them waits to be sent. */
async function signIn(userId: string) {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const { id: signInId } = await context.db.signIn.create({ data: { userId, jti: randomUUID(), expiresAt } });
  const browser = {
    userId,
    signInId,
    endpoint: `https://push.example/${signInId}`,
    p256dh: "x",
    auth: "x",
    label: "x",
  };
  const { id: targetId } = await context.db.pushSubscription.create({ data: browser });
  const waiting = { userId, channel: "PUSH" as const, targetId, target: "x", dedupeKey: "x", payload: {} };
  await context.db.delivery.create({ data: waiting });
}

async function erase(account: Account): Promise<void> {
  const { id, userId } = account;
  await context.db.account.update({
    where: { id },
    data: { deletedAt: new Date(), sealedKeys: null, status: "INACTIVE" },
  });
  const entry = { actor: context.actor, subjectUserId: userId, eventType: "USER_ERASED" as const, data: {} };
  await forgetPerson(context, { userId, unusableHash: "x" }, entry);
}

/** As its owner does on the page. */
const remove = ({ id, userId }: Account) =>
  removeAccount({ ...context, actor: { kind: "user", userId, role: "USER", signInId: randomUUID() } }, { id });

/** Something that the market trades beside SPY. */
async function otherSymbol(): Promise<string> {
  const { key_id, secret } = await exchange.control.createAccount();
  const headers = { "APCA-API-KEY-ID": key_id, "APCA-API-SECRET-KEY": secret };
  const assets = await (await fetch(`${exchange.url}/v2/assets?status=active`, { headers })).json();
  return (assets as { symbol: string }[]).find(({ symbol }) => symbol !== "SPY")!.symbol;
}

async function buy(context: Context, account: Account, symbol: string): Promise<void> {
  const decisionId = await decide(context, account, [plannedOrder({ symbol, qty: "3" })]);
  const legs = await submitPlan(context, { decisionId, epoch: 0, regate: allPass });
  expect(legs).toMatchObject([{ status: "LIVE" }]);
  await exchange.control.clock({ advanceMinutes: 1 });
  await reconcileAccount(context, account.id);
}

describe("a backup that is restored after more has happened", () => {
  let [trader, gone, restored]: [Account, Account, Db | null] = [null!, null!, null];
  /** Removed by their owners since: one with shares under their stop, one empty. */
  let [held, empty]: [Account, Account] = [null!, null!];
  let before: Map<string, string[]>;
  let [said, other] = ["", ""];
  let target: Awaited<ReturnType<typeof emptyDatabase>>;

  beforeAll(async () => {
    keepIn("kept");
    trader = await openAccount(context);
    gone = await openAccount(context);
    held = await openAccount(context);
    empty = await openAccount(context);
    await buyBracket(exchange, context, trader);
    await buyBracket(exchange, context, held);
    for (const { userId } of [trader, gone]) await signIn(userId);
    await note();
    await anchorHead(context);
    await keepErasures(context);
    before = await rowsOf(superuserUrl());
    const backup = backUp();

    // What the backup does not know: an erasure, removed accounts, an order with its fill, and events of the chain whose end is signed.
    await erase(gone);
    for (const account of [held, empty]) await remove(account);
    await keepErasures(context);
    other = await otherSymbol();
    await buy(context, trader, other);
    await note();
    await anchorHead(context);

    target = await emptyDatabase();
    const done = restoreInto(target, backup);
    expect(done).toMatchObject({ status: 0 });
    said = done.said;
    restored = createDb(target.app, 2);
  }, 180_000);
  afterAll(() => restored?.$disconnect());

  it("every row is there as it was, but for what had to be settled", async () => {
    const after = await rowsOf(superuserUrl(target.name));
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
    const settled = ["Account", "User", "SignIn", "SubjectKey", "SystemState", "AuditEvent", "AuditHead"];
    settled.push("TradingPreferences", "LogEvent", "Outbox", "Notification", "ProcessBeat");
    // Calls of the practice market are counted beside the tests, every ten seconds.
    settled.push("PushSubscription", "Delivery", "ProviderCall");
    for (const [table, rows] of before) if (!settled.includes(table)) expect(after.get(table), table).toEqual(rows);
    expect(after.get("AuditEvent")).toEqual(expect.arrayContaining(before.get("AuditEvent")!));
    for (const table of ["Order", "Fill", "Lot", "Position", "Intent", "DecisionRecord", "EquityPoint"])
      expect(before.get(table)?.length).toBeGreaterThan(0);
    const inNone = await query(target.owner, 'select "rows"::int from rows_in_no_partition()');
    expect(inNone).toEqual([{ rows: 0 }, { rows: 0 }]);
  });

  it("who was erased since is erased again, and no mail says so a second time", async () => {
    const user = await restored!.user.findUniqueOrThrow({ where: { id: gone.userId } });
    expect(user).toMatchObject({ email: `erased-${gone.userId}@erased.invalid`, firstName: "Erased" });
    expect(user.disabledAt).not.toBeNull();
    expect(await restored!.account.findUniqueOrThrow({ where: { id: gone.id } })).toMatchObject({ sealedKeys: null });
    expect(await restored!.outbox.count({ where: { template: "account-erased" } })).toBe(0);
    expect((await restored!.user.findUniqueOrThrow({ where: { id: trader.userId } })).firstName).toBe("A");
    expect(said).toContain("Erasures of the list: 1, done again: 1.");
  });

  it("no browser is sent a notification: the sign-in in which it was switched on may have been ended since", async () => {
    expect(before.get("PushSubscription")).toHaveLength(2);
    expect(await restored!.pushSubscription.count()).toBe(0);
    const waiting = { deliveredAt: null, failedAt: null };
    expect(await restored!.delivery.count({ where: waiting })).toBe(0);
    expect(await restored!.delivery.count()).toBeGreaterThan(0);
  });

  it("no user is signed in, no account is reconciled, and nothing new is bought", async () => {
    expect(await restored!.signIn.count()).toBe(0);
    expect(await restored!.account.count({ where: { reconciledAt: { not: null } } })).toBe(0);
    expect(await restored!.systemState.findUniqueOrThrow({ where: { id: 1 } })).toMatchObject({
      killState: "NO_NEW_ENTRIES",
    });
  });

  it("the chain is whole, says that it was restored, and is signed on from there; heads of what is lost are kept aside", async () => {
    expect(await verifyAudit(restored!)).toMatchObject({ ok: true });
    expect(await restored!.auditEvent.count({ where: { eventType: "DATABASE_RESTORED" } })).toBe(1);
    expect((await readAnchors()).heads).toEqual([]);
    expect(fs.readdirSync(path.join(work, "kept")).filter((name) => name.includes(".before-"))).toHaveLength(1);
    expect(await anchorHead({ ...context, db: restored! })).not.toBeNull();
    expect(await verifyAudit(restored!, { anchors: (await readAnchors()).heads })).toMatchObject({ ok: true });
  });

  it("the application has its rights and no more", async () => {
    await expect(restored!.$executeRaw`delete from "AuditEvent"`).rejects.toThrow(/permission denied|append/);
  });

  it("the worker reads the broker's books first: an order that is forgotten halts the account, and none is sent twice", async () => {
    const sentBefore = truthOf(exchange, trader).orders.map(({ client_order_id }) => client_order_id);
    const started = { ...context, db: restored! };
    await recoverAccounts(started);
    const account = await restored!.account.findUniqueOrThrow({ where: { id: trader.id } });
    expect(account.reconciledAt).not.toBeNull();
    expect(account.haltReason).toContain("an order with an id of ours that nothing here knows");
    const held = await restored!.position.findMany({ where: { accountId: trader.id }, orderBy: { symbol: "asc" } });
    expect(held.map(({ symbol }) => symbol)).toEqual([other, "SPY"].sort());
    // A person looked: it trades on, from the books of the broker.
    await resumeAccount(started, { id: trader.id, reason: "looked at it" });
    const sent = truthOf(exchange, trader).orders.map(({ client_order_id }) => client_order_id);
    expect(sent.filter((id) => id.startsWith("tw-")).sort()).toEqual(
      sentBefore.filter((id) => id.startsWith("tw-")).sort(),
    );
    // What `npm run reconcile` judges by; here the test follows the accounts, which a worker does otherwise.
    const { accounts } = await comparePractice(started, async (id) => void (await reconcileAccount(started, id)));
    expect(accounts.length).toBeGreaterThan(1);
    for (const { accountNumber, differences, undecided } of accounts)
      expect({ differences, undecided }, accountNumber).toEqual({ differences: [], undecided: null });
  });

  it("an account that its owner removed since stays removed: nothing is bought or sold for it, and what its stops do is booked", async () => {
    expect(said).toContain("Removed accounts of the list: 3, removed again: 2.");
    const of = ({ id }: Account) => restored!.account.findUniqueOrThrow({ where: { id } });
    expect(await of(empty)).toMatchObject({ status: "INACTIVE", keyPrefix: null, sealedKeys: null });
    expect((await of(empty)).deletedAt).not.toBeNull();
    const { deletedAt } = await context.db.account.findUniqueOrThrow({ where: { id: held.id } });
    expect(await of(held)).toMatchObject({ status: "INACTIVE", keyPrefix: null, deletedAt });
    expect((await of(held)).sealedKeys).not.toBeNull();
    const started = { ...context, db: restored! };
    const before = truthOf(exchange, held).orders;
    await syncOrders(started, { accountId: held.id });
    expect((await of(held)).reconciledAt).not.toBeNull();
    expect(truthOf(exchange, held).orders).toEqual(before);
    await setSystemKillState(started, { killState: "NONE", reason: "restored, books looked at" });
    const decisionId = await decide(started, held, [plannedOrder({ symbol: "SPY" })]);
    const { writerEpoch } = await of(held);
    const sent = await submitPlan(started, { decisionId, epoch: writerEpoch, regate: allPass });
    expect(sent).toMatchObject([{ reason: saying(/the account was deleted/) }]);
    expect(truthOf(exchange, held).orders).toEqual(before);
    const told = await restored!.logEvent.findFirstOrThrow({
      where: { accountId: held.id },
      orderBy: { id: "desc" },
    });
    expect(told.message).toContain("The account stays deleted");
  });
});

describe("a restore refuses", () => {
  let backup: string;
  beforeAll(() => {
    keepIn("kept-by-others");
    backup = backUp();
  });

  it("a database that is not empty, and leaves it as it is", async () => {
    const target = await emptyDatabase();
    await query(target.owner, "create table kept (n int); insert into kept values (1)");
    expect(restoreInto(target, backup, "--erasures", "none")).toMatchObject({
      status: 1,
      said: saying(/is not empty/),
    });
    expect(await query(target.owner, "select n from kept")).toEqual([{ n: 1 }]);
  });

  it("a file that was changed, before anything is written", async () => {
    const target = await emptyDatabase();
    const copy = path.join(work, "changed");
    fs.cpSync(backup, copy, { recursive: true });
    fs.appendFileSync(path.join(copy, "public.User.copy.gz"), "x");
    expect(restoreInto(target, copy, "--erasures", "none")).toMatchObject({
      status: 1,
      said: saying(/User is not as it was/),
    });
    expect(await query(target.owner, "select from pg_class where relnamespace = 'public'::regnamespace")).toEqual([]);
  });

  it("to let the application in without a list of erasures, and lets it in once there is one", async () => {
    const target = await emptyDatabase();
    const args = ["--erasures", path.join(work, "nowhere.ndjson")];
    expect(restoreInto(target, backup, ...args)).toMatchObject({
      status: 1,
      said: saying(/start nothing on this database/),
    });
    await expect(query(target.app, 'select from "User"')).rejects.toThrow(/permission denied/);
    const addresses = { MIGRATION_DATABASE_URL: target.owner, DATABASE_URL: target.app };
    expect(run("restore", ["--settle-only", "--erasures", "none"], addresses)).toMatchObject({ status: 0 });
    expect(await query(target.app, 'select from "User"')).not.toEqual([]);
  });

  it("to continue with a chain that is not whole", async () => {
    const target = await emptyDatabase();
    const other = { AUDIT_KEY: "another-audit-key-".repeat(4) };
    const addresses = { MIGRATION_DATABASE_URL: target.owner, DATABASE_URL: target.app };
    const done = run("restore", [backup, "--erasures", "none"], { ...addresses, ...other });
    expect(done).toMatchObject({ status: 1, said: saying(/The audit chain is BROKEN/) });
    await expect(query(target.app, 'select from "User"')).rejects.toThrow(/permission denied/);
  });

  it("a backup of a version that is newer than this one", async () => {
    const copy = path.join(work, "newer");
    fs.cpSync(backup, copy, { recursive: true });
    const file = path.join(copy, "manifest.json");
    const manifest = JSON.parse(fs.readFileSync(file, "utf8")) as { migrations: object[] };
    manifest.migrations.push({ name: "20991231000000_later", checksum: "0" });
    fs.writeFileSync(file, JSON.stringify(manifest));
    const done = restoreInto(await emptyDatabase(), copy, "--erasures", "none");
    expect(done).toMatchObject({ status: 1, said: saying(/lacks the migration 20991231000000_later/) });
  });
});

it("a backup is its owner's alone, names what wrote it, and none is left half made", () => {
  const backup = backUp();
  for (const name of fs.readdirSync(backup)) expect(fs.statSync(path.join(backup, name)).mode & 0o077, name).toBe(0);
  const manifest = JSON.parse(fs.readFileSync(path.join(backup, "manifest.json"), "utf8")) as Record<string, unknown>;
  expect(manifest).toMatchObject({ format: 1, auditHead: { seq: expect.stringMatching(/^\d+$/) } });
  const nowhere = path.join(work, "nowhere");
  const url = env().DATABASE_URL.replace(/[^/]+$/, "no_such_database");
  // The product's rows are written before the market's are asked for.
  expect(run("backup", [nowhere], { EXCHANGE_DATABASE_URL: url })).toMatchObject({
    status: 1,
    said: saying(/No backup was made/),
  });
  expect(fs.readdirSync(nowhere)).toEqual([]);
});

it("the practice market's books go and come with the product's", async () => {
  const [market, target, newMarket] = [await emptyDatabase(), await emptyDatabase(), await emptyDatabase()];
  await query(
    market.owner,
    "create schema exchange; create table exchange.accounts (key text primary key, body jsonb not null)",
  );
  await query(market.owner, `insert into exchange.accounts values ('a', '{"cash": "12.50"}')`);
  const backup = backUp({ EXCHANGE_DATABASE_URL: market.owner });
  const to = { MIGRATION_DATABASE_URL: target.owner, DATABASE_URL: target.app, EXCHANGE_DATABASE_URL: newMarket.owner };
  expect(run("restore", [backup, "--erasures", "none"], to)).toMatchObject({ status: 0 });
  expect(await query(newMarket.owner, "select * from exchange.accounts")).toEqual([
    { key: "a", body: { cash: "12.50" } },
  ]);
});

it("the practice market that npm start runs beside DATABASE_URL is in the backup without being named, and the backup says which databases it holds", async () => {
  const { pathname, username } = new URL(env().DATABASE_URL);
  const product = pathname.slice(1);
  const market = `${product}_exchange`;
  expect(run("backup", [path.join(work, "without")]).said).toContain(`Database: ${product}; no practice market's`);
  databases.push(market);
  await query(superuserUrl("postgres"), `create database ${market} owner ${username}`);
  const url = env().DATABASE_URL.replace(pathname, `/${market}`);
  await query(
    url,
    "create schema exchange; create table exchange.accounts (key text primary key, body jsonb not null)",
  );
  await query(url, `insert into exchange.accounts values ('a', '{"cash": "12.50"}')`);
  const folder = path.join(work, "with");
  expect(run("backup", [folder])).toMatchObject({
    status: 0,
    said: saying(new RegExp(`Databases: ${product} and the practice market's, ${market}\\.`)),
  });
  const [backup] = fs.readdirSync(folder);
  const manifest = fs.readFileSync(path.join(folder, backup!, "manifest.json"), "utf8");
  expect(JSON.parse(manifest)).toMatchObject({
    databases: [{ schema: "public" }, { schema: "exchange", tables: [{ name: "accounts", rows: 1 }] }],
  });
  await query(superuserUrl("postgres"), `drop database ${market}`);
});

it("beside an npm start without a practice market of its own the backup holds the product's database alone", () => {
  const dataDir = fs.mkdtempSync(path.join(work, "running-"));
  const databaseUrl = env().DATABASE_URL;
  const market = new URL(databaseUrl);
  market.pathname = `${market.pathname}_exchange`;
  const internal = { databaseUrl, exchangeDatabaseUrl: market.href, settings: { EXCHANGE_DATABASE_URL: "" } };
  fs.writeFileSync(path.join(dataDir, "run.json"), JSON.stringify({ internal }));
  // From a shell that does not have the start's settings.
  const beside = { DATABASE_URL: "", DATA_DIR: dataDir };
  expect(run("backup", [path.join(dataDir, "backups")], beside)).toMatchObject({
    status: 0,
    said: saying(/no practice market's was found/),
  });
  // One that was named is not left out in silence.
  internal.settings.EXCHANGE_DATABASE_URL = market.href;
  fs.writeFileSync(path.join(dataDir, "run.json"), JSON.stringify({ internal }));
  expect(run("backup", [path.join(dataDir, "backups")], beside)).toMatchObject({
    status: 1,
    said: saying(/No backup was made/),
  });
});

it("where the practice market never ran, its empty database is backed up and restored as empty", async () => {
  const [market, target, newMarket] = [await emptyDatabase(), await emptyDatabase(), await emptyDatabase()];
  const backup = backUp({ EXCHANGE_DATABASE_URL: market.owner });
  const to = { MIGRATION_DATABASE_URL: target.owner, DATABASE_URL: target.app, EXCHANGE_DATABASE_URL: newMarket.owner };
  expect(run("restore", [backup, "--erasures", "none"], to)).toMatchObject({ status: 0 });
  expect(await query(newMarket.owner, "select from pg_namespace where nspname = 'exchange'")).toEqual([]);
  expect(await query(target.app, 'select from "User"')).not.toEqual([]);
});

it("a backup from before the migrations were squashed into one goes into the schema that they made", async () => {
  const backup = backUp();
  const file = path.join(backup, "manifest.json");
  const manifest = JSON.parse(fs.readFileSync(file, "utf8")) as { migrations: { name: string; checksum: string }[] };
  const migrations = manifest.migrations.flatMap((migration) => {
    const list = path.join("prisma/migrations", migration.name, "replaces.txt");
    if (!fs.existsSync(list)) return [migration];
    return fs
      .readFileSync(list, "utf8")
      .trim()
      .split("\n")
      .map((name) => ({ name, checksum: "x" }));
  });
  expect(migrations.length).toBeGreaterThan(manifest.migrations.length);
  fs.writeFileSync(file, JSON.stringify({ ...manifest, migrations }));
  const target = await emptyDatabase();
  expect(restoreInto(target, backup, "--erasures", "none")).toMatchObject({ status: 0 });
  expect(await query(target.app, 'select from "SystemState"')).not.toEqual([]);
});

it("an option is no folder for a backup: it is refused and nothing is made", () => {
  expect(run("backup", ["--help"])).toMatchObject({ status: 1, said: saying(/No backup was made: Usage:/) });
  expect(fs.existsSync("--help")).toBe(false);
});

it("a settling that failed halfway is finished by the next one, though heads of events that are lost were signed", async () => {
  keepIn("halfway");
  const gone = await openAccount(context);
  await note();
  const behind = backUp();
  // Events that the backup lacks: each one's head is signed, and the list names who was erased.
  for (let lost = 0; lost < 2; lost += 1) {
    await note();
    await anchorHead(context);
  }
  await erase(gone);
  await keepErasures(context);
  const target = await emptyDatabase();
  expect(restoreInto(target, behind, "--erasures", path.join(work, "nowhere.ndjson"))).toMatchObject({ status: 1 });
  await query(
    target.owner,
    `create function fail() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$;
     create trigger fail before insert on "AuditEvent" for each row when (new."eventType" = 'USER_ERASED') execute function fail()`,
  );
  const addresses = { MIGRATION_DATABASE_URL: target.owner, DATABASE_URL: target.app };
  const settle = () => run("restore", ["--settle-only"], addresses);
  expect(settle()).toMatchObject({ status: 1, said: saying(/the disk is full/) });
  await query(target.owner, `drop trigger fail on "AuditEvent"; drop function fail`);
  expect(settle()).toMatchObject({ status: 0, said: saying(/done again: 1\./) });
}, 180_000);
