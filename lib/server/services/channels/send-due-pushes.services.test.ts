import { describe, expect, it } from "vitest";
import { db } from "../../db.ts";
import { pushPublicKey } from "../../outgoing/push-keys.ts";
import { addBrowser, decryptedPush } from "@/lib/proof/fixtures/browser.ts";
import {
  clock,
  context,
  later,
  MINUTE_MS,
  receiveDeliveries,
  receiver,
  tell,
  tellFill,
  withWebhook,
} from "@/lib/proof/fixtures/deliveries.ts";
import { makeUser } from "@/prisma/factories.ts";
import { sendDueDeliveries } from "./send-due-deliveries.ts";

receiveDeliveries();

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
    expect(row?.lastUsedAt).toEqual(clock.now);
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
      dueAt: new Date(clock.now.getTime() + MINUTE_MS),
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

  it("that failed once says the newest when it is tried again: a browser shows the last that arrives", async () => {
    const { user } = await withWebhook();
    const browser = await addBrowser(user.id, receiver.base);
    await tellFill(user.id, "2 of 10");
    receiver.answer = () => 503;
    await sendDueDeliveries(context);
    receiver.answer = () => 201;
    await tellFill(user.id, "10 of 10");
    await sendDueDeliveries(context);
    later(2 * MINUTE_MS);
    await sendDueDeliveries(context);
    const shown = receiver.received
      .filter(({ path }) => path === browser.path)
      .map(({ body }) => (decryptedPush(browser, body) as { text: string }).text);
    expect(shown).toEqual(["2 of 10", "10 of 10", "10 of 10"]);
  });

  it("waits for the end of the quiet hours, with its newest words; what is urgent, the bell and the webhook do not", async () => {
    const { user } = await withWebhook();
    const browser = await addBrowser(user.id, receiver.base);
    const quiet = { quietFrom: 22 * 60, quietTo: 7 * 60, quietTimeZone: "America/New_York" };
    await db().notificationPreferences.update({ where: { userId: user.id }, data: quiet });
    clock.now = new Date("2026-06-02T03:00:00.000Z");
    await tellFill(user.id, "2 of 10");
    await tell(user.id, { kind: "SECURITY", title: "A new sign-in" });
    await tell(user.id, { kind: "SYSTEM", title: "Your account is halted", isUrgent: true });
    await sendDueDeliveries(context);
    await tellFill(user.id, "10 of 10");
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
    clock.now = held.dueAt;
    await sendDueDeliveries(context);
    expect(shown().at(-1)).toBe("Bought AAPL: 10 of 10");
    expect(shown()).toHaveLength(3);
  });
});
