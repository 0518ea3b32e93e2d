import { createHash } from "node:crypto";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CSV_START } from "@/lib/domain/csv.ts";
import { db, Prisma } from "@/lib/server/db.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import { makePerson, tokenOf, type Person } from "@/lib/proof/principals/people.ts";
import { closeRows, neverShown, openRows } from "@/lib/proof/principals/rows.ts";
import * as door from "./me/export/route.ts";

let [person, other] = [] as unknown as [Person, Person];

beforeAll(async () => {
  await openRows();
  [person, other] = [await makePerson("user"), await makePerson("other")];
});
afterAll(() => closeRows());

async function send(token?: string, method: "GET" | "HEAD" | "POST" = "GET"): Promise<Response> {
  const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` });
  const request = new Request("http://localhost/api/v1/users/me/export", { method, headers });
  return door[method](request, { params: Promise.resolve({}) });
}

async function files(response: Response): Promise<Record<string, string>> {
  const unpacked = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return Object.fromEntries(Object.entries(unpacked).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

const holds = () => db().exportHold.count();

it("all of the user's own data comes as a zip that is kept as a file, with a manifest of hashes, and nothing of another user", async () => {
  const bystander = await db().user.update({ where: { id: person.userId }, data: { bio: '=HYPERLINK("http://x")' } });
  expect(bystander.id).toBe(person.userId);
  const response = await send(await tokenOf(person));
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "application/zip",
    "content-disposition": expect.stringMatching(
      /^attachment; filename="tradewind-data-\d{4}-\d\d-\d\d\.zip"$/,
    ) as string,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  const { "manifest.json": manifest = "", ...found } = await files(response);
  const everything = Object.values(found).join("\n").toLowerCase();
  for (const of of [
    "User.email",
    "Account.name",
    "LogEvent.message",
    "Notification.title",
    "Order.symbol",
    "Intent.reason",
  ]) {
    const [canary] = [...person.fields].find(([, field]) => field === of) ?? [];
    expect(everything, of).toContain(canary);
  }
  expect(everything).not.toContain(other.mark);
  for (const secret of await neverShown()) expect(everything.includes(secret.toLowerCase()), secret).toBe(false);
  expect(found["profile.csv"]).toContain(`"'=HYPERLINK(""http://x"")"`);
  expect(found["authenticator-app.csv"]).toMatch(new RegExp(`^userId,createdAt,confirmedAt\r\n"?${person.userId}`));
  expect(found["passkeys.csv"]).toMatch(/^id,userId,transports,name,createdAt,lastUsedAt\r\n/);
  expect(found["recovery-codes.csv"]).toMatch(/^id,userId,createdAt,usedAt\r\n/);
  expect(found["activity.csv"]).toContain("DATA_EXPORTED");
  const { files: listed, userId } = JSON.parse(manifest) as {
    files: { name: string; sha256: string }[];
    userId: string;
  };
  expect(userId).toBe(person.userId);
  // The mark that begins each file that holds something is no part of the decoded text.
  const hashOf = (text: string) =>
    createHash("sha256")
      .update(text === "" ? "" : `${CSV_START}${text}`)
      .digest("hex");
  expect(Object.fromEntries(listed.map(({ name, sha256 }) => [name, sha256]))).toEqual(
    Object.fromEntries(Object.entries(found).map(([name, text]) => [name, hashOf(text)])),
  );
});

/** Tables that hold something of a person or of an account, and the file of the export that they are in. */
const EXPORTED: Record<string, string> = {
  User: "profile",
  TradingPreferences: "trading-preferences",
  NotificationPreferences: "notification-preferences",
  Webhook: "webhook",
  PushSubscription: "push-browsers",
  SignIn: "sign-ins",
  TotpFactor: "authenticator-app",
  Passkey: "passkeys",
  AccessToken: "access-tokens",
  RecoveryCode: "recovery-codes",
  Account: "accounts",
  Position: "positions",
  Intent: "decisions",
  Order: "orders",
  Fill: "fills",
  RoundTrip: "round-trips",
  CashFlow: "cash-flows",
  EquityPoint: "equity",
  Backtest: "backtests",
  BacktestGrid: "backtest-grids",
  SettingsPreview: "settings-preview",
  Notification: "notifications",
  Delivery: "deliveries",
  InsightText: "insight-texts",
  LogEvent: "logs",
  ManualOrder: "orders-by-hand",
  AuditEvent: "activity",
};
const FLEETING = "it lasts for minutes, and says nothing that another file does not";
const WORK = "the product's own work on an account, worked out from what is exported";
const ANOTHERS = "work of administrators, whose acts are in their activity";
/** Tables that are not, and why. */
const LEFT_OUT: Record<string, string> = {
  ConcealedRegistration: FLEETING,
  AuthChallenge: FLEETING,
  BrokerAuthorization: FLEETING,
  EmailToken: FLEETING,
  ExportHold: FLEETING,
  RequestBudget: FLEETING,
  StreamState: FLEETING,
  Schedule: FLEETING,
  Outbox: "mails on their way; what they say is in notifications and activity",
  SubjectKey: "a key, which is never read",
  AccountFigures: "the newest row of equity",
  Lot: WORK,
  TradeTotals: WORK,
  OwedStop: WORK,
  AppliedCorporateAction: WORK,
  QuarantinedActivity: WORK,
  Reconciliation: WORK,
  InvariantCheck: WORK,
  RotationLeg: WORK,
  DecisionRecord: "what the engine saw, most of it the market that all accounts share; what it decided is in decisions",
  RotationPlan: ANOTHERS,
  PolicyVersion: ANOTHERS,
  PolicyActivation: ANOTHERS,
  WhatIf: ANOTHERS,
  PendingApproval: ANOTHERS,
};
const NAMES_A_PERSON = /^(email|recipient|accountId|\w*[uU]serId|\w+edById)$/;

it("every table that names a person or an account is in the export with its rows, or it is said why not", async () => {
  const columnsOf = Prisma as unknown as Record<string, Record<string, string>>;
  const named = Object.keys(Prisma.ModelName).filter((model) =>
    Object.keys(columnsOf[`${model}ScalarFieldEnum`]!).some((column) => NAMES_A_PERSON.test(column)),
  );
  expect(named.sort()).toEqual([...Object.keys(EXPORTED), ...Object.keys(LEFT_OUT)].sort());
  const { "manifest.json": _, ...found } = await files(await send(await tokenOf(person)));
  expect(Object.keys(found).sort()).toEqual(
    Object.values(EXPORTED)
      .map((name) => `${name}.csv`)
      .sort(),
  );
  // The person has a row in every table.
  for (const [model, name] of Object.entries(EXPORTED))
    expect(found[`${name}.csv`]!.trim().split("\r\n").length, model).toBeGreaterThan(1);
});

it("a table without rows has its header", async () => {
  const newcomer = await makeUser(db());
  const { "manifest.json": _, ...found } = await files(await send(await makeSignIn(db(), newcomer)));
  expect(found["positions.csv"]).toMatch(/^accountId,symbol,qty,.*openedAt.*\r\n$/);
  for (const [name, text] of Object.entries(found)) {
    if (!/^(profile|(trading|notification)-preferences)/.test(name))
      expect(text.split("\r\n")[0], name).toMatch(/^\w+,\w+/);
    expect(text, name).not.toMatch(/sealedKeys|jti|passwordHash/);
  }
});

it("a table longer than a page is in it once and whole", async () => {
  const long = await makePerson("user");
  const lines = Array.from({ length: 2_345 }, (_, n) => ({
    level: "info" as const,
    message: `line ${n}`,
    userId: long.userId,
  }));
  await db().logEvent.createMany({ data: lines });
  const points = Array.from({ length: 1_234 }, (_, n) => ({
    accountId: long.accountId,
    at: new Date(Date.UTC(2020, 0, 1) + n * 60_000),
    sessionDate: new Date(Date.UTC(2020, 0, 1)),
    equity: `${n}.5`,
    netDeposits: "0",
  }));
  await db().equityPoint.createMany({ data: points });
  const { "logs.csv": logs = "", "equity.csv": equity = "" } = await files(await send(await tokenOf(long)));
  const messages = logs.split("\r\n").flatMap((line) => /line \d+/.exec(line)?.[0] ?? []);
  expect(messages).toEqual(lines.map(({ message }) => message));
  const equities = equity.split("\r\n").flatMap((line) => /,(\d+\.5),/.exec(line)?.[1] ?? []);
  expect(equities).toEqual(points.map((point) => point.equity));
});

it("one export at a time per person: the second waits for the first to be read or left", async () => {
  const first = await send(await tokenOf(person));
  expect(first.status).toBe(200);
  const second = await send(await tokenOf(person));
  expect(second.status).toBe(409);
  expect(await second.json()).toMatchObject({ success: false, code: "conflict" });
  const others = await send(await tokenOf(other));
  expect(others.status).toBe(200);
  await others.body?.cancel();
  await first.arrayBuffer();
  expect(await holds()).toBe(0);
  const third = await send(await tokenOf(person));
  expect(third.status).toBe(200);
  await third.body?.cancel();
  expect(await holds()).toBe(0);
});

it("an export whose process no longer reports is taken over", async () => {
  const left = await send(await tokenOf(person));
  await db().exportHold.updateMany({
    where: { userId: person.userId },
    data: { beatAt: new Date(Date.now() - 61_000) },
  });
  const next = await send(await tokenOf(person));
  expect(next.status).toBe(200);
  await left.body?.cancel();
  expect(await holds()).toBe(1);
  await next.body?.cancel();
});

it("an export ends with the sign-in that asked for it", async () => {
  const user = await makeUser(db());
  const response = await send(await makeSignIn(db(), user));
  expect(response.status).toBe(200);
  await db().signIn.updateMany({ where: { userId: user.id }, data: { revokedAt: new Date() } });
  await expect(response.arrayBuffer()).rejects.toThrow("your sign-in ended");
  expect(await holds()).toBe(0);
});

it("who is not signed in gets none, a question for the headers makes none, and no other method is answered", async () => {
  expect((await send()).status).toBe(401);
  expect((await send(await tokenOf(person), "HEAD")).status).toBe(200);
  expect(await holds()).toBe(0);
  expect((await send(await tokenOf(person), "POST")).status).toBe(405);
});
