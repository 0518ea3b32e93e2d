import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { callDoor, type CallResult } from "@/lib/proof/call-door.ts";
import {
  addPasskey,
  codeNow,
  done,
  personWithApp,
  ticketOf,
  type WithApp,
} from "@/lib/proof/fixtures/second-factor.ts";
import { FACTORY_PASSWORD, makeUser } from "@/prisma/factories.ts";
import * as loginDoor from "./login/route.ts";
import * as meDoor from "./me/route.ts";
import * as newPasskeyDoor from "./passkeys/options/route.ts";
import * as optionsDoor from "./second-factor/options/route.ts";
import * as door from "./second-factor/route.ts";

let person: WithApp;

beforeEach(async () => {
  process.env.TRUSTED_PROXIES = "1";
  process.env.APP_BASE_URL = "http://localhost:3000";
  forgetEnv();
  person = await personWithApp();
});

let callers = 0;
/** Each call from another network: what is looked at here are not the limits of one address. */
const answer = (body: object): Promise<CallResult> => {
  callers += 1;
  return callDoor(door, "POST", { body, headers: { "x-forwarded-for": `10.${callers >> 8}.${callers & 255}.1` } });
};
/** A code that the app shows neither now nor in the periods beside. */
const wrongCode = () => {
  const right = new Set([-2, -1, 0, 1, 2].map((periods) => codeNow(person.secret, periods)));
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !right.has(code)) ?? "";
};
const logIn = () => callDoor(loginDoor, "POST", { body: { email: person.user.email, password: FACTORY_PASSWORD } });
const signIns = () => db().signIn.count({ where: { userId: person.user.id } });
const events = async (eventType: string) =>
  db().auditEvent.count({ where: { subjectUserId: person.user.id, eventType } });
const mailsAbout = (subject: string) =>
  db().outbox.count({ where: { userId: person.user.id, props: { path: ["subject"], equals: subject } } });

describe("a right password", () => {
  it("alone opens no sign-in where a second factor is set up: no token, no cookie, no row, no event", async () => {
    const before = await signIns();
    const { status, json, headers } = await logIn();
    expect(status).toBe(200);
    expect(json?.data).toEqual({
      user: null,
      token: null,
      secondFactor: {
        ticket: expect.stringMatching(/^[\w-]{43}$/) as string,
        methods: ["code", "recovery_code"],
        expiresAt: expect.any(String) as string,
      },
    });
    expect(headers.getSetCookie()).toEqual([]);
    expect(await signIns()).toBe(before);
    expect(await events("SIGNED_IN")).toBe(0);
  });

  it("opens one as before where none is set up, one that never proved itself included", async () => {
    const user = await makeUser(db());
    await db().totpFactor.create({ data: { userId: user.id, sealedSecret: "never proved" } });
    const { json } = await callDoor(loginDoor, "POST", { body: { email: user.email, password: FACTORY_PASSWORD } });
    expect(json?.data).toEqual({
      user: expect.objectContaining({ id: user.id }) as object,
      token: expect.any(String) as string,
    });
  });
});

it("the code completes the sign-in: a token that holds, the cookie, the mark of the device and the event", async () => {
  const ticket = await ticketOf(person.user);
  const { status, json, headers } = await answer({ ticket, code: codeNow(person.secret, 1) });
  expect(status, json?.error ?? "").toBe(200);
  const { token } = json?.data as unknown as { token: string };
  expect(await done(meDoor, "GET", { token })).toMatchObject({ id: person.user.id });
  expect(headers.getSetCookie().join("\n")).toMatch(/next-auth\.session-token=ey[\s\S]*tradewind\.device=/);
  const [event] = await db().auditEvent.findMany({ where: { subjectUserId: person.user.id, eventType: "SIGNED_IN" } });
  expect(event?.data).toMatchObject({ secondFactor: "code" });
});

it("a code is accepted once: neither with another ticket, nor for an earlier time step", async () => {
  const [first, second] = [await ticketOf(person.user), await ticketOf(person.user)];
  const code = codeNow(person.secret, 1);
  expect((await answer({ ticket: first, code })).status).toBe(200);
  expect(await answer({ ticket: second, code })).toMatchObject({ status: 400, json: { issues: [{ path: "code" }] } });
  expect((await answer({ ticket: second, code: codeNow(person.secret) })).status).toBe(400);
});

it("a right code that was used already is said to be, and is no wrong guess: neither of the ticket, nor of the hour", async () => {
  const code = codeNow(person.secret, 1);
  expect((await answer({ ticket: await ticketOf(person.user), code })).status).toBe(200);
  const ticket = await ticketOf(person.user);
  const error = "This code, or a newer one, was already used. Wait for the next one that your app shows.";
  for (let n = 0; n < 20; n += 1)
    expect(await answer({ ticket, code })).toMatchObject({ status: 400, json: { error, issues: [{ path: "code" }] } });
  expect(await answer({ ticket, code: codeNow(person.secret) }), "an older one").toMatchObject({ json: { error } });
  expect(await answer({ ticket, code: wrongCode() })).toMatchObject({
    status: 400,
    json: { error: "This code is not correct. Enter the one that your app shows now." },
  });
  expect((await answer({ ticket, recoveryCode: person.recoveryCodes[0] })).status, "the ticket is open").toBe(200);
  expect(await mailsAbout("A sign-in with your password failed at the second factor")).toBe(0);
  expect(await mailsAbout("Many wrong codes were entered for your account")).toBe(0);
  const failed = await db().auditEvent.findMany({
    where: { subjectUserId: person.user.id, eventType: "SECOND_FACTOR_FAILED" },
    orderBy: { seq: "asc" },
  });
  expect(failed.map(({ data }) => (data as { isUsedCode: boolean }).isUsedCode)).toEqual([
    ...Array<boolean>(21).fill(true),
    false,
  ]);
});

it("of parallel uses of one code, one gets in", async () => {
  const tickets = await Promise.all(Array.from({ length: 5 }, () => ticketOf(person.user)));
  const code = codeNow(person.secret, 1);
  const statuses = await Promise.all(tickets.map(async (ticket) => (await answer({ ticket, code })).status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
});

it("of parallel uses of one recovery code, one gets in, and the owner is told", async () => {
  const tickets = await Promise.all(Array.from({ length: 5 }, () => ticketOf(person.user)));
  const [recoveryCode] = person.recoveryCodes;
  const statuses = await Promise.all(tickets.map(async (ticket) => (await answer({ ticket, recoveryCode })).status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(await db().recoveryCode.count({ where: { userId: person.user.id, usedAt: null } })).toBe(9);
  expect(await events("RECOVERY_CODE_USED")).toBe(1);
  expect(await mailsAbout("A recovery code was used")).toBe(1);
});

it("a recovery code may be typed in small letters and without dashes", async () => {
  const recoveryCode = person.recoveryCodes[3]?.toLowerCase().replaceAll("-", " ");
  expect((await answer({ ticket: await ticketOf(person.user), recoveryCode })).status).toBe(200);
});

describe("a ticket", () => {
  const code = () => codeNow(person.secret, 1);
  const refused = { status: 401, json: { code: "unauthenticated" } };

  it("completes one sign-in", async () => {
    const ticket = await ticketOf(person.user);
    expect((await answer({ ticket, recoveryCode: person.recoveryCodes[0] })).status).toBe(200);
    expect(await answer({ ticket, recoveryCode: person.recoveryCodes[1] })).toMatchObject(refused);
  });

  it("is over after five minutes", async () => {
    const ticket = await ticketOf(person.user);
    const past = Date.now() - 6 * 60_000;
    await db().authChallenge.updateMany({
      where: { userId: person.user.id },
      data: { createdAt: new Date(past), expiresAt: new Date(past + 5 * 60_000) },
    });
    expect(await answer({ ticket, code: code() })).toMatchObject(refused);
  });

  it("ends with what ends sign-ins: a changed password, a disabled person", async () => {
    const ticket = await ticketOf(person.user);
    const { id } = person.user;
    await db().user.update({ where: { id }, data: { tokenVersion: { increment: 1 } } });
    expect(await answer({ ticket, code: code() })).toMatchObject(refused);
    const next = await ticketOf(person.user);
    await db().user.update({ where: { id }, data: { disabledAt: new Date() } });
    expect(await answer({ ticket: next, code: code() })).toMatchObject(refused);
  });

  it("ends with the fifth wrong answer, in parallel too, and the owner is notified that the password is known", async () => {
    const ticket = await ticketOf(person.user);
    const wrong = await Promise.all(Array.from({ length: 8 }, () => answer({ ticket, code: "000000" })));
    expect(wrong.filter(({ status }) => status === 400)).toHaveLength(4);
    expect(wrong.filter(({ status }) => status === 401)).toHaveLength(4);
    expect(await events("SECOND_FACTOR_FAILED")).toBe(5);
    expect(await answer({ ticket, code: code() })).toMatchObject(refused);
    expect(await mailsAbout("A sign-in with your password failed at the second factor")).toBe(1);
  });

  it("of another kind, or one that was never given, completes nothing", async () => {
    const given = await done<{ ticket: string }>(newPasskeyDoor, "POST", { token: person.token, body: {} });
    for (const ticket of [given.ticket, "x".repeat(43)])
      expect(await answer({ ticket, code: code() })).toMatchObject(refused);
  });

  it("opens with the factor of its person alone", async () => {
    const other = await personWithApp();
    const passkey = await addPasskey(other.token);
    await addPasskey(person.token);
    const ticket = await ticketOf(person.user);
    const { options } = await done<{ options: { challenge: string } }>(optionsDoor, "POST", { body: { ticket } });
    expect((await answer({ ticket, code: codeNow(other.secret, 1) })).status).toBe(400);
    expect((await answer({ ticket, recoveryCode: other.recoveryCodes[0] })).status).toBe(400);
    expect((await answer({ ticket, passkey: passkey.sign(options.challenge) })).status).toBe(400);
  });
});

it("wrong codes of one person are limited over all tickets; a recovery code still gets in", async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 4; n += 1) {
    const ticket = await ticketOf(person.user);
    for (let guess = 0; guess < 5; guess += 1) statuses.push((await answer({ ticket, code: "000000" })).status);
  }
  expect(statuses.slice(0, 15).every((status) => status < 429)).toBe(true);
  expect(statuses.slice(15)).toEqual(Array(5).fill(429));
  const ticket = await ticketOf(person.user);
  expect((await answer({ ticket, code: codeNow(person.secret, 1) })).status).toBe(429);
  expect((await answer({ ticket, recoveryCode: person.recoveryCodes[0] })).status).toBe(200);
  expect(await mailsAbout("Many wrong codes were entered for your account")).toBe(1);
});

describe("a passkey", () => {
  const asked = async () => {
    const passkey = await addPasskey(person.token);
    const ticket = await ticketOf(person.user);
    const { options } = await done<{
      options: { challenge: string; rpId: string; allowCredentials: { id: string }[] };
    }>(optionsDoor, "POST", { body: { ticket } });
    return { passkey, ticket, options };
  };

  it("completes the sign-in by signing the challenge, and its use is noted", async () => {
    const { passkey, ticket, options } = await asked();
    expect(options).toMatchObject({ rpId: "localhost", allowCredentials: [{ id: passkey.credentialId }] });
    expect((await answer({ ticket, passkey: passkey.sign(options.challenge) })).status).toBe(200);
    expect(await db().passkey.findUniqueOrThrow({ where: { id: passkey.passkeyId } })).toMatchObject({
      counter: 1n,
      lastUsedAt: expect.any(Date) as Date,
    });
  });

  it.each([
    ["another challenge", { challenge: "AAAA" }],
    ["another origin", { origin: "https://evil.example" }],
    ["another relying party", { rpId: "evil.example" }],
    ["no touch by a user", { isUntouched: true }],
  ])("that signs with %s lets no caller in", async (_, fault) => {
    const { passkey, ticket, options } = await asked();
    expect((await answer({ ticket, passkey: passkey.sign(options.challenge, fault) })).status).toBe(400);
  });

  it("whose signature, data or key was tampered with lets no caller in", async () => {
    const { passkey, ticket, options } = await asked();
    const signed = passkey.sign(options.challenge);
    const { response } = signed;
    const flipped = (text: string) => `${text.slice(0, 50)}${text[50] === "A" ? "B" : "A"}${text.slice(51)}`;
    for (const field of ["signature", "authenticatorData", "clientDataJSON"] as const) {
      const tampered = { ...signed, response: { ...response, [field]: flipped(response[field]) } };
      expect((await answer({ ticket, passkey: tampered })).status, field).toBe(400);
    }
    const stranger = (await addPasskey((await personWithApp()).token)).sign(options.challenge);
    const claimed = { ...stranger, id: passkey.credentialId, rawId: passkey.credentialId };
    expect((await answer({ ticket, passkey: claimed })).status).toBe(400);
  });

  it("whose count of signatures does not rise was copied, and lets no caller in", async () => {
    const { passkey, ticket, options } = await asked();
    await db().passkey.update({ where: { id: passkey.passkeyId }, data: { counter: 7n } });
    expect((await answer({ ticket, passkey: passkey.sign(options.challenge, { counter: 7 }) })).status).toBe(400);
    expect((await answer({ ticket, passkey: passkey.sign(options.challenge, { counter: 8 }) })).status).toBe(200);
  });

  it("signs the last challenge of its ticket alone, once", async () => {
    const { passkey, ticket, options } = await asked();
    const next = await done<{ options: { challenge: string } }>(optionsDoor, "POST", { body: { ticket } });
    expect((await answer({ ticket, passkey: passkey.sign(options.challenge) })).status).toBe(400);
    const signed = passkey.sign(next.options.challenge);
    expect((await answer({ ticket, passkey: signed })).status).toBe(200);
    expect((await answer({ ticket, passkey: signed })).status).toBe(401);
    const other = await ticketOf(person.user);
    await done(optionsDoor, "POST", { body: { ticket: other } });
    expect((await answer({ ticket: other, passkey: signed })).status).toBe(400);
  });

  it("is asked for where there is one", async () => {
    const ticket = await ticketOf(person.user);
    expect((await callDoor(optionsDoor, "POST", { body: { ticket } })).status).toBe(409);
    expect((await callDoor(optionsDoor, "POST", { body: { ticket: "x".repeat(43) } })).status).toBe(401);
  });
});

it.each([
  ["no answer", {}],
  ["two answers", { code: "123456", recoveryCode: "ABCDEFGHJKLMNPQR" }],
  ["five digits", { code: "12345" }],
  ["a long recovery code", { recoveryCode: "ABCDEFGHJKLMNPQRS" }],
  ["an unknown field", { code: "123456", userId: "x" }],
])("%s answers 400 and costs no try", async (_, given) => {
  const ticket = await ticketOf(person.user);
  expect((await answer({ ticket, ...given })).status).toBe(400);
  expect(await db().authChallenge.findFirst({ where: { userId: person.user.id, usedAt: null } })).toMatchObject({
    failures: 0,
  });
});
