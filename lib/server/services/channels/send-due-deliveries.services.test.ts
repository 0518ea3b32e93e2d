import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { db } from "../../db.ts";
import { forgetEnv } from "../../env.ts";
import { newWebhookSecret, sealWebhook } from "../../secrets/seal-webhook.ts";
import { programArgs } from "@/lib/proof/bundled.ts";
import {
  clock,
  context,
  DAY_MS,
  later,
  lines,
  MINUTE_MS,
  receiveDeliveries,
  receiver,
  tell,
  tellFill,
  withWebhook,
} from "@/lib/proof/fixtures/deliveries.ts";
import { sendDueDeliveries } from "./send-due-deliveries.ts";

receiveDeliveries();

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
      notificationId: row.notificationId,
      type: "notification.order",
      createdAt: "2026-06-02T15:00:00.000Z",
      marketAt: "2020-02-03T15:05:00.000Z",
      title: "Order sent: Buy 10 AAPL",
      text: "Momentum entry",
      environment: "PAPER",
      link: "https://trade.example/trade-history/1",
    });
    expect(one?.headers["webhook-id"]).toBe(row.id);
    expect(one?.headers["webhook-timestamp"]).toBe(String(clock.now.getTime() / 1_000));
    const signed = `${row.id}.${clock.now.getTime() / 1_000}.${String(one?.body)}`;
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const signature = createHmac("sha256", key).update(signed).digest("base64");
    expect(one?.headers["webhook-signature"]).toBe(`v1,${signature}`);
  });

  it("is signed with the secret before a rotation, too, for as long as that holds", async () => {
    const { user, webhook } = await withWebhook();
    clock.now = new Date();
    const [secret, old] = [newWebhookSecret(), newWebhookSecret()];
    const until = new Date(clock.now.getTime() + DAY_MS).toISOString();
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
    await tellFill(user.id, "2 of 10");
    await tellFill(user.id, "5 of 10");
    await sendDueDeliveries(context);
    await tellFill(user.id, "10 of 10");
    await sendDueDeliveries(context);
    expect(receiver.received.map(({ body }) => (JSON.parse(String(body)) as { text: string }).text)).toEqual([
      "5 of 10",
      "10 of 10",
    ]);
    // A receiver that adds up shares counts each notification once.
    const { id } = await db().notification.findFirstOrThrow({ where: { userId: user.id } });
    for (const { body } of receiver.received) expect(JSON.parse(String(body))).toMatchObject({ notificationId: id });
    expect(await db().notification.count({ where: { userId: user.id } })).toBe(1);
  });

  it("that is down for ten minutes gets everything afterwards, each id once; the bell did not wait", async () => {
    const { user } = await withWebhook();
    receiver.answer = () => 503;
    const end = clock.now.getTime() + 10 * MINUTE_MS;
    for (let n = 0; clock.now.getTime() < end; n += 1) {
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
    clock.now = new Date();
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
    clock.now = new Date();
    expect(await sendDueDeliveries(context)).toEqual({ delivered: 0, failed: 0 });
    clock.now = new Date(Date.now() + MINUTE_MS + 1_000);
    expect(await sendDueDeliveries(context)).toEqual({ delivered: 1, failed: 0 });
    expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([id, id]);
  });

  it("is tried eight times in a day and then no more; the row says what came back, and no log names where it went", async () => {
    const { user } = await withWebhook(`${receiver.base}/hook-of-a-secret-name`);
    receiver.answer = () => 500;
    await tell(user.id);
    const began = clock.now.getTime();
    for (let n = 0; n < 8; n += 1) {
      await sendDueDeliveries(context);
      clock.now = (await db().delivery.findFirstOrThrow()).dueAt;
    }
    expect(await db().delivery.findFirstOrThrow()).toMatchObject({
      attempts: 8,
      lastStatus: 500,
      lastError: "answered 500",
    });
    expect((await db().delivery.findFirstOrThrow()).failedAt).not.toBeNull();
    expect(clock.now.getTime() - began).toBeLessThan(DAY_MS);
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
      if (due.dueAt > clock.now) clock.now = due.dueAt;
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
    expect(off.disabledAt).toEqual(clock.now);
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

  it("whose address was changed while its old one answered that it is gone stays on, and gets the delivery", async () => {
    const { user, webhook } = await withWebhook(`${receiver.base}/old`);
    await tell(user.id);
    receiver.answer = async ({ path }) => {
      if (path === "/new") return 204;
      const target = { url: `${receiver.base}/new`, secret: newWebhookSecret(), oldSecret: null };
      await db().webhook.update({
        where: { id: webhook.id },
        data: { sealedTarget: sealWebhook(target, user.id), failingSince: null },
      });
      return 410;
    };
    expect(await sendDueDeliveries(context)).toEqual({ delivered: 0, failed: 1 });
    expect(await db().webhook.findUniqueOrThrow({ where: { id: webhook.id } })).toMatchObject({
      ...{ disabledAt: null, failingSince: null },
    });
    later(MINUTE_MS);
    expect(await sendDueDeliveries(context)).toEqual({ delivered: 1, failed: 0 });
    expect(receiver.received.at(-1)?.path).toBe("/new");
  });

  it("whose address was changed while its old one was asked: the row names who answered", async () => {
    for (const [status, path] of [
      [204, "/took"],
      [500, "/failed"],
    ] as const) {
      const { user, webhook } = await withWebhook(`${receiver.base}${path}`);
      await tell(user.id);
      receiver.answer = async () => {
        await db().webhook.update({ where: { id: webhook.id }, data: { host: "new.example.com" } });
        await db().delivery.updateMany({ where: { targetId: webhook.id }, data: { target: "new.example.com" } });
        return status;
      };
      await sendDueDeliveries(context);
      const row = await db().delivery.findFirstOrThrow({ where: { userId: user.id } });
      expect(row).toMatchObject({ lastStatus: status, target: new URL(receiver.base).host });
    }
  });

  it("does not get what its owner switched off meanwhile, nor anything of a disabled user; what is about security it gets", async () => {
    const { user } = await withWebhook();
    await tell(user.id);
    await tell(user.id, { kind: "SECURITY", title: "Your password was changed" });
    const { user: disabled } = await withWebhook(`${receiver.base}/disabled`);
    await tell(disabled.id);
    await db().user.update({ where: { id: disabled.id }, data: { disabledAt: clock.now } });
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
