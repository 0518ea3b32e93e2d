import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { authApi } from "@/lib/contracts/auth.ts";
import { RESET_REQUESTED } from "@/lib/contracts/auth-calls.ts";
import { verifyAudit } from "@/lib/server/audit/verify-audit.ts";
import { db } from "@/lib/server/db.ts";
import { env, forgetEnv } from "@/lib/server/env.ts";
import { counterOf } from "@/lib/server/limits/limit-counter.ts";
import { guardEnumeration } from "@/lib/server/http/enumeration-guard.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { renderMail } from "@/lib/server/mail/render-mail.ts";
import { accountKey } from "@/lib/server/secrets/device-mark.ts";
import { emailToken } from "@/lib/server/secrets/email-token.ts";
import { alertEnumeration } from "@/lib/server/services/auth/alert-enumeration.ts";
import { requestPasswordReset } from "@/lib/server/services/auth/request-password-reset.ts";
import { makeUser } from "@/prisma/factories.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import * as door from "./forgot-password/route.ts";

const ration = {
  calls: "reset" as const,
  revealingCode: "not_found" as const,
  subjectOf: ({ email }: { email: string }) => email,
  instead: async () => ({ message: RESET_REQUESTED }),
  tooMany: "Too many reset requests. Please try again later.",
  onFlood: alertEnumeration,
};
const doorWith = (pause: () => Promise<unknown>) =>
  defineMethods(
    defineRoute(
      authApi.forgotPassword,
      guardEnumeration<typeof authApi.forgotPassword>(requestPasswordReset, { ...ration, pause }),
    ),
  );
const quickDoor = doorWith(async () => undefined);

const redis = new Redis(env().REDIS_URL ?? "");
const keyOf = (counter: string, bucket: string) => `${env().QUEUE_PREFIX}:limit:${counter}:${bucket}`;
beforeAll(async () => {
  // The first points may be taken before the connection stands: those are counted in memory.
  await vi.waitFor(
    async () => {
      await counterOf("warm-up").take("x", 1_000, 60_000);
      expect(await redis.exists(keyOf("warm-up", "x"))).toBe(1);
    },
    { timeout: 15_000 },
  );
});
afterAll(() => redis.quit());

let network = 0;
let stranger = 0;
beforeEach(() => {
  process.env.TRUSTED_PROXIES = "1";
  forgetEnv();
});
/** A network without earlier calls. */
function freshAddress(): string {
  network += 1;
  return `10.${Math.floor(network / 250)}.${network % 250}.7`;
}
const unknown = () => `stranger-${(stranger += 1)}@example.com`;
const ask = (email: string, address = freshAddress(), to: Parameters<typeof callDoor>[0] = quickDoor) =>
  callDoor(to, "POST", { body: { email }, headers: { "x-forwarded-for": address } });
/** An answer without what differs from call to call. */
const comparable = ({ status, json, headers }: Awaited<ReturnType<typeof ask>>) => ({
  status,
  json: { ...json, requestId: "" },
  headers: [...headers].filter(([name]) => name !== "x-request-id"),
});
const mailsTo = (recipient: string) => db().outbox.findMany({ where: { recipient } });

it("a known address answers 200 and gets one mail with a link of half an hour; no table holds its token", async () => {
  const user = await makeUser(db(), { firstName: "Grace" });
  const before = Date.now();
  const answer = await ask(`  ${user.email.toUpperCase()} `);
  expect(answer).toMatchObject({
    status: 200,
    json: {
      success: true,
      error: null,
      data: { message: "Password reset instructions have been sent to your email address." },
    },
  });
  const [mail, ...more] = await mailsTo(user.email);
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ userId: user.id, template: "reset-password", sentAt: null, failedAt: null });
  const stored = await db().emailToken.findFirstOrThrow({ where: { userId: user.id } });
  expect(mail?.props).toEqual({ firstName: "Grace", emailTokenId: stored.id, validFor: "30 minutes" });
  expect(stored).toMatchObject({ kind: "RESET_PASSWORD", usedAt: null });
  expect(stored.expiresAt.getTime() - stored.createdAt.getTime()).toBe(30 * 60_000);
  expect(stored.createdAt.getTime()).toBeGreaterThanOrEqual(before);

  const token = emailToken("RESET_PASSWORD", stored.id);
  const rendered = await renderMail("reset-password", mail?.props);
  expect(rendered.subject).toBe("Reset your password");
  const link = `${env().APP_BASE_URL}/auth/reset-password?token=${token}`;
  expect(rendered.html).toContain(`href="${link}"`);
  expect(rendered.text).toContain(link);
  const events = await db().auditEvent.findMany({ where: { subjectUserId: user.id } });
  expect(events.map(({ eventType }) => eventType)).toEqual(["PASSWORD_RESET_REQUESTED"]);
  const dump = JSON.stringify([mail, stored, events.map(({ data }) => data)]);
  expect(dump).not.toContain(token);
});

it("an unknown address answers 404, stores no link and makes a mail that is not sent", async () => {
  const links = await db().emailToken.count();
  const waiting = await db().outbox.count({ where: { sentAt: null } });
  const email = unknown();
  expect(await ask(email)).toMatchObject({
    status: 404,
    json: { success: false, data: null, code: "not_found", error: "No account found with this email address." },
  });
  expect(await db().emailToken.count()).toBe(links);
  expect(await db().outbox.count({ where: { sentAt: null } })).toBe(waiting);
  expect(JSON.stringify(await db().outbox.findMany())).not.toContain(email);
});

it("an unverified person is known and gets the mail; a disabled one is known and gets none", async () => {
  const unverified = await makeUser(db(), { isVerified: false });
  const disabled = await makeUser(db(), { disabledAt: new Date() });
  expect(comparable(await ask(unverified.email))).toEqual(comparable(await ask(disabled.email)));
  expect(await mailsTo(unverified.email)).toHaveLength(1);
  expect(await mailsTo(disabled.email)).toHaveLength(0);
  expect(await db().emailToken.count({ where: { userId: disabled.id } })).toBe(0);
});

it.each([
  ["email", {}, '"email" is required.'],
  ["email", { email: "not-an-address" }, "Enter a valid email address."],
  ["email", { email: "a@b.co\nbcc:x@y.z" }, "Enter a valid email address."],
  ["email", { email: ["a@b.co", "c@d.co"] }, undefined],
  ["userId", { email: "a@example.com", userId: "1" }, "Unknown field: userId."],
])("a call with a wrong %s (%j) answers 400 and writes nothing", async (path, body, message) => {
  const before = await db().outbox.count();
  const answer = await callDoor(quickDoor, "POST", { body, headers: { "x-forwarded-for": freshAddress() } });
  expect(answer).toMatchObject({ status: 400, json: { code: "invalid_input", issues: [{ path }] } });
  if (message !== undefined) expect(answer.json?.error).toBe(message);
  expect(await db().outbox.count()).toBe(before);
});

it("a known and an unknown address run the very same statements", async () => {
  const statements = async (email: string) => {
    const texts: string[] = [];
    const send = vi.spyOn(pg.Client.prototype, "query");
    send.mockClear();
    const { status } = await ask(email);
    for (const [query] of send.mock.calls as unknown as [string | { text: string }][])
      texts.push(typeof query === "string" ? query : query.text);
    send.mockRestore();
    // The limits' settings are read before, once in a while, for any caller.
    return { status, texts: texts.filter((text) => !text.includes('"RateLimit"')) };
  };
  const user = await makeUser(db());
  await ask(user.email);
  const hit = await statements(user.email);
  const miss = await statements(unknown());
  expect([hit.status, miss.status]).toEqual([200, 404]);
  expect(hit.texts.filter((text) => /\binsert into/i.test(text)).length).toBeGreaterThan(1);
  expect(miss.texts).toEqual(hit.texts);
});

it("no answer leaves before the pause is over, and by then the work is done, either way", async () => {
  const user = await makeUser(db());
  for (const [email, status] of [
    [user.email, 200],
    [unknown(), 404],
  ] as const) {
    let finish: () => void = () => undefined;
    const pause = new Promise<void>((resolve) => (finish = resolve));
    const before = await db().outbox.count();
    let answered = false;
    const answer = ask(
      email,
      freshAddress(),
      doorWith(() => pause),
    ).finally(() => (answered = true));
    await expect.poll(() => db().outbox.count()).toBe(before + 1);
    expect(answered).toBe(false);
    finish();
    expect((await answer).status).toBe(status);
  }
});

it("the door's own pause is 400 ms at least, either way", async () => {
  const user = await makeUser(db());
  for (const email of [user.email, unknown()]) {
    const startedAt = performance.now();
    await ask(email, freshAddress(), door);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(398);
  }
});

it("1,000 addresses tried from one network teach three of them, however many at once", async () => {
  const user = await makeUser(db());
  const statuses: number[] = [];
  for (let batch = 0; batch < 40; batch += 1) {
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, n) => ask(unknown(), `203.0.113.${(batch * 25 + n) % 250}`)),
    );
    statuses.push(...answers.map(({ status }) => status));
  }
  expect(statuses.filter((status) => status === 404)).toHaveLength(3);
  expect(statuses.filter((status) => status === 200)).toHaveLength(997);
  // From then on a known address looks the same, and its owner gets the mail.
  const [known, stranger] = [await ask(user.email, "203.0.113.251"), await ask(unknown(), "203.0.113.252")];
  expect(known.status).toBe(200);
  expect(comparable(known)).toEqual(comparable(stranger));
  expect(await mailsTo(user.email)).toHaveLength(1);
});

it("after three misses of an hour a network is told nothing more, and its people get their mails; other networks are not affected", async () => {
  const user = await makeUser(db());
  const statuses: number[] = [];
  for (let n = 0; n < 4; n += 1) statuses.push((await ask(unknown(), `198.51.100.${n}`)).status);
  statuses.push((await ask(user.email, "198.51.100.9")).status);
  expect(statuses).toEqual([404, 404, 404, 200, 200]);
  expect(await mailsTo(user.email)).toHaveLength(1);
  expect((await ask(unknown(), "198.51.101.9")).status).toBe(404);
});

it("an address makes five calls in a quarter of an hour; its neighbours' calls are not counted with them, nor with the day's", async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 30; n += 1) statuses.push((await ask(unknown(), `192.0.2.${Math.floor(n / 6)}`)).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  const refused = await ask(unknown(), "192.0.2.1");
  expect(refused).toMatchObject({
    status: 429,
    json: { code: "too_many_requests", error: "Too many reset requests. Please try again later." },
  });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  const user = await makeUser(db());
  expect((await ask(user.email, "192.0.2.200")).status).toBe(200);
  expect(await mailsTo(user.email)).toHaveLength(1);
});

it("known addresses use up no miss: after two of them a network still learns three, of five calls in a quarter", async () => {
  const [one, other] = [await makeUser(db()), await makeUser(db())];
  const address = freshAddress();
  const statuses: number[] = [];
  for (const email of [one.email, other.email, unknown(), unknown(), unknown(), other.email])
    statuses.push((await ask(email, address)).status);
  expect(statuses).toEqual([200, 200, 404, 404, 404, 429]);
});

it("of a network of IPv6 every address is one caller", async () => {
  const statuses: number[] = [];
  for (const host of ["::1", "::2:1", ":0:1:2:3:4", "::ffff"])
    statuses.push((await ask(unknown(), `2001:db8:7${host}`)).status);
  expect(statuses).toEqual([404, 404, 404, 200]);
  const more = [await ask(unknown(), "2001:db8:7::5"), await ask(unknown(), "2001:db8:7::6")];
  expect(more.map(({ status }) => status)).toEqual([200, 429]);
});

it("one address gets three mails an hour, wherever they are asked from, and its 429 does not tell whether it is known", async () => {
  const user = await makeUser(db());
  const email = unknown();
  const fourth = async (asked: string) => {
    for (let n = 0; n < 3; n += 1) await ask(asked);
    return ask(asked);
  };
  const [known, stranger] = [await fourth(user.email), await fourth(email)];
  expect(known.status).toBe(429);
  expect(known.json).toEqual({ ...stranger.json, requestId: known.json?.requestId });
  expect(await mailsTo(user.email)).toHaveLength(3);
});

it("one address gets five mails a day, and the link of the last one holds until the next may be asked for", async () => {
  const user = await makeUser(db());
  for (let n = 0; n < 5; n += 1) {
    expect((await ask(user.email)).status).toBe(200);
    // The hour is over, the day is not.
    await redis.del(keyOf("guard-reset-subject", accountKey(user.email)));
  }
  const sixth = await ask(user.email);
  expect(sixth.status).toBe(429);
  expect(Number(sixth.headers.get("retry-after"))).toBeGreaterThan(23 * 3_600);
  const links = await db().emailToken.findMany({ where: { userId: user.id }, orderBy: { createdAt: "asc" } });
  const hours = links.map(({ createdAt, expiresAt }) => (expiresAt.getTime() - createdAt.getTime()) / 3_600_000);
  expect(hours).toEqual([0.5, 0.5, 0.5, 0.5, 24]);
  const mails = await mailsTo(user.email);
  expect(mails.filter(({ props }) => (props as { validFor: string }).validFor === "24 hours")).toHaveLength(1);
});

it("a failed look-up uses up no miss", async () => {
  const address = freshAddress();
  const broken = defineMethods(
    defineRoute(
      authApi.forgotPassword,
      guardEnumeration<typeof authApi.forgotPassword>(() => Promise.reject(new Error("lost")), {
        ...ration,
        pause: async () => undefined,
      }),
    ),
  );
  expect((await ask(unknown(), address, broken)).status).toBe(500);
  expect((await ask(unknown(), address, broken)).status).toBe(500);
  const statuses: number[] = [];
  for (let n = 0; n < 3; n += 1) statuses.push((await ask(unknown(), address)).status);
  expect(statuses).toEqual([404, 404, 404]);
});

it("callers whose address is not known learn three misses together; then all callers get the neutral answer and none is locked out", async () => {
  process.env.TRUSTED_PROXIES = "0";
  forgetEnv();
  const user = await makeUser(db());
  const answers = [];
  for (let n = 0; n < 6; n += 1) answers.push(await ask(unknown()));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 200, 200, 200]);
  expect(comparable(await ask(user.email))).toEqual(comparable(answers[5] as (typeof answers)[number]));
  expect(await mailsTo(user.email)).toHaveLength(1);
});

it("a hundred misses in ten minutes from everywhere trip the breaker: then all calls get one answer, and known people their mail", async () => {
  await redis.del(keyOf("guard-revealed-everybody", "everybody"));
  const admin = await makeUser(db(), { role: "ADMIN" });
  const statuses: number[] = [];
  for (let n = 0; n < 50; n += 1) {
    const address = freshAddress();
    for (let call = 0; call < 3; call += 1) statuses.push((await ask(unknown(), address)).status);
  }
  expect(statuses).toEqual([...Array<number>(100).fill(404), ...Array<number>(50).fill(200)]);
  // Administrators are notified, once.
  expect((await mailsTo(admin.email)).map(({ dedupeKey }) => dedupeKey)).toEqual([
    expect.stringMatching(/^alert:enumeration:\d{4}-\d\d-\d\d:/),
  ]);
  const user = await makeUser(db());
  expect(comparable(await ask(user.email))).toEqual(comparable(await ask(unknown())));
  expect(await mailsTo(user.email)).toHaveLength(1);
});

it("after all of this the audit chain is whole", async () => {
  expect((await verifyAudit(db())).ok).toBe(true);
});
