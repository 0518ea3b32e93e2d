import { Redis } from "ioredis";
import { beforeEach, expect, it } from "vitest";
import { db } from "@/lib/server/db.ts";
import { withPersonal } from "@/lib/server/audit/personal.ts";
import { verifyAudit } from "@/lib/server/audit/verify-audit.ts";
import { env, forgetEnv } from "@/lib/server/env.ts";
import { accountKey } from "@/lib/server/secrets/device-mark.ts";
import { emailToken } from "@/lib/server/secrets/email-token.ts";
import { FACTORY_PASSWORD, makeSignIn, makeUser } from "@/prisma/factories.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import * as resendDoor from "../email/resend-verification/route.ts";
import * as loginDoor from "./login/route.ts";
import * as logoutDoor from "./logout/route.ts";
import * as meDoor from "./me/route.ts";
import * as registerDoor from "./register/route.ts";
import * as verifyDoor from "./verify-email/route.ts";

const person = { email: "grace@example.com", password: "Correct-Horse-1", firstName: "Grace", lastName: "Hopper" };

let network = 0;
/** Every test comes from networks of its own: limits of one do not reach the other. */
beforeEach(() => {
  process.env.TRUSTED_PROXIES = "1";
  forgetEnv();
  network += 1;
});
const from = (n = 0) => ({ "x-forwarded-for": `10.${network}.${n}.1` });
const post = (door: Parameters<typeof callDoor>[0], body: unknown, n = 0) =>
  callDoor(door, "POST", { body, headers: from(n) });
const mailsTo = (recipient: string) => db().outbox.findMany({ where: { recipient }, orderBy: { createdAt: "asc" } });
const linkOf = (mail: { props: unknown }) =>
  emailToken("VERIFY_EMAIL", (mail.props as { emailTokenId: string }).emailTokenId);

it("registration stores the person, preferences, one mail and one audit row, and hands out no token", async () => {
  const answer = await post(registerDoor, { ...person, email: "  Grace@Example.com " });
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({
    success: true,
    error: null,
    data: {
      token: null,
      user: { email: "grace@example.com", firstName: "Grace", lastName: "Hopper", emailVerified: false, role: "USER" },
    },
  });
  expect(answer.text).not.toMatch(/passwordHash|argon2/);
  const user = await db().user.findUniqueOrThrow({
    where: { email: person.email },
    include: { tradingPreferences: true, notificationPreferences: true },
  });
  expect(user.tradingPreferences).toMatchObject({
    strategy: "MOMENTUM",
    paperTradingOnly: true,
    maxPositions: 3,
    checkInterval: 5,
  });
  expect(user.notificationPreferences).toMatchObject({ emailNotifications: true, systemAlerts: true });
  expect(await mailsTo(person.email)).toHaveLength(1);
  const events = await db().auditEvent.findMany({ where: { subjectUserId: user.id } });
  expect(events).toMatchObject([{ eventType: "USER_REGISTERED", ipAddress: null }]);
  expect(await withPersonal(db(), events)).toMatchObject([{ ipAddress: `10.${network}.0.1` }]);
});

it("a known address answers 409; of twelve who register one at once, one gets it, three are told and the rest waits", async () => {
  const again = await post(registerDoor, person);
  expect(again).toMatchObject({
    status: 409,
    json: { success: false, data: null, code: "conflict", error: "An account with this email already exists." },
  });
  const race = await Promise.all(
    Array.from({ length: 12 }, (_, n) => post(registerDoor, { ...person, email: "race@example.com" }, n % 3)),
  );
  const statuses = race.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.every((status) => [200, 409, 429].includes(status))).toBe(true);
  expect(await db().user.count({ where: { email: "race@example.com" } })).toBe(1);
  expect(await mailsTo("race@example.com")).toHaveLength(1);
});

const NO_LINK = (name: string) => `Enter your ${name} name without links, line breaks, "<", ">" or "@".`;

it.each([
  ["email", { email: "not-an-address" }, "Enter a valid email address."],
  ["email", { email: "a@b.co\nbcc:x@y.z" }, "Enter a valid email address."],
  ["email", { email: undefined }, '"email" is required.'],
  ["password", { password: "Ab1" }, "Password must be at least 8 characters long."],
  [
    "password",
    { password: "alllowercase1" },
    "Must contain at least 8 characters with uppercase, lowercase, and number",
  ],
  [
    "password",
    { password: "NoDigitsHere" },
    "Must contain at least 8 characters with uppercase, lowercase, and number",
  ],
  ["password", { password: "Password123" }, "This password is too common. Please choose another one."],
  ["firstName", { firstName: "   " }, "Enter your first name."],
  ["lastName", { lastName: "" }, "Enter your last name."],
  ["lastName", { lastName: "a\0b" }, "Remove the characters that are not text."],
  ["firstName", { firstName: "your account is frozen, unlock it at http://evil.example/unlock" }, NO_LINK("first")],
  ["firstName", { firstName: "Ada https:/evil.example" }, NO_LINK("first")],
  ["lastName", { lastName: "see WWW.evil.example" }, NO_LINK("last")],
  ["lastName", { lastName: "<b>Lovelace" }, NO_LINK("last")],
  ["lastName", { lastName: "me@evil.example" }, NO_LINK("last")],
  ["firstName", { firstName: "Ada\r\nBcc: eve@evil.example" }, NO_LINK("first")],
  ["firstName", { firstName: "Ada\u2028Your account is frozen" }, NO_LINK("first")],
  ["role", { role: "ADMIN" }, "Unknown field: role."],
  ["emailVerified", { emailVerified: true }, "Unknown field: emailVerified."],
  ["id", { id: "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6" }, "Unknown field: id."],
])(
  "a registration with a wrong %s (%j) is refused, names the field and stores nothing",
  async (path, change, message) => {
    const before = await db().user.count();
    const answer = await post(registerDoor, { ...person, email: "new@example.com", ...change });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ success: false, data: null, code: "invalid_input", error: message });
    expect(answer.json?.issues).toContainEqual({ path, message });
    expect(await db().user.count()).toBe(before);
  },
);

it("a sign-in of an unverified person answers 403, says that a mail was sent where one was and when the next can be where not, and opens nothing", async () => {
  const user = await makeUser(db(), { isVerified: false });
  const answers = await Promise.all(
    [1, 2, 3].map(() => post(loginDoor, { email: user.email, password: FACTORY_PASSWORD })),
  );
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 403, json: { code: "email_unverified" } });
    expect(answer.headers.get("set-cookie")).toBeNull();
  }
  const waiting =
    "Your email address is not verified. Please use the link in the verification email that was already sent. The next one can be sent in 3 minutes.";
  expect(answers.map(({ json }) => json?.error).sort()).toEqual(["Email verification required", waiting, waiting]);
  for (const { json, headers } of answers)
    if (json?.error === waiting) expect(Number(headers.get("retry-after"))).toBeGreaterThan(170);
  expect(await mailsTo(user.email)).toHaveLength(1);
  expect(await db().signIn.count({ where: { userId: user.id } })).toBe(0);
});

it("a wrong password does not even tell an unverified person from a stranger", async () => {
  const user = await makeUser(db(), { isVerified: false });
  const wrong = await post(loginDoor, { email: user.email, password: "Wrong-Horse-1" });
  const unknown = await post(loginDoor, { email: "stranger@example.com", password: "Wrong-Horse-1" });
  expect(wrong.status).toBe(401);
  expect({ ...wrong.json, requestId: "" }).toEqual({ ...unknown.json, requestId: "" });
  expect(wrong.json?.error).toBe("Invalid email or password. Please check your credentials and try again.");
  expect(await mailsTo(user.email)).toHaveLength(0);
});

it("a disabled person gets the answer of a wrong password", async () => {
  const user = await makeUser(db(), { disabledAt: new Date() });
  expect((await post(loginDoor, { email: user.email, password: FACTORY_PASSWORD })).status).toBe(401);
});

it("an administrator may enter without a verified address", async () => {
  const admin = await makeUser(db(), { role: "ADMIN", isVerified: false });
  const answer = await post(loginDoor, { email: admin.email, password: FACTORY_PASSWORD });
  expect(answer.status).toBe(200);
  const { token } = answer.json?.data as unknown as { token: string };
  expect((await callDoor(meDoor, "GET", { token, headers: from() })).json).toMatchObject({
    data: { role: "ADMIN", emailVerified: false },
  });
});

it("of 50 uses of one link at once one verifies, the others find it done, and strangers' tokens open nothing", async () => {
  const registered = { ...person, email: "verify@example.com" };
  await post(registerDoor, registered);
  const [mail] = await mailsTo(registered.email);
  const token = linkOf(mail as NonNullable<typeof mail>);
  const uses = await Promise.all(Array.from({ length: 50 }, (_, n) => post(verifyDoor, { token }, n + 1)));
  expect(uses.map(({ status }) => status)).toEqual(uses.map(() => 200));
  expect(await post(verifyDoor, { token: "x".repeat(43) })).toMatchObject({
    status: 400,
    json: { error: "The verification link is invalid or has expired. Please request a new verification email." },
  });
  expect((await post(loginDoor, { email: registered.email, password: registered.password })).status).toBe(200);
  const events = await db().auditEvent.findMany({ where: { eventType: "EMAIL_VERIFIED" } });
  expect(events).toHaveLength(1);
});

it("an expired link opens nothing until its owner is verified, and then says that it is done", async () => {
  const registered = { ...person, email: "expired@example.com" };
  await post(registerDoor, registered);
  const [mail] = await mailsTo(registered.email);
  const { emailTokenId } = (mail as NonNullable<typeof mail>).props as { emailTokenId: string };
  const long = new Date(Date.now() - 25 * 3_600_000);
  await db().emailToken.update({
    where: { id: emailTokenId },
    data: { createdAt: long, expiresAt: new Date(long.getTime() + 86_400_000) },
  });
  expect((await post(verifyDoor, { token: emailToken("VERIFY_EMAIL", emailTokenId) })).status).toBe(400);
  expect((await post(resendDoor, { email: registered.email })).status).toBe(200);
  const [, second] = await mailsTo(registered.email);
  expect((await post(verifyDoor, { token: linkOf(second as NonNullable<typeof second>) })).status).toBe(200);
  expect((await post(verifyDoor, { token: emailToken("VERIFY_EMAIL", emailTokenId) })).status).toBe(200);
});

it("no token of a link stands in any table", async () => {
  const [mail] = await db().outbox.findMany({ where: { template: "verify-email" }, take: 1 });
  const token = linkOf(mail as NonNullable<typeof mail>);
  const dump = JSON.stringify([
    await db().outbox.findMany(),
    await db().emailToken.findMany(),
    (await db().auditEvent.findMany()).map(({ data }) => data),
  ]);
  expect(dump).not.toContain(token);
});

it("resending answers known and unknown addresses the same, sends one mail a minute, and says so", async () => {
  const user = await makeUser(db(), { isVerified: false });
  const verified = await makeUser(db());
  for (const email of [user.email, verified.email, "stranger2@example.com"]) {
    const answers = await Promise.all([1, 2, 3].map(() => post(resendDoor, { email })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
    for (const { status, json, headers } of answers) {
      if (status === 200)
        expect(json).toMatchObject({
          data: { message: "A new verification email has been sent to your email address." },
        });
      else {
        expect(json?.error).toBe("A verification email was already requested. The next one can be sent in a minute.");
        expect(Number(headers.get("retry-after"))).toBeGreaterThan(50);
      }
    }
  }
  expect(await mailsTo(user.email)).toHaveLength(1);
  expect(await mailsTo(verified.email)).toHaveLength(0);
  expect(await mailsTo("stranger2@example.com")).toHaveLength(0);
});

it("names of people are taken as they are, with their signs; a verification mail holds none of them", async () => {
  const named = {
    ...person,
    email: "named@example.com",
    firstName: "Jean-Luc D'Arcy Jr.",
    lastName: "Ó Súilleabháin 3",
  };
  expect((await post(registerDoor, named)).json?.data).toMatchObject({ user: { firstName: named.firstName } });
  const [mail] = await mailsTo(named.email);
  expect(Object.keys(mail?.props as object)).toEqual(["emailTokenId"]);
});

it("an unconfirmed address gets five verification mails a day, by whatever call and from wherever they are asked for", async () => {
  const registered = { ...person, email: "flooded@example.com" };
  await post(registerDoor, registered);
  const gaps = ["resend", "sign-in"].map((by) => `${env().QUEUE_PREFIX}:limit:mails-verify-email-by-${by}`);
  const answers: string[] = [];
  const redis = new Redis(env().REDIS_URL ?? "");
  for (let n = 1; n <= 9; n += 1) {
    const answer =
      n % 2
        ? await post(resendDoor, { email: registered.email }, n)
        : await post(loginDoor, { email: registered.email, password: registered.password }, n);
    answers.push(answer.json?.error ?? "sent");
    // The minutes between two mails are over, the day is not.
    for (const gap of gaps) await redis.del(`${gap}:${accountKey(registered.email)}`);
  }
  await redis.quit();
  expect(answers.slice(0, 4)).toEqual(["sent", "Email verification required", "sent", "Email verification required"]);
  for (const answer of answers.slice(4)) expect(answer).toMatch(/The next one can be sent in 2[34] hours\.$/);
  expect(await mailsTo(registered.email)).toHaveLength(5);
});

it("a sign-in hands out a token and next-auth's cookie; logout ends both at once and no other sign-in", async () => {
  const user = await makeUser(db());
  const login = async () => {
    const answer = await post(loginDoor, { email: user.email.toUpperCase(), password: FACTORY_PASSWORD });
    expect(answer.status).toBe(200);
    return {
      token: (answer.json?.data as unknown as { token: string }).token,
      cookie: answer.headers.get("set-cookie") ?? "",
    };
  };
  const first = await login();
  const second = await login();
  expect(first.cookie).toContain(
    `next-auth.session-token=${first.token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200, `,
  );
  expect((await callDoor(meDoor, "GET", { token: first.token })).json).toMatchObject({
    data: { id: user.id, email: user.email },
  });
  const out = await callDoor(logoutDoor, "POST", { token: first.token });
  expect(out.status).toBe(200);
  expect(out.headers.get("set-cookie")).toContain("Max-Age=0");
  expect((await callDoor(meDoor, "GET", { token: first.token })).status).toBe(401);
  expect((await callDoor(logoutDoor, "POST", { token: first.token })).status).toBe(401);
  expect((await callDoor(meDoor, "GET", { token: second.token })).status).toBe(200);
});

it("a token dies with the user's next token version, with disabling and with deletion", async () => {
  const user = await makeUser(db());
  const token = await makeSignIn(db(), user);
  const status = async () => (await callDoor(meDoor, "GET", { token })).status;
  expect(await status()).toBe(200);
  await db().user.update({ where: { id: user.id }, data: { tokenVersion: 1 } });
  expect(await status()).toBe(401);
  await db().user.update({ where: { id: user.id }, data: { tokenVersion: 0, disabledAt: new Date() } });
  expect(await status()).toBe(401);
  await db().user.update({ where: { id: user.id }, data: { disabledAt: null } });
  expect(await status()).toBe(200);
  await db().user.delete({ where: { id: user.id } });
  expect(await status()).toBe(401);
});

it("eleven wrong passwords for one person from one address are ten too many; others are not locked out", async () => {
  const user = await makeUser(db());
  const other = await makeUser(db());
  const guesses = await Promise.all(
    Array.from({ length: 11 }, () => post(loginDoor, { email: user.email, password: "Wrong-Horse-1" })),
  );
  expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
  const blocked = guesses.find(({ status }) => status === 429);
  expect(blocked?.json).toMatchObject({
    code: "too_many_requests",
    error: "Too many requests. Please try again in 15 minutes.",
  });
  expect(Number(blocked?.headers.get("retry-after"))).toBeGreaterThan(800);
  expect((await post(loginDoor, { email: user.email, password: FACTORY_PASSWORD })).status).toBe(429);
  expect((await post(loginDoor, { email: other.email, password: FACTORY_PASSWORD })).status).toBe(200);
  expect((await post(loginDoor, { email: user.email, password: FACTORY_PASSWORD }, 7)).status).toBe(200);
});

it("many addresses tried from one place are stopped after twenty; right passwords do not count", async () => {
  const user = await makeUser(db());
  for (let n = 0; n < 25; n += 1)
    expect((await post(loginDoor, { email: user.email, password: FACTORY_PASSWORD })).status).toBe(200);
  const statuses: number[] = [];
  for (let n = 0; n < 21; n += 1)
    statuses.push((await post(loginDoor, { email: `x${n}@example.com`, password: "Wrong-Horse-1" })).status);
  expect(statuses).toEqual([...Array<number>(20).fill(401), 429]);
});

it("after all of this the audit chain is whole", async () => {
  expect((await verifyAudit(db())).ok).toBe(true);
});
