import { spawn } from "node:child_process";
import { createECDH, createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { createLog } from "@/lib/server/log.ts";
import { newWebhookSecret, sealWebhook } from "@/lib/server/secrets/seal-webhook.ts";
import { pushPublicKey } from "@/lib/server/outgoing/push-keys.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { programArgs } from "@/lib/proof/bundled.ts";
import { addBrowser, decryptedPush } from "@/lib/proof/fixtures/browser.ts";
import { type Receiver, startReceiver } from "@/lib/proof/fixtures/receiver.ts";
import { makeUser } from "@/prisma/factories.ts";
import { notify, renewNotification } from "../../core/notify.ts";
import { sendDueDeliveries } from "./send-due-deliveries.ts";

let receiver: Receiver;

const lines: string[] = [];
let now = new Date();
const context = {
  ...systemContext("test"),
  now: () => now,
  log: createLog("test", { write: (line: string) => void lines.push(line) }),
};
const later = (ms: number) => (now = new Date(now.getTime() + ms));
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

beforeAll(async () => {
  receiver = await startReceiver();
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  Object.assign(process.env, {
    WEBHOOK_ALLOW_HOSTS: "127.0.0.1",
    VAPID_PRIVATE_KEY: pair.getPrivateKey().toString("base64url").padStart(43, "A"),
    APP_BASE_URL: "https://trade.example",
    TRUSTED_PROXIES: "1",
  });
  forgetEnv();
});
afterAll(() => receiver.close());
beforeEach(async () => {
  receiver.received.length = 0;
  lines.length = 0;
  receiver.answer = () => 204;
  now = new Date("2026-06-02T15:00:00.000Z");
  await db().delivery.deleteMany();
});

async function withWebhook(url = `${receiver.base}/hook`) {
  const user = await makeUser(db());
  const secret = newWebhookSecret();
  const sealedTarget = sealWebhook({ url, secret, oldSecret: null }, user.id);
  const webhook = await db().webhook.create({ data: { userId: user.id, host: "127.0.0.1", sealedTarget } });
  return { user, secret, webhook };
}

type Told = Parameters<typeof notify>[1];
const tell = (userId: string, more: Partial<Told> = {}) =>
  notify(db(), {
    userId,
    dedupeKey: randomUUID(),
    at: now,
    marketAt: new Date("2020-02-03T15:05:00.000Z"),
    kind: "ORDER",
    title: "Order sent: Buy 10 AAPL",
    text: "Momentum entry",
    link: "/trade-history/1",
    environment: "PAPER",
    ...more,
  });

describe("a webhook", () => {
  it("gets what the bell says, signed, with a link into the product and its time on both clocks", async () => {
    const { user, secret } = await withWebhook();
    await tell(user.id);
    expect(await sendDueDeliveries(context)).toEqual({ delivered: 1, failed: 0 });
    const row = await db().delivery.findFirstOrThrow();
    expect(row).toMatchObject({ attempts: 1, lastStatus: 204, lastError: null, failedAt: null });
    const [one] = receiver.received;
    expect(JSON.parse(String(one?.body))).toEqual({
      id: row.id,
      type: "notification.order",
      createdAt: "2026-06-02T15:00:00.000Z",
      marketAt: "2020-02-03T15:05:00.000Z",
      title: "Order sent: Buy 10 AAPL",
      text: "Momentum entry",
      environment: "PAPER",
      link: "https://trade.example/trade-history/1",
    });
    expect(one?.headers["webhook-id"]).toBe(row.id);
    expect(one?.headers["webhook-timestamp"]).toBe(String(now.getTime() / 1_000));
    const signed = `${row.id}.${now.getTime() / 1_000}.${String(one?.body)}`;
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const signature = createHmac("sha256", key).update(signed).digest("base64");
    expect(one?.headers["webhook-signature"]).toBe(`v1,${signature}`);
  });

  it("is signed with the secret before a rotation, too, for as long as that holds", async () => {
    const { user, webhook } = await withWebhook();
    now = new Date();
    const [secret, old] = [newWebhookSecret(), newWebhookSecret()];
    const until = new Date(now.getTime() + DAY_MS).toISOString();
    const sealedTarget = sealWebhook(
      { url: `${receiver.base}/hook`, secret, oldSecret: { secret: old, until } },
      user.id,
    );
    await db().webhook.update({ where: { id: webhook.id }, data: { sealedTarget } });
    await tell(user.id);
    await sendDueDeliveries(context);
    const headers = receiver.received[0]?.headers as Record<string, string>;
    for (const each of [secret, old])
      expect(() => new Webhook(each).verify(String(receiver.received[0]?.body), headers)).not.toThrow();
    later(DAY_MS + 1);
    await tell(user.id);
    await sendDueDeliveries(context);
    expect(receiver.received[1]?.headers["webhook-signature"]?.toString().split(" ")).toHaveLength(1);
  });

  it("gets each event once, however often it is reported and however many workers send", async () => {
    const { user } = await withWebhook();
    for (let n = 0; n < 20; n += 1)
      for (let again = 0; again < 2; again += 1) await tell(user.id, { dedupeKey: `event-${n}` });
    const tallies = await Promise.all([1, 2, 3, 4].map(() => sendDueDeliveries(context)));
    expect(tallies.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(20);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(20);
    expect(receiver.received).toHaveLength(20);
  });

  it("hears of an order that fills in parts: what waits says the newest, what has arrived is followed by another", async () => {
    const { user } = await withWebhook();
    const fill = (text: string) =>
      renewNotification(db(), {
        userId: user.id,
        dedupeKey: "fill",
        at: now,
        kind: "TRADE",
        title: "Bought AAPL",
        text,
      });
    await fill("2 of 10");
    await fill("5 of 10");
    await sendDueDeliveries(context);
    await fill("10 of 10");
    await sendDueDeliveries(context);
    expect(receiver.received.map(({ body }) => (JSON.parse(String(body)) as { text: string }).text)).toEqual([
      "5 of 10",
      "10 of 10",
    ]);
    expect(await db().notification.count({ where: { userId: user.id } })).toBe(1);
  });

  it("that is down for ten minutes gets everything afterwards, each id once; the bell did not wait", async () => {
    const { user } = await withWebhook();
    receiver.answer = () => 503;
    const end = now.getTime() + 10 * MINUTE_MS;
    for (let n = 0; now.getTime() < end; n += 1) {
      await tell(user.id, { dedupeKey: `event-${n}` });
      await sendDueDeliveries(context);
      later(MINUTE_MS);
    }
    expect(await db().notification.count({ where: { userId: user.id } })).toBe(10);
    expect(await db().delivery.count({ where: { deliveredAt: { not: null } } })).toBe(0);
    receiver.answer = () => 204;
    receiver.received.length = 0;
    for (let round = 0; round < 60 && (await db().delivery.count({ where: { deliveredAt: null } })) > 0; round += 1) {
      await sendDueDeliveries(context);
      later(MINUTE_MS);
    }
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(10);
    expect(ids).toHaveLength(10);
    expect((await db().webhook.findUniqueOrThrow({ where: { userId: user.id } })).failingSince).toBeNull();
  });

  it("one that is down holds up no other, and is asked once in a run", async () => {
    const [down, up] = [await withWebhook(`${receiver.base}/down`), await withWebhook(`${receiver.base}/up`)];
    receiver.answer = ({ path }) => (path === "/down" ? 500 : 204);
    for (let n = 0; n < 5; n += 1) await tell(down.user.id);
    await tell(up.user.id);
    expect(await sendDueDeliveries(context)).toEqual({ delivered: 1, failed: 1 });
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(["/down", "/up"]);
  });

  it("whose worker is killed between its yes and our note of it gets the same id again, and nothing is lost", async () => {
    const { user } = await withWebhook();
    // Its clock is the real one.
    now = new Date();
    await tell(user.id, { at: new Date(0) });
    const { id } = await db().delivery.findFirstOrThrow();
    const program = await programArgs("lib/proof/crash/deliveries-child.ts");
    const child = spawn(process.execPath, program, { env: process.env, stdio: "ignore" });
    const ended = once(child, "exit");
    const reached = new Promise<void>((resolve) => {
      receiver.answer = async () => {
        resolve();
        await ended;
        return 204;
      };
    });
    await Promise.race([reached, ended.then(() => Promise.reject(new Error("the worker ended by itself")))]);
    child.kill("SIGKILL");
    await ended;
    expect(await db().delivery.findFirstOrThrow()).toMatchObject({ attempts: 1, deliveredAt: null, failedAt: null });
    receiver.answer = () => 204;
    now = new Date();
    expect(await sendDueDeliveries(context)).toEqual({ delivered: 0, failed: 0 });
    now = new Date(Date.now() + MINUTE_MS + 1_000);
    expect(await sendDueDeliveries(context)).toEqual({ delivered: 1, failed: 0 });
    expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([id, id]);
  });

  it("is tried eight times in a day and then no more; the row says what came back, and no log names where it went", async () => {
    const { user } = await withWebhook(`${receiver.base}/hook-of-a-secret-name`);
    receiver.answer = () => 500;
    await tell(user.id);
    const began = now.getTime();
    for (let n = 0; n < 8; n += 1) {
      await sendDueDeliveries(context);
      now = (await db().delivery.findFirstOrThrow()).dueAt;
    }
    expect(await db().delivery.findFirstOrThrow()).toMatchObject({
      attempts: 8,
      lastStatus: 500,
      lastError: "answered 500",
    });
    expect((await db().delivery.findFirstOrThrow()).failedAt).not.toBeNull();
    expect(now.getTime() - began).toBeLessThan(DAY_MS);
    later(DAY_MS);
    expect(await sendDueDeliveries(context)).toEqual({ delivered: 0, failed: 0 });
    expect(receiver.received).toHaveLength(8);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join("\n")).not.toMatch(/hook-of-a-secret-name|whsec_|127\.0\.0\.1/);
  });

  /** All attempts of the deliveries that wait, each at its time, until the last one is given up. */
  async function giveUp(): Promise<void> {
    const next = () =>
      db().delivery.findFirst({ where: { deliveredAt: null, failedAt: null }, orderBy: { dueAt: "asc" } });
    for (let due = await next(); due !== null; due = await next()) {
      if (due.dueAt > now) now = due.dueAt;
      await sendDueDeliveries(context);
    }
  }
  const switchedOff = async (id: string) => (await db().webhook.findUniqueOrThrow({ where: { id } })).disabledAt;

  it("that failed once, and again three days later, is not switched off; a success in between begins the count anew", async () => {
    const { user, webhook } = await withWebhook();
    receiver.answer = () => 500;
    await tell(user.id);
    await giveUp();
    later(3 * DAY_MS);
    await tell(user.id);
    await sendDueDeliveries(context);
    expect(await switchedOff(webhook.id)).toBeNull();
    receiver.answer = () => 204;
    later(MINUTE_MS);
    expect(await sendDueDeliveries(context)).toEqual({ delivered: 1, failed: 0 });
    receiver.answer = () => 500;
    later(3 * DAY_MS);
    await tell(user.id);
    await giveUp();
    expect(await switchedOff(webhook.id)).toBeNull();
  });

  it.each([
    ["that says it is gone is switched off at once", 410, 0],
    ["that took nothing for three days, through all attempts of its deliveries, is switched off", 500, 3 * DAY_MS],
  ])("%s, and its owner hears of it in the pages and by mail", async (_, status, afterMs) => {
    const { user, webhook } = await withWebhook();
    receiver.answer = () => status;
    await tell(user.id);
    if (afterMs === 0) await sendDueDeliveries(context);
    else {
      await giveUp();
      expect(await switchedOff(webhook.id)).toBeNull();
      later(afterMs);
      await tell(user.id);
      await giveUp();
    }
    const off = await db().webhook.findUniqueOrThrow({ where: { id: webhook.id } });
    expect(off.disabledAt).toEqual(now);
    const subject = "Your webhook was switched off";
    expect(await db().notification.count({ where: { userId: user.id, title: subject } })).toBe(1);
    const mails = await db().outbox.findMany({ where: { userId: user.id } });
    expect(mails.map(({ props }) => (props as { subject: string }).subject)).toEqual([subject]);
    expect(await db().delivery.count({ where: { deliveredAt: null, failedAt: null } })).toBe(0);
    // What happens from now on is not queued for it.
    const before = await db().delivery.count();
    await tell(user.id);
    expect(await db().delivery.count()).toBe(before);
  });

  it("does not get what its owner switched off meanwhile, nor anything of a disabled user; what is about security it gets", async () => {
    const { user } = await withWebhook();
    await tell(user.id);
    await tell(user.id, { kind: "SECURITY", title: "Your password was changed" });
    const { user: disabled } = await withWebhook(`${receiver.base}/disabled`);
    await tell(disabled.id);
    await db().user.update({ where: { id: disabled.id }, data: { disabledAt: now } });
    await db().notificationPreferences.update({ where: { userId: user.id }, data: { orderNotifications: false } });
    expect(await sendDueDeliveries(context)).toEqual({ delivered: 1, failed: 0 });
    expect(receiver.received).toHaveLength(1);
    expect(String(receiver.received[0]?.body)).toContain("Your password was changed");
  });

  it("is never connected to where its name leads into this network", async () => {
    process.env.WEBHOOK_ALLOW_HOSTS = "";
    forgetEnv();
    try {
      const { user } = await withWebhook("https://rebound.example/hook");
      await tell(user.id);
      const resolve = () => Promise.resolve(["127.0.0.1"]);
      expect(await sendDueDeliveries(context, { resolve })).toEqual({ delivered: 0, failed: 1 });
      expect((await db().delivery.findFirstOrThrow()).lastError).toBe(
        "This address does not lead to a server on the public internet.",
      );
      expect(receiver.received).toEqual([]);
    } finally {
      process.env.WEBHOOK_ALLOW_HOSTS = "127.0.0.1";
      forgetEnv();
    }
  });
});

describe("a push", () => {
  it("reaches each browser once, encrypted for it alone and signed by this installation", async () => {
    const user = await makeUser(db());
    const browsers = [await addBrowser(user.id, receiver.base), await addBrowser(user.id, receiver.base)];
    await tell(user.id);
    expect(await sendDueDeliveries(context)).toEqual({ delivered: 2, failed: 0 });
    const { id } = await db().notification.findFirstOrThrow({ where: { userId: user.id } });
    for (const browser of browsers) {
      const [one, ...more] = receiver.received.filter(({ path }) => path === browser.path);
      expect(more).toEqual([]);
      expect(decryptedPush(browser, one?.body ?? Buffer.alloc(0))).toEqual({
        tag: id,
        title: "Order sent: Buy 10 AAPL",
        text: "Momentum entry",
        environment: "PAPER",
        link: "/trade-history/1",
      });
      expect(one?.headers).toMatchObject({
        "content-encoding": "aes128gcm",
        topic: id.replaceAll("-", ""),
        ttl: "86400",
      });
      const signed = /^vapid t=([^,]+), k=(.+)$/.exec(one?.headers.authorization ?? "");
      expect(signed?.[2]).toBe(pushPublicKey());
      const claims = JSON.parse(Buffer.from(signed?.[1]?.split(".")[1] ?? "", "base64url").toString()) as object;
      expect(claims).toMatchObject({ aud: receiver.base, sub: expect.stringMatching(/^mailto:/) });
      expect(one?.body.toString("latin1")).not.toContain("AAPL");
    }
    const [row] = await db().pushSubscription.findMany({ where: { userId: user.id } });
    expect(row?.lastUsedAt).toEqual(now);
  });

  it.each([404, 410])("whose browser is gone (%i) removes the subscription and what waits for it", async (status) => {
    const user = await makeUser(db());
    await addBrowser(user.id, receiver.base);
    receiver.answer = () => status;
    await tell(user.id);
    await tell(user.id);
    await sendDueDeliveries(context);
    expect(await db().pushSubscription.count({ where: { userId: user.id } })).toBe(0);
    expect(await db().delivery.count({ where: { deliveredAt: null, failedAt: null } })).toBe(0);
  });

  it("that cannot be made is a failed delivery like any other, and others' deliveries go out", async () => {
    const poor = await makeUser(db());
    const browsers = await Promise.all(Array.from({ length: 9 }, () => addBrowser(poor.id, receiver.base)));
    await db().pushSubscription.updateMany({ where: { userId: poor.id }, data: { p256dh: "no point of the curve" } });
    await tell(poor.id);
    later(1_000);
    const { user } = await withWebhook();
    await tell(user.id);
    expect(await sendDueDeliveries(context)).toEqual({ delivered: 1, failed: browsers.length });
    expect(await db().delivery.findFirst({ where: { userId: poor.id } })).toMatchObject({
      attempts: 1,
      lastError: "could not be prepared",
      dueAt: new Date(now.getTime() + MINUTE_MS),
    });
  });

  it("goes to where the stored address leads, however it is written", async () => {
    const user = await makeUser(db());
    const { id, path } = await addBrowser(user.id, receiver.base);
    const endpoint = `${receiver.base.replace("127.0.0.1", "%3127.0.0.1")}${path}`;
    await db().pushSubscription.update({ where: { id }, data: { endpoint } });
    await tell(user.id);
    expect(await sendDueDeliveries(context)).toEqual({ delivered: 1, failed: 0 });
  });

  it("of the longest notification in any script is no larger than push services take", async () => {
    const user = await makeUser(db());
    const browser = await addBrowser(user.id, receiver.base);
    await tell(user.id, { title: "株".repeat(200), text: "🚢".repeat(500) });
    await sendDueDeliveries(context);
    expect(receiver.received[0]?.body.length).toBeLessThanOrEqual(4_096);
    expect(decryptedPush(browser, receiver.received[0]?.body ?? Buffer.alloc(0))).toMatchObject({
      link: "/trade-history/1",
    });
  });

  it("waits for the end of the quiet hours, with its newest words; what is urgent, the bell and the webhook do not", async () => {
    const { user } = await withWebhook();
    const browser = await addBrowser(user.id, receiver.base);
    const quiet = { quietFrom: 22 * 60, quietTo: 7 * 60, quietTimeZone: "America/New_York" };
    await db().notificationPreferences.update({ where: { userId: user.id }, data: quiet });
    now = new Date("2026-06-02T03:00:00.000Z");
    const fill = (text: string) =>
      renewNotification(db(), {
        userId: user.id,
        dedupeKey: "fill",
        at: now,
        kind: "TRADE",
        title: "Bought AAPL",
        text,
      });
    await fill("2 of 10");
    await tell(user.id, { kind: "SECURITY", title: "A new sign-in" });
    await tell(user.id, { kind: "SYSTEM", title: "Your account is halted", isUrgent: true });
    await sendDueDeliveries(context);
    await fill("10 of 10");
    await sendDueDeliveries(context);
    const shown = () =>
      receiver.received
        .filter(({ path }) => path === browser.path)
        .map(({ body }) => {
          const { title, text } = decryptedPush(browser, body) as { title: string; text: string };
          return `${title}: ${text}`;
        });
    expect(shown().sort()).toEqual(["A new sign-in: Momentum entry", "Your account is halted: Momentum entry"]);
    expect(receiver.received.filter(({ path }) => path === "/hook")).toHaveLength(4);
    expect(await db().notification.count({ where: { userId: user.id } })).toBe(3);
    const held = await db().delivery.findFirstOrThrow({ where: { channel: "PUSH", deliveredAt: null } });
    expect(held).toMatchObject({ attempts: 0, dueAt: new Date("2026-06-02T11:00:00.000Z") });
    now = held.dueAt;
    await sendDueDeliveries(context);
    expect(shown().at(-1)).toBe("Bought AAPL: 10 of 10");
    expect(shown()).toHaveLength(3);
  });
});
