import { createECDH, randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { channelsApi } from "@/lib/contracts/channels.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { callDoor, type CallResult } from "@/lib/proof/call-door.ts";
import { done } from "@/lib/proof/fixtures/second-factor.ts";
import type { Context } from "@/lib/server/context.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { oldSecretsAt, openWebhook } from "@/lib/server/secrets/seal-webhook.ts";
import { makeAccessToken } from "@/lib/server/services/auth/access-tokens.ts";
import { subscribePush } from "@/lib/server/services/channels/push.ts";
import { removeWebhook, rotateSecret, setWebhook, testWebhook } from "@/lib/server/services/channels/webhook.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import * as quietHoursDoor from "../preferences/quiet-hours/route.ts";
import * as retryDoor from "./deliveries/[id]/retry/route.ts";
import * as deliveriesDoor from "./deliveries/route.ts";
import * as browserDoor from "./push/[id]/route.ts";
import * as pushDoor from "./push/route.ts";
import * as rotateDoor from "./webhook/rotate/route.ts";
import * as webhookDoor from "./webhook/route.ts";
import * as testDoor from "./webhook/test/route.ts";

const SETTINGS = ["WEBHOOK_ALLOW_HOSTS", "VAPID_PRIVATE_KEY"] as const;

beforeAll(() => {
  process.env.WEBHOOK_ALLOW_HOSTS = "127.0.0.1";
  process.env.VAPID_PRIVATE_KEY = randomBytes(32).toString("base64url");
  forgetEnv();
});
afterAll(() => {
  for (const name of SETTINGS) delete process.env[name];
  forgetEnv();
});

async function person() {
  const user = await makeUser(db());
  return { userId: user.id, token: await makeSignIn(db(), user) };
}
const url = "http://127.0.0.1:9/hook?key=of-the-receiver";
const eventsOf = async (userId: string) =>
  (await db().auditEvent.findMany({ where: { subjectUserId: userId }, orderBy: { seq: "asc" } })).map(
    ({ eventType }) => eventType,
  );

it("a webhook is set up with a secret that is shown once, moved, rotated, tried and removed; each is audited", async () => {
  const { userId, token } = await person();
  type Set = Answer<typeof channelsApi.setWebhook>;
  const set = await done<Set>(webhookDoor, "PUT", { token, body: { url } });
  expect(set.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(set.webhook).toMatchObject({ url, disabledAt: null, failingSince: null, oldSecretUntil: null });
  expect((await done<Set>(webhookDoor, "PUT", { token, body: { url: `${url}2` } })).secret).toBeNull();
  const read = await callDoor(webhookDoor, "GET", { token });
  expect(read.text).toContain(`${url}2`);
  expect(read.text).not.toContain("whsec_");
  const rotated = await done<Answer<typeof channelsApi.rotateSecret>>(rotateDoor, "POST", { token, body: {} });
  expect(rotated.secret).not.toBe(set.secret);
  const row = await db().webhook.findUniqueOrThrow({ where: { userId } });
  expect(openWebhook(row.sealedTarget, userId)).toMatchObject({
    url: `${url}2`,
    secret: rotated.secret,
    oldSecret: { secret: set.secret, until: rotated.webhook.oldSecretUntil },
  });
  expect(JSON.stringify(row)).not.toMatch(/whsec_|of-the-receiver/);
  const { id } = await done<{ id: string }>(testDoor, "POST", { token, body: {} });
  type List = Answer<typeof channelsApi.deliveries>;
  const waiting = (await done<List>(deliveriesDoor, "GET", { token })).deliveries.find((one) => one.id === id);
  expect(waiting).toMatchObject({ kind: "TEST", state: "WAITING", attempts: 0, canRetry: false });
  await done(webhookDoor, "DELETE", { token });
  const dropped = (await done<List>(deliveriesDoor, "GET", { token })).deliveries.find((one) => one.id === id);
  expect(dropped).toMatchObject({ state: "FAILED", lastError: "the webhook was removed", canRetry: false });
  expect((await callDoor(testDoor, "POST", { token, body: {} })).status).toBe(409);
  expect(await eventsOf(userId)).toEqual(["WEBHOOK_SET", "WEBHOOK_SET", "WEBHOOK_SECRET_ROTATED", "WEBHOOK_REMOVED"]);
  const news = await db().notification.findMany({ where: { userId, kind: "SECURITY" } });
  expect(news.map(({ title }) => title)).toEqual(["A webhook was set up", "A webhook was set up"]);
});

it("a webhook whose seal cannot be opened is shown as switched off, and can be set up anew and removed", async () => {
  const { userId, token } = await person();
  const set = () => done<Answer<typeof channelsApi.setWebhook>>(webhookDoor, "PUT", { token, body: { url } });
  const first = await set();
  const lose = () => db().webhook.update({ where: { userId }, data: { sealedTarget: "lost" } });
  await lose();
  const { webhook } = await done<Answer<typeof channelsApi.readWebhook>>(webhookDoor, "GET", { token });
  expect(webhook).toMatchObject({ url: "", disabledReason: "the stored address cannot be opened" });
  expect((await callDoor(rotateDoor, "POST", { token, body: {} })).status).toBe(409);
  const second = await set();
  expect(second.secret).toMatch(/^whsec_/);
  expect(second.secret).not.toBe(first.secret);
  expect(second.webhook).toMatchObject({ url, disabledAt: null });
  await lose();
  await done(webhookDoor, "DELETE", { token });
  expect(await db().webhook.count({ where: { userId } })).toBe(0);
});

it("every secret that was replaced within a day goes on signing, so that its receiver is not locked out by a second click", async () => {
  const { userId, token } = await person();
  const rotate = () => callDoor(rotateDoor, "POST", { token, body: {} });
  const secretOf = ({ json }: CallResult) => (json?.data as unknown as { secret: string }).secret;
  const first = secretOf(await callDoor(webhookDoor, "PUT", { token, body: { url } }));
  const second = secretOf(await rotate());
  const third = secretOf(await rotate());
  const signingAt = async (at: Date) => {
    const { sealedTarget } = await db().webhook.findUniqueOrThrow({ where: { userId } });
    return oldSecretsAt(openWebhook(sealedTarget, userId), at).map(({ secret }) => secret);
  };
  expect(await signingAt(new Date())).toEqual([second, first]);
  expect(await signingAt(new Date(Date.now() + 25 * 3_600_000))).toEqual([]);
  // Moved, it keeps them.
  await callDoor(webhookDoor, "PUT", { token, body: { url: `${url}2` } });
  expect(await signingAt(new Date())).toEqual([second, first]);
  const answers = [];
  for (let n = 0; n < 4; n += 1) answers.push((await rotate()).status);
  expect(answers).toEqual([200, 200, 200, 409]);
  expect(await signingAt(new Date())).toContain(first);
  expect(await signingAt(new Date())).toContain(third);
});

it("what waits for a webhook that moves names its new receiver, and so does what is sent again", async () => {
  const { userId, token } = await person();
  await callDoor(webhookDoor, "PUT", { token, body: { url } });
  const { id } = await done<{ id: string }>(testDoor, "POST", { token, body: {} });
  const failed = await done<{ id: string }>(testDoor, "POST", { token, body: {} });
  await db().delivery.update({ where: { id: failed.id }, data: { attempts: 3, failedAt: new Date() } });
  const moved = "http://127.0.0.1:10/hook";
  await callDoor(webhookDoor, "PUT", { token, body: { url: moved } });
  const targets = async () =>
    Object.fromEntries((await db().delivery.findMany({ where: { userId } })).map((row) => [row.id, row.target]));
  expect(await targets()).toMatchObject({ [id]: "127.0.0.1:10", [failed.id]: "127.0.0.1:9" });
  await done(retryDoor, "POST", { token, body: {}, params: { id: failed.id } });
  expect(await targets()).toMatchObject({ [failed.id]: "127.0.0.1:10" });
});

it.each<[string, (userId: string) => Promise<unknown>]>([
  ["ended", (userId) => db().signIn.updateMany({ where: { userId }, data: { revokedAt: new Date() } })],
  ["an erased person's", (userId) => db().signIn.deleteMany({ where: { userId } })],
])("a sign-in that is %s by the time of the change sets up no webhook, browser or access token", async (_, happen) => {
  const { userId } = await person();
  const { id } = await db().signIn.findFirstOrThrow({ where: { userId } });
  // The caller was let in before.
  const context: Context<"user"> = {
    ...systemContext("test"),
    actor: { kind: "user", userId, role: "USER", signInId: id },
  };
  await happen(userId);
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  const keys = { p256dh: pair.getPublicKey().toString("base64url"), auth: randomBytes(16).toString("base64url") };
  for (const call of [
    () => setWebhook(context, { url }),
    () => subscribePush(context, { endpoint: `https://push.example.com/${randomUUID()}`, keys }),
    () => makeAccessToken(context, { name: "late", scope: "READ", expiresInDays: 7 }),
  ])
    await expect(call()).rejects.toMatchObject({ code: "unauthenticated" });
  const where = { userId };
  expect(
    await Promise.all([
      db().webhook.count({ where }),
      db().pushSubscription.count({ where }),
      db().accessToken.count({ where }),
    ]),
  ).toEqual([0, 0, 0]);
});

it("a sign-in that has ended by the time of the change learns no new secret of the webhook, and neither removes nor tests it", async () => {
  const { userId, token } = await person();
  await done(webhookDoor, "PUT", { token, body: { url } });
  const { id } = await db().signIn.findFirstOrThrow({ where: { userId } });
  const context: Context<"user"> = {
    ...systemContext("test"),
    actor: { kind: "user", userId, role: "USER", signInId: id },
  };
  const stored = async () => [
    await db().webhook.findUniqueOrThrow({ where: { userId } }),
    await db().delivery.count({ where: { userId } }),
  ];
  const before = await stored();
  await db().signIn.update({ where: { id }, data: { revokedAt: new Date() } });
  for (const call of [rotateSecret, testWebhook, removeWebhook])
    await expect.soft(call(context), call.name).rejects.toMatchObject({ code: "unauthenticated" });
  expect(await stored()).toEqual(before);
});

it.each([
  "http://10.0.0.1/",
  "https://169.254.169.254/",
  "https://user:x@hooks.example.com/",
  "https://localhost/",
  "nowhere",
])("a webhook to %s is refused at its field", async (address) => {
  const { userId, token } = await person();
  const answer = await callDoor(webhookDoor, "PUT", { token, body: { url: address } });
  expect(answer).toMatchObject({ status: 400, json: { issues: [{ path: "url" }] } });
  expect(await db().webhook.count({ where: { userId } })).toBe(0);
});

it("a delivery that failed is sent again under its id, and another person's is not found", async () => {
  const [one, other] = [await person(), await person()];
  await done(webhookDoor, "PUT", { token: one.token, body: { url } });
  const { id } = await done<{ id: string }>(testDoor, "POST", { token: one.token, body: {} });
  await db().delivery.update({ where: { id }, data: { attempts: 8, failedAt: new Date() } });
  const retry = (token: string) => callDoor(retryDoor, "POST", { token, body: {}, params: { id } });
  expect((await retry(other.token)).status).toBe(404);
  expect((await retry(one.token)).status).toBe(200);
  expect(await db().delivery.findUniqueOrThrow({ where: { id } })).toMatchObject({ attempts: 0, failedAt: null });
});

it("a browser is added once, goes to who uses it next with the same keys alone, and is removed", async () => {
  const [one, other] = [await person(), await person()];
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  const keys = { p256dh: pair.getPublicKey().toString("base64url"), auth: randomBytes(16).toString("base64url") };
  const body = { endpoint: `http://127.0.0.1:9/${randomUUID()}`, keys };
  const first = await done<{ id: string }>(pushDoor, "POST", { token: one.token, body });
  expect(await done(pushDoor, "POST", { token: one.token, body })).toEqual(first);
  const written = { ...body, endpoint: body.endpoint.replace("127", "%3127") };
  expect(await done(pushDoor, "POST", { token: one.token, body: written })).toEqual(first);
  const forged = { ...body, keys: { ...keys, auth: randomBytes(16).toString("base64url") } };
  expect((await callDoor(pushDoor, "POST", { token: other.token, body: forged })).status).toBe(409);
  const { id } = await done<{ id: string }>(pushDoor, "POST", { token: other.token, body });
  expect(await db().pushSubscription.findMany({ where: { endpoint: body.endpoint } })).toMatchObject([
    { id, userId: other.userId },
  ]);
  const remove = (token: string) => callDoor(browserDoor, "DELETE", { token, params: { id } });
  expect((await remove(one.token)).status).toBe(404);
  expect((await remove(other.token)).status).toBe(200);
  expect(await eventsOf(other.userId)).toEqual(["PUSH_SUBSCRIBED", "PUSH_UNSUBSCRIBED"]);
  const bad = { ...body, keys: { ...keys, p256dh: Buffer.alloc(65, 4).toString("base64url") } };
  expect((await callDoor(pushDoor, "POST", { token: one.token, body: bad })).status).toBe(400);
});

it("quiet hours are saved, read and switched off, and what they held is looked at again", async () => {
  const { userId, token } = await person();
  const quietHours = { from: 1_320, to: 420, timeZone: "America/New_York" };
  await done(quietHoursDoor, "PUT", { token, body: { quietHours } });
  expect(await done(quietHoursDoor, "GET", { token })).toEqual({ quietHours });
  const later = new Date(Date.now() + 3_600_000);
  const held = { userId, channel: "PUSH" as const, targetId: randomUUID(), target: "a browser", dedupeKey: "held" };
  const { id } = await db().delivery.create({ data: { ...held, payload: {}, dueAt: later } });
  await done(quietHoursDoor, "PUT", { token, body: { quietHours: null } });
  expect(await done(quietHoursDoor, "GET", { token })).toEqual({ quietHours: null });
  expect((await db().delivery.findUniqueOrThrow({ where: { id } })).dueAt.getTime()).toBeLessThan(later.getTime());
  for (const wrong of [
    { ...quietHours, to: 1_320 },
    { ...quietHours, timeZone: "Mars/Base" },
    { ...quietHours, from: -1 },
  ])
    expect((await callDoor(quietHoursDoor, "PUT", { token, body: { quietHours: wrong } })).status).toBe(400);
});
