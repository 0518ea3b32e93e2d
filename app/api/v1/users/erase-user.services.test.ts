import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import pg from "pg";
import { recordAudit } from "@/lib/server/audit/record-audit.ts";
import { withPersonal } from "@/lib/server/audit/personal.ts";
import { verifyAudit } from "@/lib/server/audit/verify-audit.ts";
import { db, type Tx } from "@/lib/server/db.ts";
import { env, forgetEnv } from "@/lib/server/env.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { startBench } from "@/lib/proof/fixtures/orders.ts";
import { FACTORY_PASSWORD, makeAccount, makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import * as practiceDoor from "../accounts/practice/route.ts";
import * as loginDoor from "../auth/login/route.ts";
import * as meDoor from "../auth/me/route.ts";
import * as registerDoor from "../auth/register/route.ts";
import { callDoor, type Call, type CallResult } from "@/lib/proof/call-door.ts";
import { makePerson, tokenOf } from "@/lib/proof/principals/people.ts";
import { closeRows, openRows } from "@/lib/proof/principals/rows.ts";
import * as door from "./me/erase/route.ts";

let exchange: Exchange;
/** A broker that can be unreachable, and otherwise knows no keys. */
let isUnreachable = true;
const alpaca = createServer((request, response) => {
  if (isUnreachable) request.socket.destroy();
  else response.writeHead(403, { "content-type": "application/json" }).end('{"message":"forbidden."}');
});

beforeAll(async () => {
  exchange = await startBench();
  alpaca.listen(0, "127.0.0.1");
  await once(alpaca, "listening");
  const { port } = alpaca.address() as AddressInfo;
  Object.assign(process.env, { LOG_LEVEL: "error", ALPACA_PAPER_URL: `http://127.0.0.1:${port}` });
  forgetEnv();
  await openRows();
  // So that the others are not the only administrator.
  await makeUser(db(), { role: "ADMIN" });
});
afterAll(async () => {
  await closeRows();
  await exchange.close();
  alpaca.close();
});

const BODY = { password: FACTORY_PASSWORD, confirmation: "DELETE" };
const erase = (token: string | undefined, call: Call = {}) =>
  callDoor(door, "POST", { body: BODY, ...(token === undefined ? {} : { token }), ...call });
const row = (id: string) => db().user.findUniqueOrThrow({ where: { id } });
const eventsOf = (id: string) => db().auditEvent.findMany({ where: { subjectUserId: id }, orderBy: { seq: "asc" } });

it.each<[string, number, string, Call]>([
  ["a wrong password", 400, "Your password is not correct.", { body: { ...BODY, password: "Wrong-Horse-1" } }],
  ["no password", 400, "Enter your password.", { body: { ...BODY, password: "" } }],
  ["no confirmation", 400, "Type DELETE to confirm.", { body: { password: FACTORY_PASSWORD } }],
  ["another word", 400, "Type DELETE to confirm.", { body: { ...BODY, confirmation: "delete" } }],
  ["another user's id", 400, "Unknown field: userId.", { body: { ...BODY, userId: "x" } }],
])("%s answers %d and erases nothing", async (_, status, error, call) => {
  const user = await makeUser(db());
  const answer = await erase(await makeSignIn(db(), user), call);
  expect(answer).toMatchObject({ status, json: { error } });
  expect(await row(user.id)).toMatchObject({ email: user.email, disabledAt: null, automationPausedAt: null });
});

it("what an administrator asked for ends with their erasure, and so does what was asked about them; others' requests stay", async () => {
  const [admin, other] = [await makeUser(db(), { role: "ADMIN" }), await makeUser(db(), { role: "ADMIN" })];
  const at = { fingerprint: "f", requestedAt: new Date(), expiresAt: new Date(Date.now() + 3_600_000) };
  const request = (kind: "ACTIVATE_POLICY" | "MAKE_ADMINISTRATOR", subject: string, by: string) => ({
    ...{ kind, subject, requestedById: by, ...at },
  });
  await db().pendingApproval.deleteMany();
  await db().pendingApproval.createMany({
    data: [
      request("ACTIVATE_POLICY", "2.9.7", admin.id),
      request("MAKE_ADMINISTRATOR", admin.id, other.id),
      request("ACTIVATE_POLICY", "2.9.8", other.id),
    ],
  });
  expect((await erase(await makeSignIn(db(), admin))).status).toBe(200);
  expect(await db().pendingApproval.findMany()).toMatchObject([{ subject: "2.9.8", requestedById: other.id }]);
});

it("without a sign-in no user is erased, and the address answers no other method", async () => {
  expect((await erase(undefined)).status).toBe(401);
  expect((await callDoor(door, "GET")).status).toBe(405);
});

it("a wrong password is on record", async () => {
  const user = await makeUser(db());
  await erase(await makeSignIn(db(), user), { body: { ...BODY, password: "Wrong-Horse-1" } });
  expect((await eventsOf(user.id)).map(({ eventType }) => eventType)).toEqual(["USER_ERASURE_REFUSED"]);
});

it("the only administrator is not erased", async () => {
  const admin = await makeUser(db(), { role: "ADMIN" });
  await onlyAdministrators([admin]);
  const answer = await erase(await makeSignIn(db(), admin));
  expect(answer).toMatchObject({
    status: 409,
    json: { error: expect.stringContaining("only administrator") as string },
  });
  await makeUser(db(), { role: "ADMIN" });
  expect((await erase(await makeSignIn(db(), admin))).status).toBe(200);
  expect(await row(admin.id)).toMatchObject({ role: "USER" });
});

/** Erases them at once: all have been checked, and wait for their rows, before the first goes on. `then` happens meanwhile. */
async function eraseAtOnce(
  users: MadeUser[],
  then: (tx: Tx) => Promise<unknown> = () => Promise.resolve(),
): Promise<CallResult[]> {
  const tokens = await Promise.all(users.map((user) => makeSignIn(db(), user)));
  let answers: Promise<CallResult>[] = [];
  const waiting = () => db().$queryRaw<unknown[]>`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await db().$transaction(
    async (tx) => {
      const ids = users.map(({ id }) => id);
      await tx.$queryRaw`select 1 from "User" where "id" = any(${ids}::uuid[]) order by "id" for no key update`;
      answers = tokens.map((token) => erase(token));
      await expect.poll(waiting, { timeout: 10_000, interval: 20 }).toHaveLength(users.length);
      await then(tx);
    },
    { timeout: 15_000 },
  );
  return Promise.all(answers);
}

const onlyAdministrators = (users: MadeUser[]) =>
  db().user.updateMany({
    where: { role: "ADMIN", disabledAt: null, id: { notIn: users.map(({ id }) => id) } },
    data: { disabledAt: new Date() },
  });

it("of the last two administrators who erase themselves at once one stays", async () => {
  const pair = [await makeUser(db(), { role: "ADMIN" }), await makeUser(db(), { role: "ADMIN" })];
  await onlyAdministrators(pair);
  const answers = await eraseAtOnce(pair);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused).toMatchObject({ json: { error: expect.stringContaining("only administrator") as string } });
  expect(await db().user.count({ where: { role: "ADMIN", disabledAt: null } })).toBe(1);
  await makeUser(db(), { role: "ADMIN" });
});

it("an administrator who becomes the last one while they erase themselves stays", async () => {
  const [one, other] = [await makeUser(db(), { role: "ADMIN" }), await makeUser(db(), { role: "ADMIN" })];
  await onlyAdministrators([one, other]);
  const [answer] = await eraseAtOnce([one], (tx) =>
    tx.user.update({ where: { id: other.id }, data: { disabledAt: new Date() } }),
  );
  expect(answer).toMatchObject({ status: 409 });
  expect(await row(one.id)).toMatchObject({ role: "ADMIN", disabledAt: null });
  await makeUser(db(), { role: "ADMIN" });
});

/** What is kept without a person: trades and how they came about, and the facts of the audit trail. */
const HISTORY = new Set(
  `AppliedCorporateAction AuditEvent CashFlow DecisionRecord EquityPoint Fill GateVerdict Intent InvariantCheck Lot LotClosure ManualOrder
  Order OwedStop Position QuarantinedActivity Reconciliation RotationLeg RoundTrip Schedule TradeTotals`.split(/\s+/),
);

/** Every table in which a text stands, the way it stands there. */
async function tablesWith(text: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: env().DATABASE_URL });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_name !~ '^_'",
    );
    const found: string[] = [];
    for (const { name } of tables.rows) {
      const { rowCount } = await client.query(`select 1 from "${name}" t where t::text ilike $1 limit 1`, [
        `%${text}%`,
      ]);
      if (rowCount) found.push(name);
    }
    return found.sort();
  } finally {
    await client.end();
  }
}

it("of an erased person no table tells who it was, and the trades, the chain and all other users are as before", async () => {
  const person = await makePerson("user");
  const bystander = await makePerson("other");
  const { data } = (await eventsOf(person.userId))[0]!;
  await db().$transaction((tx) =>
    recordAudit(tx, {
      at: new Date(),
      eventType: "AUTOMATION_PAUSED",
      actor: { kind: "anonymous" },
      subjectUserId: person.userId,
      ipAddress: `${person.mark}-address`,
      data: {},
      personal: { reason: `${person.mark} typed this` },
    }),
  );
  const before = await tablesWith(person.mark);
  for (const table of [
    "User",
    "Account",
    "Outbox",
    "LogEvent",
    "SignIn",
    "TotpFactor",
    "Passkey",
    "RecoveryCode",
    "AuthChallenge",
    "Notification",
    "Order",
  ])
    expect(before).toContain(table);
  const untouched = await tablesWith(bystander.mark);
  const orders = await db().order.findMany({ where: { accountId: person.accountId } });
  expect(orders.length).toBeGreaterThan(0);

  expect(await erase(await tokenOf(person))).toMatchObject({ status: 200, json: { success: true } });

  // One mail says so; its row goes once it is sent (send-due-mails.services.test.ts).
  const farewell = { recipient: person.email, template: "account-erased" };
  expect(await db().outbox.findMany({ where: { recipient: person.email } })).toMatchObject([
    { ...farewell, userId: null, sentAt: null },
  ]);
  await db().outbox.deleteMany({ where: farewell });
  expect((await tablesWith(person.mark)).filter((table) => !HISTORY.has(table))).toEqual([]);
  expect(await tablesWith(person.email)).toEqual([]);
  expect(await tablesWith(bystander.mark)).toEqual(untouched);
  expect(await db().order.findMany({ where: { accountId: person.accountId } })).toEqual(orders);
  expect(await db().account.findUniqueOrThrow({ where: { id: person.accountId } })).toMatchObject({
    sealedKeys: null,
    keyPrefix: null,
    name: null,
    status: "INACTIVE",
    brokerAccountId: `erased:${person.accountId}`,
  });
  const events = await eventsOf(person.userId);
  expect(events.map(({ eventType }) => eventType)).toEqual(
    expect.arrayContaining(["USER_ERASURE_STARTED", "ACCOUNT_REMOVED", "USER_ERASED"]) as string[],
  );
  expect(events[0]).toMatchObject({ data });
  const opened = await withPersonal(db(), events);
  expect(opened.map(({ ipAddress }) => ipAddress).filter((address) => address !== null)).toEqual([]);
  expect(opened.find(({ eventType }) => eventType === "AUTOMATION_PAUSED")).toMatchObject({
    personal: null,
    closed: "erased",
  });
  expect(await verifyAudit(db())).toMatchObject({ ok: true });
});

it("an erased person is signed out everywhere, cannot sign in again, and the address is free again", async () => {
  const user = await makeUser(db());
  const [token, elsewhere] = [await makeSignIn(db(), user), await makeSignIn(db(), user)];
  const answer = await erase(token);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("set-cookie")).toMatch(/session-token=;.*Max-Age=0/);
  for (const old of [token, elsewhere]) expect((await callDoor(meDoor, "GET", { token: old })).status).toBe(401);
  expect((await erase(token)).status).toBe(401);
  for (const email of [user.email, (await row(user.id)).email]) {
    const attempt = await callDoor(loginDoor, "POST", { body: { email, password: FACTORY_PASSWORD } });
    expect(attempt.status).toBe(401);
  }
  const again = { email: user.email, password: "Another-Horse-1", firstName: "Ada", lastName: "Again" };
  expect((await callDoor(registerDoor, "POST", { body: again })).status).toBe(200);
});

it("an erasure that breaks off leaves automation off and the sign-in on, and the same call finishes it", async () => {
  const user = await makeUser(db());
  const first = await makeAccount(db(), user.id);
  const second = await makeAccount(db(), user.id, { broker: "ALPACA" });
  await db().account.update({ where: { id: first.id }, data: { createdAt: new Date(0) } });
  const token = await makeSignIn(db(), user);
  const broken = await erase(token);
  expect(broken).toMatchObject({ status: 503, json: { error: expect.stringContaining("try again") as string } });
  expect(broken.headers.get("retry-after")).toBe("10");
  const held = await row(user.id);
  expect(held).toMatchObject({ email: user.email, disabledAt: null });
  expect(held.automationPausedAt).not.toBeNull();
  expect(await db().account.findUniqueOrThrow({ where: { id: second.id } })).toMatchObject({ deletedAt: null });

  isUnreachable = false;
  expect((await erase(token)).status).toBe(200);
  expect(await db().account.count({ where: { userId: user.id, deletedAt: null } })).toBe(0);
  expect(await row(user.id)).toMatchObject({ email: `erased-${user.id}@erased.invalid` });
  expect((await eventsOf(user.id)).filter(({ eventType }) => eventType === "ACCOUNT_REMOVED")).toHaveLength(2);
});

it("keys that no longer open keep no user from being erased", async () => {
  const user = await makeUser(db());
  const account = await makeAccount(db(), user.id);
  const other = await db().account.findFirstOrThrow({ where: { id: { not: account.id }, sealedKeys: { not: null } } });
  await db().account.update({ where: { id: account.id }, data: { sealedKeys: other.sealedKeys } });
  expect((await erase(await makeSignIn(db(), user))).status).toBe(200);
});

it("called many times at once, a person is erased once and no account is added meanwhile", async () => {
  const user = await makeUser(db());
  await makeAccount(db(), user.id);
  const token = await makeSignIn(db(), user);
  const erasing = Array.from({ length: 4 }, () => erase(token));
  const adding = Array.from({ length: 3 }, () => callDoor(practiceDoor, "POST", { token, body: {} }));
  const erased = (await Promise.all(erasing)).map(({ status }) => status);
  await Promise.all(adding);
  expect(erased.filter((status) => ![200, 401, 409].includes(status))).toEqual([]);
  if (!erased.includes(200)) expect((await erase(token)).status).toBe(200);
  expect((await row(user.id)).disabledAt).not.toBeNull();
  expect(await db().account.count({ where: { userId: user.id, deletedAt: null } })).toBe(0);
  expect((await eventsOf(user.id)).filter(({ eventType }) => eventType === "USER_ERASED")).toHaveLength(1);
  expect(await verifyAudit(db())).toMatchObject({ ok: true });
});
