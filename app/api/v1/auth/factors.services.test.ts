import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import type { Context } from "@/lib/server/context.ts";
import { addPasskey as storePasskey } from "@/lib/server/services/auth/add-passkey.ts";
import { removePasskey } from "@/lib/server/services/auth/manage-passkey.ts";
import { renewRecoveryCodes } from "@/lib/server/services/auth/recovery-codes.ts";
import { removeSecondFactor } from "@/lib/server/services/auth/remove-second-factor.ts";
import { confirmTotp, removeTotp, startTotp } from "@/lib/server/services/auth/set-up-totp.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { securityApi } from "@/lib/contracts/security.ts";
import { callDoor, type Door } from "@/lib/proof/call-door.ts";
import { newAuthenticator } from "@/lib/proof/fixtures/authenticator.ts";
import { addPasskey, codeNow, done, personWithApp, ticketOf } from "@/lib/proof/fixtures/second-factor.ts";
import { FACTORY_PASSWORD, makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import * as loginDoor from "./login/route.ts";
import * as passkeyDoor from "./passkeys/[id]/route.ts";
import * as newPasskeyDoor from "./passkeys/options/route.ts";
import * as passkeysDoor from "./passkeys/route.ts";
import * as recoveryDoor from "./recovery-codes/route.ts";
import * as secondFactorDoor from "./second-factor/route.ts";
import * as securityDoor from "./security/route.ts";
import * as confirmDoor from "./totp/confirm/route.ts";
import * as totpDoor from "./totp/route.ts";

const ORIGIN = "http://localhost:3000";
let user: MadeUser;
let token: string;

beforeEach(async () => {
  process.env.APP_BASE_URL = ORIGIN;
  forgetEnv();
  user = await makeUser(db());
  token = await makeSignIn(db(), user);
});

type State = Answer<typeof securityApi.read>;
const stateOf = (bearer: string) => done<State>(securityDoor, "GET", { token: bearer });
const post = (door: Door, bearer: string, body: object = {}) => callDoor(door, "POST", { token: bearer, body });
const signInStatus = async ({ email }: { email: string }) =>
  (
    (await callDoor(loginDoor, "POST", { body: { email, password: FACTORY_PASSWORD } })).json?.data as unknown as {
      token: string | null;
    }
  ).token === null
    ? "asks for a second factor"
    : "signed in";
const trail = async (id: string) =>
  (await db().auditEvent.findMany({ where: { subjectUserId: id }, orderBy: { seq: "asc" } })).map(
    ({ eventType }) => eventType,
  );
const notified = (id: string) => db().notification.count({ where: { userId: id, kind: "SECURITY" } });
const mailed = (id: string) => db().outbox.count({ where: { userId: id, template: "system-alert" } });

it("a person without a factor confirms by password, and has nothing to recover", async () => {
  expect(await stateOf(token)).toMatchObject({
    totp: null,
    passkeys: [],
    recoveryCodesLeft: 0,
    isRequired: false,
    arePasskeysPossible: true,
    stepUpMethods: ["password"],
  });
  expect((await post(recoveryDoor, token)).status).toBe(409);
});

describe("an authenticator app", () => {
  it("counts from its first code on, brings ten recovery codes, and its owner is told", async () => {
    const { secret, uri } = await done<{ secret: string; uri: string }>(totpDoor, "POST", { token, body: {} });
    expect(uri).toMatch(/^otpauth:\/\/totp\/Tradewind:/);
    expect(uri).toContain(`secret=${secret}`);
    expect(await stateOf(token)).toMatchObject({ totp: null, stepUpMethods: ["password"] });
    expect(await signInStatus(user)).toBe("signed in");
    expect(await post(confirmDoor, token, { code: "000000" })).toMatchObject({
      status: 400,
      json: { issues: [{ path: "code" }] },
    });
    const confirmed = await done<{ recoveryCodes: string[] }>(confirmDoor, "POST", {
      token,
      body: { code: codeNow(secret) },
    });
    expect(new Set(confirmed.recoveryCodes).size).toBe(10);
    for (const code of confirmed.recoveryCodes) expect(code).toMatch(/^([A-HJ-NP-Z2-9]{4}-){3}[A-HJ-NP-Z2-9]{4}$/);
    expect(await stateOf(token)).toMatchObject({
      totp: { confirmedAt: expect.any(String) as string },
      recoveryCodesLeft: 10,
      stepUpMethods: ["code", "recovery_code"],
    });
    expect(await signInStatus(user)).toBe("asks for a second factor");
    expect(await trail(user.id)).toContain("SECOND_FACTOR_ADDED");
    expect([await notified(user.id), await mailed(user.id)]).toEqual([1, 1]);
  });

  it("is notified also of what the person switched off", async () => {
    const off = { emailNotifications: false, systemAlerts: false };
    await db().notificationPreferences.update({ where: { userId: user.id }, data: off });
    const { secret } = await done<{ secret: string }>(totpDoor, "POST", { token, body: {} });
    await done(confirmDoor, "POST", { token, body: { code: codeNow(secret) } });
    expect([await notified(user.id), await mailed(user.id)]).toEqual([1, 1]);
  });

  it("that is set up is not replaced by another before it is removed; one whose set-up is old is", async () => {
    const first = await done<{ secret: string }>(totpDoor, "POST", { token, body: {} });
    const createdAt = new Date(Date.now() - 11 * 60_000);
    await db().totpFactor.update({ where: { userId: user.id }, data: { createdAt } });
    const second = await done<{ secret: string }>(totpDoor, "POST", { token, body: {} });
    expect((await post(confirmDoor, token, { code: codeNow(first.secret) })).status).toBe(400);
    await done(confirmDoor, "POST", { token, body: { code: codeNow(second.secret) } });
    expect((await post(totpDoor, token)).status).toBe(409);
    expect(await post(confirmDoor, token, { code: codeNow(second.secret, 1) })).toMatchObject({
      status: 409,
      json: { error: "The authenticator app is set up already." },
    });
  });

  it("whose set-up is begun in two tabs at once has one secret, so that the codes of both are right", async () => {
    const first = await done<{ secret: string; uri: string }>(totpDoor, "POST", { token, body: {} });
    const second = await done<{ secret: string; uri: string }>(totpDoor, "POST", { token, body: {} });
    expect(second).toEqual(first);
    await done(confirmDoor, "POST", { token, body: { code: codeNow(first.secret) } });
  });

  it("whose begun secret does not open any more is begun anew", async () => {
    await done(totpDoor, "POST", { token, body: {} });
    await db().totpFactor.update({ where: { userId: user.id }, data: { sealedSecret: "changed" } });
    const { secret } = await done<{ secret: string }>(totpDoor, "POST", { token, body: {} });
    await done(confirmDoor, "POST", { token, body: { code: codeNow(secret) } });
  });

  it("is kept sealed, and its secret opens for its owner alone", async () => {
    const mine = await personWithApp();
    const theirs = await personWithApp();
    const row = await db().totpFactor.findUniqueOrThrow({ where: { userId: mine.user.id } });
    expect(
      JSON.stringify(row, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
    ).not.toContain(mine.secret);
    await db().totpFactor.update({ where: { userId: theirs.user.id }, data: { sealedSecret: row.sealedSecret } });
    const answer = await callDoor(secondFactorDoor, "POST", {
      body: { ticket: await ticketOf(theirs.user), code: codeNow(mine.secret, 1) },
    });
    expect(answer.status).toBe(409);
  });

  it("that is removed as the last factor takes the recovery codes along", async () => {
    const person = await personWithApp();
    await done(totpDoor, "DELETE", { token: person.token });
    expect(await stateOf(person.token)).toMatchObject({
      totp: null,
      recoveryCodesLeft: 0,
      stepUpMethods: ["password"],
    });
    expect(await signInStatus(person.user)).toBe("signed in");
    expect(await trail(person.user.id)).toContain("SECOND_FACTOR_REMOVED");
    expect((await callDoor(totpDoor, "DELETE", { token: person.token })).status).toBe(409);
  });
});

it("a set-up that was never finished is cancelled without a word of a second factor", async () => {
  await done(totpDoor, "POST", { token, body: {} });
  expect(await done(totpDoor, "DELETE", { token })).toEqual({
    message: "The set-up of the authenticator app is cancelled.",
  });
  expect(await trail(user.id)).not.toContain("SECOND_FACTOR_REMOVED");
  expect([await notified(user.id), await mailed(user.id)]).toEqual([0, 0]);
  expect((await callDoor(totpDoor, "DELETE", { token })).status).toBe(409);
});

describe("a passkey", () => {
  const offered = (bearer: string) =>
    done<Answer<typeof securityApi.newPasskeyOptions>>(newPasskeyDoor, "POST", { token: bearer, body: {} });

  it("is added, named, renamed and removed; beside an app it brings no new recovery codes", async () => {
    const person = await personWithApp();
    const { passkeyId, credentialId } = await addPasskey(person.token, "Laptop");
    expect(await stateOf(person.token)).toMatchObject({
      passkeys: [{ id: passkeyId, name: "Laptop", lastUsedAt: null }],
      recoveryCodesLeft: 10,
      stepUpMethods: ["passkey", "code", "recovery_code"],
    });
    const { options } = await offered(person.token);
    expect(options).toMatchObject({
      rp: { id: "localhost" },
      excludeCredentials: [{ id: credentialId, type: "public-key" }],
      authenticatorSelection: { userVerification: "preferred", residentKey: "preferred" },
    });
    const on = { token: person.token, params: { id: passkeyId } };
    await done(passkeyDoor, "PATCH", { ...on, body: { name: "Desk" } });
    expect(await stateOf(person.token)).toMatchObject({ passkeys: [{ name: "Desk" }] });
    await done(passkeyDoor, "DELETE", on);
    expect(await stateOf(person.token)).toMatchObject({ passkeys: [], recoveryCodesLeft: 10 });
  });

  it("alone is a second factor with recovery codes of its own", async () => {
    await addPasskey(token);
    expect(await stateOf(token)).toMatchObject({ recoveryCodesLeft: 10, stepUpMethods: ["passkey", "recovery_code"] });
    expect(await signInStatus(user)).toBe("asks for a second factor");
  });

  it.each([
    ["another challenge", { challenge: "AAAA" }],
    ["another origin", { origin: "https://evil.example" }],
    ["another relying party", { rpId: "evil.example" }],
    ["no touch of a person", { isUntouched: true }],
  ])("that was made with %s is refused", async (_, fault) => {
    const { ticket, options } = await offered(token);
    const passkey = newAuthenticator(ORIGIN).make(options.challenge, fault);
    expect((await post(passkeysDoor, token, { ticket, name: "Phone", passkey })).status).toBe(400);
    expect(await stateOf(token)).toMatchObject({ passkeys: [] });
  });

  it("is added once, with the ticket of its own person, and belongs to one person", async () => {
    const { ticket, options } = await offered(token);
    const authenticator = newAuthenticator(ORIGIN);
    const body = { ticket, name: "Phone", passkey: authenticator.make(options.challenge) };
    const other = await makeSignIn(db(), await makeUser(db()));
    expect((await post(passkeysDoor, other, body)).status).toBe(409);
    expect((await post(passkeysDoor, token, body)).status).toBe(200);
    expect((await post(passkeysDoor, token, body)).status).toBe(409);
    const theirs = await offered(other);
    const again = { ticket: theirs.ticket, name: "Theirs", passkey: authenticator.make(theirs.options.challenge) };
    expect(await post(passkeysDoor, other, again)).toMatchObject({
      status: 409,
      json: { error: "This passkey is registered already." },
    });
  });

  it("of another person is neither seen, renamed nor removed", async () => {
    const { passkeyId: id } = await addPasskey(token);
    const other = await makeSignIn(db(), await makeUser(db()));
    expect(await stateOf(other)).toMatchObject({ passkeys: [] });
    const on = { token: other, params: { id } };
    expect((await callDoor(passkeyDoor, "PATCH", { ...on, body: { name: "Mine" } })).status).toBe(404);
    expect((await callDoor(passkeyDoor, "DELETE", on)).status).toBe(404);
    expect(await stateOf(token)).toMatchObject({ passkeys: [{ name: "Phone" }] });
  });

  it("is not offered at an IP address, where browsers make none, nor beyond ten", async () => {
    for (let n = 0; n < 10; n += 1) await addPasskey(token, `Key ${n}`);
    expect((await post(newPasskeyDoor, token)).status).toBe(409);
    process.env.APP_BASE_URL = "http://127.0.0.1:3000";
    forgetEnv();
    const other = await makeSignIn(db(), await makeUser(db()));
    expect((await post(newPasskeyDoor, other)).status).toBe(409);
    expect(await stateOf(other)).toMatchObject({ arePasskeysPossible: false });
  });
});

it("of two first factors at once, one brings the recovery codes, and they are ten", async () => {
  const { secret } = await done<{ secret: string }>(totpDoor, "POST", { token, body: {} });
  const [, confirmed] = await Promise.all([addPasskey(token), post(confirmDoor, token, { code: codeNow(secret) })]);
  expect(confirmed.status).toBe(200);
  expect(await db().recoveryCode.count({ where: { userId: user.id } })).toBe(10);
  const added = await db().auditEvent.findMany({
    where: { subjectUserId: user.id, eventType: "SECOND_FACTOR_ADDED" },
    orderBy: { seq: "asc" },
  });
  expect(added.map(({ data }) => (data as { isFirst: boolean }).isFirst)).toEqual([true, false]);
});

it("a sign-in that has ended by the time of the change adds no factor, removes none, and renews no recovery codes", async () => {
  const person = await personWithApp();
  const { passkeyId } = await addPasskey(person.token);
  const fresh = await makeUser(db());
  const freshToken = await makeSignIn(db(), fresh);
  const { secret } = await done<{ secret: string }>(totpDoor, "POST", { token: freshToken, body: {} });
  const { ticket, options } = await done<Answer<typeof securityApi.newPasskeyOptions>>(newPasskeyDoor, "POST", {
    token: freshToken,
    body: {},
  });
  // The callers were let in before: a changed password ends their sign-ins while their calls wait for the person's lock.
  const contextOf = async ({ id: userId }: { id: string }): Promise<Context<"user">> => {
    const { id: signInId } = await db().signIn.findFirstOrThrow({ where: { userId } });
    return { ...systemContext("test"), actor: { kind: "user", userId, role: "USER", signInId } };
  };
  const [withFactors, without] = [await contextOf(person.user), await contextOf(fresh)];
  await db().signIn.updateMany({
    where: { userId: { in: [person.user.id, fresh.id] } },
    data: { revokedAt: new Date() },
  });
  const factorsOf = async () => [
    await db().totpFactor.findMany({ orderBy: { userId: "asc" } }),
    await db().passkey.findMany({ orderBy: { id: "asc" } }),
    await db().recoveryCode.findMany({ orderBy: { codeHash: "asc" } }),
  ];
  const before = await factorsOf();
  const passkey = newAuthenticator(ORIGIN).make(options.challenge);
  const calls = {
    startTotp: () => startTotp(without),
    confirmTotp: () => confirmTotp(without, { code: codeNow(secret) }),
    addPasskey: () => storePasskey(without, { ticket, name: "Late", passkey }),
    renewRecoveryCodes: () => renewRecoveryCodes(withFactors),
    removePasskey: () => removePasskey(withFactors, { id: passkeyId }),
    removeTotp: () => removeTotp(withFactors),
  };
  for (const [name, call] of Object.entries(calls))
    await expect.soft(call(), name).rejects.toMatchObject({ code: "unauthenticated" });
  expect(await factorsOf()).toEqual(before);
});

it("renewed recovery codes take the place of the earlier ones", async () => {
  const person = await personWithApp();
  const { recoveryCodes } = await done<{ recoveryCodes: string[] }>(recoveryDoor, "POST", {
    token: person.token,
    body: {},
  });
  const ticket = await ticketOf(person.user);
  const use = (recoveryCode: string | undefined) =>
    callDoor(secondFactorDoor, "POST", { body: { ticket, recoveryCode } });
  expect((await use(person.recoveryCodes[0])).status).toBe(400);
  expect((await use(recoveryCodes[0])).status).toBe(200);
  expect(await trail(person.user.id)).toContain("RECOVERY_CODES_RENEWED");
});

it("an administrator at the command line removes every factor of a person who lost them, and the owner is told", async () => {
  const person = await personWithApp();
  await addPasskey(person.token);
  const before = await mailed(person.user.id);
  await removeSecondFactor(systemContext("admin-cli"), person.user.email);
  expect(await signInStatus(person.user)).toBe("signed in");
  expect(await stateOf(person.token)).toMatchObject({ totp: null, passkeys: [], recoveryCodesLeft: 0 });
  expect(await mailed(person.user.id)).toBe(before + 1);
  expect(
    await db().auditEvent.findMany({ where: { eventType: "SECOND_FACTOR_REMOVED", actorKind: "system" } }),
  ).toMatchObject([{ subjectUserId: person.user.id, data: { kind: "all", by: "admin-cli" } }]);
  await expect(removeSecondFactor(systemContext("admin-cli"), person.user.email)).rejects.toThrow("no second factor");
  await expect(removeSecondFactor(systemContext("admin-cli"), "unknown@example.com")).rejects.toThrow("no user");
});
