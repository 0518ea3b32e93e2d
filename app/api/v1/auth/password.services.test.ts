import { beforeEach, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time.ts";
import { verifyAudit } from "@/lib/server/audit/verify-audit.ts";
import { db } from "@/lib/server/db.ts";
import { env, forgetEnv } from "@/lib/server/env.ts";
import { renderMail } from "@/lib/server/mail/render-mail.ts";
import { emailToken, tokenHash, type EmailTokenKind } from "@/lib/server/secrets/email-token.ts";
import { isPassword } from "@/lib/server/secrets/password.ts";
import { FACTORY_PASSWORD, makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import { markIn } from "@/lib/proof/fixtures/callers.ts";
import * as changeDoor from "./change-password/route.ts";
import * as loginDoor from "./login/route.ts";
import * as meDoor from "./me/route.ts";
import * as checkDoor from "./reset-password/check/route.ts";
import * as resetDoor from "./reset-password/route.ts";

const NEW_PASSWORD = "Windward-42-sails";
const INVALID = "Invalid or expired reset token.";
const MISSING = "Invalid or missing reset token. Please request a new password reset.";
const HINT = "Must contain at least 8 characters with uppercase, lowercase, and number";

let network = 0;
/** Every test comes from a network of its own: limits of one do not reach the other. */
beforeEach(() => {
  process.env.TRUSTED_PROXIES = "1";
  forgetEnv();
  network += 1;
});
const from = (n = 0) => ({ "x-forwarded-for": `10.${network}.0.${n}` });
const reset = (body: unknown, n = 0) => callDoor(resetDoor, "POST", { body, headers: from(n) });
const check = async (token: string) =>
  (await callDoor(checkDoor, "POST", { body: { token }, headers: from() })).json?.data;
const login = (email: string, password: string) =>
  callDoor(loginDoor, "POST", { body: { email, password }, headers: from() });
const meStatus = async (token: string) => (await callDoor(meDoor, "GET", { token, headers: from() })).status;
const change = (token: string | undefined, body: unknown, n = 0) =>
  callDoor(changeDoor, "PUT", { ...(token === undefined ? {} : { token }), body, headers: from(n) });
const mailsTo = (recipient: string) => db().outbox.findMany({ where: { recipient } });
const storedHash = async (id: string) => (await db().user.findUniqueOrThrow({ where: { id } })).passwordHash;
const eventsOf = async (subjectUserId: string) =>
  (await db().auditEvent.findMany({ where: { subjectUserId }, orderBy: { seq: "asc" } })).map((one) => one.eventType);

/** The token of a link as it stands in a mail that was asked for `ageMs` ago. */
async function makeLink(user: MadeUser, { ageMs = 0, kind = "RESET_PASSWORD" as EmailTokenKind } = {}) {
  const createdAt = new Date(Date.now() - ageMs);
  const { id } = await db().emailToken.create({
    data: {
      userId: user.id,
      kind,
      tokenHash: `waiting-${network}-${Math.random()}`,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + 30 * MINUTE_MS),
    },
  });
  const token = emailToken(kind, id);
  await db().emailToken.update({ where: { id }, data: { tokenHash: tokenHash(token) } });
  return { id, token };
}

it("a reset sets the password, ends every sign-in of the person, voids other links, is audited and mailed", async () => {
  const [user, other] = [await makeUser(db()), await makeUser(db())];
  const [phone, laptop, others] = [
    await makeSignIn(db(), user),
    await makeSignIn(db(), user),
    await makeSignIn(db(), other),
  ];
  const [older, used] = [await makeLink(user, { ageMs: 5 * MINUTE_MS }), await makeLink(user)];
  const othersLink = await makeLink(other);
  expect(await Promise.all([phone, laptop, others].map(meStatus))).toEqual([200, 200, 200]);

  const answer = await reset({ token: used.token, newPassword: NEW_PASSWORD });
  expect(answer).toMatchObject({ status: 200, json: { success: true, error: null } });
  expect(answer.headers.get("set-cookie")).toContain("Max-Age=0");
  expect(await Promise.all([phone, laptop, others].map(meStatus))).toEqual([401, 401, 200]);
  expect(await db().user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({ tokenVersion: 1 });
  expect((await login(user.email, FACTORY_PASSWORD)).status).toBe(401);
  expect((await login(user.email, NEW_PASSWORD)).status).toBe(200);

  expect(await reset({ token: older.token, newPassword: "Leeward-43-sails" })).toMatchObject({
    status: 400,
    json: { error: INVALID },
  });
  expect((await reset({ token: othersLink.token, newPassword: NEW_PASSWORD })).status).toBe(200);
  expect((await eventsOf(user.id)).slice(0, 1)).toEqual(["PASSWORD_RESET"]);
  const mails = await mailsTo(user.email);
  // The old password was tried above: the owner is notified of that, too.
  expect(mails.map(({ template }) => template).sort()).toEqual(["password-changed", "wrong-password"]);
  const mail = mails.find(({ template }) => template === "password-changed");
  expect(mail).toMatchObject({ userId: user.id, sentAt: null });
  const rendered = await renderMail("password-changed", mail?.props);
  expect(rendered.subject).toBe("Your password was changed");
  expect(rendered.html).toContain(`href="${env().APP_BASE_URL}/auth"`);
  expect(rendered.text).toMatch(/changed on\s\w{3}\s\d+\s\w{3}\s\d{4}\s\d\d:\d\d\sET/);
  expect(JSON.stringify([rendered, mail])).not.toContain(NEW_PASSWORD);
});

it("of 50 uses of one link at once exactly one wins, and its password is the one that holds", async () => {
  const user = await makeUser(db());
  const { token } = await makeLink(user);
  const passwordOf = (n: number) => `Windward-${n}-sails`;
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => reset({ token, newPassword: passwordOf(n) }, n)),
  );
  const winners = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []));
  expect(winners).toHaveLength(1);
  for (const { status, json } of answers.filter((_, n) => n !== winners[0]))
    expect([status, json?.error]).toEqual([400, INVALID]);
  expect(await isPassword(passwordOf(winners[0] as number), await storedHash(user.id))).toBe(true);
  expect(await eventsOf(user.id)).toEqual(["PASSWORD_RESET"]);
  expect(await mailsTo(user.email)).toHaveLength(1);
});

it("two links of one person used at once set one password", async () => {
  const user = await makeUser(db());
  const links = [await makeLink(user), await makeLink(user)];
  const answers = await Promise.all(
    links.map(({ token }, n) => reset({ token, newPassword: `Windward-${n}-sails` }, n)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
});

it("used, expired, unknown and foreign tokens, and those of a disabled person, get one and the same answer", async () => {
  const user = await makeUser(db());
  const disabled = await makeUser(db(), { disabledAt: new Date() });
  const used = await makeLink(user);
  await reset({ token: used.token, newPassword: NEW_PASSWORD });
  const hash = await storedHash(user.id);
  const tokens = [
    used.token,
    (await makeLink(user, { ageMs: 30 * MINUTE_MS + 1_000 })).token,
    (await makeLink(user, { ageMs: DAY_MS })).token,
    (await makeLink(user, { kind: "VERIFY_EMAIL" })).token,
    (await makeLink(disabled)).token,
    (await makeLink(user)).id,
    tokenHash((await makeLink(user)).token),
    "x".repeat(43),
    "x",
  ];
  const texts = [];
  for (const token of tokens) {
    expect(await check(token)).toEqual({ isOpen: false });
    const { status, json } = await reset({ token, newPassword: "Leeward-43-sails" });
    texts.push({ status, ...json, requestId: "" });
  }
  expect(new Set(texts.map((one) => JSON.stringify(one)))).toEqual(
    new Set([
      JSON.stringify({ status: 400, success: false, data: null, error: INVALID, code: "invalid_input", requestId: "" }),
    ]),
  );
  expect(await storedHash(user.id)).toBe(hash);
});

it("a link of 29 minutes still works", async () => {
  const { token } = await makeLink(await makeUser(db()), { ageMs: 29 * MINUTE_MS });
  expect(await check(token), "a look uses nothing up").toEqual({ isOpen: true });
  expect((await reset({ token, newPassword: NEW_PASSWORD })).status).toBe(200);
});

it.each([
  ["token", { token: undefined }, MISSING],
  ["token", { token: "" }, MISSING],
  ["token", { token: "   " }, MISSING],
  ["token", { token: null }, MISSING],
  ["token", { token: "x".repeat(201) }, INVALID],
  ["newPassword", { newPassword: undefined }, '"newPassword" is required.'],
  ["newPassword", { newPassword: "Ab1" }, "Password must be at least 8 characters long."],
  ["newPassword", { newPassword: "alllowercase1" }, HINT],
  ["newPassword", { newPassword: "NoDigitsHere" }, HINT],
  ["newPassword", { newPassword: "Password123" }, "This password is too common. Please choose another one."],
  ["role", { role: "ADMIN" }, "Unknown field: role."],
  ["userId", { userId: "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6" }, "Unknown field: userId."],
])("a reset with a wrong %s (%j) answers 400, names the field and uses up no link", async (path, wrong, message) => {
  const user = await makeUser(db());
  const { token } = await makeLink(user);
  const answer = await reset({ token, newPassword: NEW_PASSWORD, ...wrong });
  expect(answer).toMatchObject({ status: 400, json: { success: false, code: "invalid_input", error: message } });
  expect(answer.json?.issues).toContainEqual({ path, message });
  expect((await reset({ token, newPassword: NEW_PASSWORD })).status).toBe(200);
});

it("an unverified person may reset the password and is still unverified", async () => {
  const user = await makeUser(db(), { isVerified: false });
  const { token } = await makeLink(user);
  expect((await reset({ token, newPassword: NEW_PASSWORD })).status).toBe(200);
  expect(await login(user.email, NEW_PASSWORD)).toMatchObject({ status: 403, json: { code: "email_unverified" } });
});

it("wrong links close the door to no right one: after sixty of them from its own address it still works, and marks the device", async () => {
  const { token } = await makeLink(await makeUser(db()));
  for (let n = 0; n < 60; n += 1)
    expect((await reset({ token: `guess-${n}`, newPassword: NEW_PASSWORD })).status).toBe(400);
  const answer = await reset({ token, newPassword: NEW_PASSWORD });
  expect(answer.status).toBe(200);
  expect(answer.headers.getSetCookie()[1]).toMatch(/^tradewind\.device=[\w.-]+; Path=\/api; HttpOnly; SameSite=Lax;/);
  // What the mark is made of does not leave by the answer.
  expect(Object.keys(answer.json?.data ?? {})).toEqual(["message"]);
});

it("the current password is no new one: not by a change, and not by a link, which is used up by the try", async () => {
  const user = await makeUser(db());
  const token = await makeSignIn(db(), user);
  const change1 = { email: user.email, currentPassword: FACTORY_PASSWORD, newPassword: FACTORY_PASSWORD };
  expect(await change(token, change1)).toMatchObject({
    status: 400,
    json: {
      error: "Choose a password that differs from your current one.",
      issues: [{ path: "newPassword" }],
    },
  });
  const [link, other] = [await makeLink(user), await makeLink(user)];
  const known = await reset({ token: link.token, newPassword: FACTORY_PASSWORD });
  expect(known).toMatchObject({
    status: 400,
    json: { error: "This is your current password. You can sign in with it; this link no longer works." },
  });
  expect(await reset({ token: link.token, newPassword: NEW_PASSWORD })).toMatchObject({ json: { error: INVALID } });
  expect(await meStatus(token)).toBe(200);
  // Mailbox and password are proven: strangers' guesses do not keep this device from signing in. Other links stay the owner's way back.
  expect(markIn(known)).toContain("tradewind.device=");
  expect(known.headers.getSetCookie()).toHaveLength(1);
  expect((await reset({ token: other.token, newPassword: NEW_PASSWORD })).status).toBe(200);
});

it("a change answers with the person, a new token and its cookie; all earlier sign-ins and reset links are over", async () => {
  const user = await makeUser(db());
  const [here, elsewhere] = [await makeSignIn(db(), user), await makeSignIn(db(), user)];
  const link = await makeLink(user);
  const answer = await change(here, {
    email: ` ${user.email.toUpperCase()}`,
    currentPassword: FACTORY_PASSWORD,
    newPassword: NEW_PASSWORD,
  });
  expect(answer).toMatchObject({ status: 200, json: { success: true, data: { user: { id: user.id } }, error: null } });
  const { token } = answer.json?.data as unknown as { token: string };
  expect(answer.headers.getSetCookie()[0]).toBe(
    `next-auth.session-token=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200`,
  );
  expect(answer.text).not.toMatch(/passwordHash|argon2/);
  expect(await Promise.all([here, elsewhere, token].map(meStatus))).toEqual([401, 401, 200]);
  expect((await reset({ token: link.token, newPassword: "Leeward-43-sails" })).status).toBe(400);
  expect((await login(user.email, FACTORY_PASSWORD)).status).toBe(401);
  expect((await login(user.email, NEW_PASSWORD)).status).toBe(200);
  expect((await eventsOf(user.id))[0]).toBe("PASSWORD_CHANGED");
  expect((await mailsTo(user.email)).map(({ template }) => template).sort()).toEqual([
    "password-changed",
    "wrong-password",
  ]);
});

it("a wrong current password and another user's address get one answer, change nothing and end no sign-in", async () => {
  const [user, other] = [await makeUser(db()), await makeUser(db())];
  const token = await makeSignIn(db(), user);
  const hashes = [await storedHash(user.id), await storedHash(other.id)];
  const answers = [
    await change(token, { email: user.email, currentPassword: "Wrong-Horse-1", newPassword: NEW_PASSWORD }),
    // The other's right password: it is the caller's that counts.
    await change(token, { email: other.email, currentPassword: FACTORY_PASSWORD, newPassword: NEW_PASSWORD }),
    await change(token, { email: "nobody@example.com", currentPassword: FACTORY_PASSWORD, newPassword: NEW_PASSWORD }),
  ];
  const message = "Your current password is not correct.";
  for (const answer of answers) {
    expect(answer).toMatchObject({
      status: 400,
      json: { error: message, issues: [{ path: "currentPassword", message }] },
    });
  }
  expect([await storedHash(user.id), await storedHash(other.id)]).toEqual(hashes);
  expect(await meStatus(token)).toBe(200);
  expect(await eventsOf(user.id)).toEqual(Array(3).fill("PASSWORD_CHANGE_FAILED"));
  expect(await eventsOf(other.id)).toEqual([]);
  // The owner is notified, once an hour.
  expect(await mailsTo(user.email)).toMatchObject([{ template: "wrong-password" }]);
  expect(await mailsTo(other.email)).toEqual([]);
});

it.each([
  ["currentPassword", { currentPassword: "" }, "Enter your password."],
  ["email", { email: undefined }, '"email" is required.'],
  ["newPassword", { newPassword: "Ab1" }, "Password must be at least 8 characters long."],
  ["newPassword", { newPassword: "nouppercase1" }, HINT],
  ["newPassword", { newPassword: "Password123" }, "This password is too common. Please choose another one."],
  ["role", { role: "ADMIN" }, "Unknown field: role."],
])("a change with a wrong %s (%j) answers 400 and names the field", async (path, wrong, message) => {
  const user = await makeUser(db());
  const token = await makeSignIn(db(), user);
  const right = { email: user.email, currentPassword: FACTORY_PASSWORD, newPassword: NEW_PASSWORD };
  const answer = await change(token, { ...right, ...wrong });
  expect(answer).toMatchObject({ status: 400, json: { code: "invalid_input", error: message } });
  expect(answer.json?.issues).toContainEqual({ path, message });
  expect((await db().user.findUniqueOrThrow({ where: { id: user.id } })).tokenVersion).toBe(0);
});

it("without a sign-in, or with one that is over, nothing is checked", async () => {
  const user = await makeUser(db());
  const expired = await makeSignIn(db(), user, new Date(Date.now() - 13 * HOUR_MS));
  const body = { email: user.email, currentPassword: FACTORY_PASSWORD, newPassword: NEW_PASSWORD };
  for (const token of [undefined, "not.a.token", expired]) expect((await change(token, body)).status).toBe(401);
});

it("of ten changes at once by one sign-in one wins; the others no longer have a sign-in", async () => {
  const user = await makeUser(db());
  const token = await makeSignIn(db(), user);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      change(token, { email: user.email, currentPassword: FACTORY_PASSWORD, newPassword: `Windward-${n}-sails` }, n),
    ),
  );
  // One that comes later than the winner finds its sign-in over, or its password no longer right.
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status } of answers) expect([200, 400, 401]).toContain(status);
  expect(await db().signIn.count({ where: { userId: user.id, revokedAt: null } })).toBe(1);
  expect(await mailsTo(user.email)).toHaveLength(1);
});

it("eleven guesses at the current password with one sign-in are one too many", async () => {
  const user = await makeUser(db());
  const token = await makeSignIn(db(), user);
  const statuses = [];
  for (let n = 0; n < 11; n += 1)
    statuses.push(
      (await change(token, { email: user.email, currentPassword: `Wrong-Horse-${n}`, newPassword: NEW_PASSWORD }))
        .status,
    );
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
});

it("after all of this the audit chain is whole", async () => {
  expect((await verifyAudit(db())).ok).toBe(true);
});
