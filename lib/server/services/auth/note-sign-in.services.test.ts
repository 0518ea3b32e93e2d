import { beforeEach, expect, it } from "vitest";
import { makeUser, type MadeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { renderMail } from "../../mail/render-mail.ts";
import { openSignIn } from "./open-sign-in.ts";

const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36";
const WINDOWS_LATER = WINDOWS.replace("142", "143");
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1";

let user: MadeUser;
beforeEach(async () => {
  user = await makeUser(db());
});

const signIn = (ipAddress: string | null, userAgent: string | null) =>
  db().$transaction((tx) => openSignIn(tx, { id: "test", ipAddress, userAgent }, user, new Date()));
const mails = () => db().outbox.findMany({ where: { userId: user.id }, orderBy: { createdAt: "asc" } });
const notified = () => db().notification.count({ where: { userId: user.id, kind: "SECURITY" } });

it("the first sign-in ever is no news, nor is the same device in the same network, nor its update", async () => {
  await signIn("203.0.113.7", WINDOWS);
  await signIn("203.0.113.7", WINDOWS);
  await signIn("203.0.113.99", WINDOWS_LATER);
  expect(await mails()).toEqual([]);
  expect(await notified()).toBe(0);
});

it("a new network is notified, once; so is a new device", async () => {
  await signIn("203.0.113.7", WINDOWS);
  await signIn("198.51.100.4", WINDOWS);
  await signIn("198.51.100.5", WINDOWS);
  expect(await mails()).toHaveLength(1);
  await signIn("203.0.113.7", IPHONE);
  await signIn("203.0.113.7", IPHONE);
  const rows = await mails();
  expect(rows.map(({ template, recipient }) => [template, recipient])).toEqual([
    ["new-sign-in", user.email],
    ["new-sign-in", user.email],
  ]);
  expect(await notified()).toBe(2);
  const mail = await renderMail("new-sign-in", rows[1]?.props);
  expect(mail.text).toContain("Safari on iPhone");
  expect(mail.text).toContain("203.0.113.7");
  expect(mail.unsubscribeUrl).toBeNull();
});

it("goes whatever the toggles say", async () => {
  const off = {
    emailNotifications: false,
    orderNotifications: false,
    tradeNotifications: false,
    weeklySummary: false,
    systemAlerts: false,
  };
  await db().notificationPreferences.update({ where: { userId: user.id }, data: off });
  await signIn("203.0.113.7", WINDOWS);
  await signIn("198.51.100.4", WINDOWS);
  expect(await mails()).toHaveLength(1);
  expect(await notified()).toBe(1);
});

it("what is not known is compared with nothing", async () => {
  await signIn(null, null);
  await signIn("203.0.113.7", WINDOWS);
  await signIn(null, WINDOWS);
  await signIn("203.0.113.7", null);
  expect(await mails()).toEqual([]);
});

it("one person's networks say nothing about another's", async () => {
  await signIn("203.0.113.7", WINDOWS);
  user = await makeUser(db());
  await signIn("198.51.100.4", IPHONE);
  expect(await mails()).toEqual([]);
});

it("a sign-in that is not stored tells nothing", async () => {
  await signIn("203.0.113.7", WINDOWS);
  await expect(
    db().$transaction(async (tx) => {
      await openSignIn(tx, { id: "test", ipAddress: "198.51.100.4", userAgent: IPHONE }, user, new Date());
      throw new Error("rolled back");
    }),
  ).rejects.toThrow("rolled back");
  expect(await mails()).toEqual([]);
  expect(await notified()).toBe(0);
});
