import { randomBytes, randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import type { channelsApi } from "@/lib/contracts/channels.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import { addBrowser } from "@/lib/proof/fixtures/browser.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { resetUserPassword } from "@/lib/server/services/auth/ensure-user.ts";
import { done } from "@/lib/proof/fixtures/second-factor.ts";
import { FACTORY_PASSWORD, makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import * as endAllDoor from "../admin/users/[id]/end-sign-ins/route.ts";
import * as userDoor from "../admin/users/[id]/route.ts";
import * as pushDoor from "../notifications/push/route.ts";
import * as changeDoor from "./change-password/route.ts";
import * as loginDoor from "./login/route.ts";
import * as logoutDoor from "./logout/route.ts";
import * as meDoor from "./me/route.ts";
import * as signInDoor from "./sign-ins/[id]/route.ts";
import * as endOthersDoor from "./sign-ins/end-others/route.ts";
import * as door from "./sign-ins/route.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const MINUTE_MS = 60_000;

interface SignIn {
  id: string;
  device: string | null;
  ipAddress: string | null;
  lastSeenAt: string;
  isThisOne: boolean;
}

let user: MadeUser;

beforeEach(async () => {
  process.env.TRUSTED_PROXIES = "1";
  process.env.SESSION_IDLE_MINUTES = "240";
  process.env.VAPID_PRIVATE_KEY = randomBytes(32).toString("base64url");
  process.env.WEBHOOK_ALLOW_HOSTS = "push.example.com";
  forgetEnv();
  user = await makeUser(db());
});

async function signIn(ipAddress: string): Promise<string> {
  const { token } = await done<{ token: string }>(loginDoor, "POST", {
    body: { email: user.email, password: FACTORY_PASSWORD },
    headers: { "x-forwarded-for": ipAddress, "user-agent": FIREFOX },
  });
  return token;
}
const list = (token: string) => done<SignIn[]>(door, "GET", { token });
const isHeld = async (token: string) => (await callDoor(meDoor, "GET", { token })).status === 200;
const lastUsed = (token: string, minutesAgo: number) =>
  db().signIn.updateMany({
    where: { jti: jtiOf(token) },
    data: { lastSeenAt: new Date(Date.now() - minutesAgo * MINUTE_MS) },
  });
const seenAt = async (token: string) =>
  (await db().signIn.findFirstOrThrow({ where: { jti: jtiOf(token) } })).lastSeenAt.getTime();

function jtiOf(token: string): string {
  const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8")) as { jti: string };
  return claims.jti;
}

it("a person sees their own sign-ins alone, with device and address, this one first", async () => {
  const [first, second] = [await signIn("203.0.113.7"), await signIn("198.51.100.4")];
  const other = await makeUser(db());
  const theirs = await makeSignIn(db(), other);
  const seen = await list(first);
  expect(seen).toMatchObject([
    { device: "Firefox on Linux", ipAddress: "203.0.113.7", isThisOne: true },
    { device: "Firefox on Linux", ipAddress: "198.51.100.4", isThisOne: false },
  ]);
  expect((await list(second)).map(({ isThisOne }) => isThisOne)).toEqual([true, false]);
  expect(JSON.stringify(seen)).not.toMatch(new RegExp(`${jtiOf(first)}|jti|userAgent`));
  expect(await list(theirs)).toHaveLength(1);
});

it("one that ended, is over or was not used for hours is not in the list", async () => {
  const token = await signIn("203.0.113.7");
  const [revoked, over, idle] = [
    await signIn("203.0.113.8"),
    await signIn("203.0.113.9"),
    await signIn("203.0.113.10"),
  ];
  await db().signIn.updateMany({ where: { jti: jtiOf(revoked) }, data: { revokedAt: new Date() } });
  await db().signIn.updateMany({ where: { jti: jtiOf(over) }, data: { expiresAt: new Date() } });
  await lastUsed(idle, 241);
  expect(await list(token)).toHaveLength(1);
});

it("one is ended from the list: its token is refused with the next call, the others hold, and the owner is told", async () => {
  const [here, there, third] = [await signIn("203.0.113.7"), await signIn("203.0.113.8"), await signIn("203.0.113.9")];
  const ended = (await list(here)).find(({ ipAddress }) => ipAddress === "203.0.113.8");
  expect(await done(signInDoor, "DELETE", { token: here, params: { id: ended?.id ?? "" } })).toEqual({ ended: 1 });
  expect([await isHeld(here), await isHeld(there), await isHeld(third)]).toEqual([true, false, true]);
  expect(await done(signInDoor, "DELETE", { token: here, params: { id: ended?.id ?? "" } })).toEqual({ ended: 0 });
  const events = await db().auditEvent.findMany({ where: { subjectUserId: user.id, eventType: "OWN_SIGN_INS_ENDED" } });
  expect(events).toMatchObject([{ data: { ended: 1 } }]);
  expect(await db().outbox.count({ where: { userId: user.id, template: "system-alert" } })).toBe(1);
});

it("another person's is not found, and stays open", async () => {
  const theirs = await makeSignIn(db(), await makeUser(db()));
  const { id } = await db().signIn.findFirstOrThrow({ where: { jti: jtiOf(theirs) } });
  const answer = await callDoor(signInDoor, "DELETE", { token: await signIn("203.0.113.7"), params: { id } });
  expect(answer.status).toBe(404);
  expect(await isHeld(theirs)).toBe(true);
});

it("all others are ended at once, this one stays open, and so do other people's", async () => {
  const here = await signIn("203.0.113.7");
  const [there, third] = [await signIn("203.0.113.8"), await signIn("203.0.113.9")];
  const theirs = await makeSignIn(db(), await makeUser(db()));
  expect(await done(endOthersDoor, "POST", { token: here, body: {} })).toEqual({ ended: 2 });
  expect([await isHeld(here), await isHeld(there), await isHeld(third), await isHeld(theirs)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

it("a sign-in that is not used for four hours ends; one that is used stays open", async () => {
  const [used, idle] = [await signIn("203.0.113.7"), await signIn("203.0.113.8")];
  await lastUsed(used, 239);
  await lastUsed(idle, 240);
  expect([await isHeld(used), await isHeld(idle)]).toEqual([true, false]);
  await lastUsed(used, 239);
  expect(await isHeld(used)).toBe(true);
});

it("an administrator sees it as ended, and ends it for good without counting it", async () => {
  const [used, idle] = [await signIn("203.0.113.7"), await signIn("203.0.113.8")];
  await lastUsed(idle, 241);
  const admin = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
  const on = { token: admin, params: { id: user.id } };
  const { signIns } = await done<Answer<typeof adminUsersApi.read>>(userDoor, "GET", on);
  expect(signIns.map(({ ipAddress, isOpen }) => [ipAddress, isOpen]).sort()).toEqual([
    ["203.0.113.7", true],
    ["203.0.113.8", false],
  ]);
  expect(await done(endAllDoor, "POST", { ...on, body: { reason: "a lost device" } })).toEqual({ ended: 1 });
  await db().signIn.updateMany({ where: { userId: user.id }, data: { lastSeenAt: new Date() } });
  expect([await isHeld(used), await isHeld(idle)]).toEqual([false, false]);
  expect(await db().signIn.count({ where: { userId: user.id, revokedAt: null } })).toBe(0);
});

it("the time without a use is what the installation says", async () => {
  const token = await signIn("203.0.113.7");
  process.env.SESSION_IDLE_MINUTES = "15";
  forgetEnv();
  await lastUsed(token, 14);
  expect(await isHeld(token)).toBe(true);
  await lastUsed(token, 16);
  expect(await isHeld(token)).toBe(false);
});

it("the last use is written at most once a minute, and is true to the minute", async () => {
  const token = await signIn("203.0.113.7");
  const atFirst = await seenAt(token);
  await isHeld(token);
  expect(await seenAt(token)).toBe(atFirst);
  await lastUsed(token, 2);
  await Promise.all([isHeld(token), isHeld(token), isHeld(token)]);
  expect(Date.now() - (await seenAt(token))).toBeLessThan(MINUTE_MS);
});

describe("a browser that shows notifications", () => {
  const signInOf = async (token: string) =>
    (await db().signIn.findFirstOrThrow({ where: { jti: jtiOf(token) }, select: { id: true } })).id;
  const shown = async () =>
    (await db().pushSubscription.findMany({ where: { userId: user.id } })).map(({ id }) => id).sort();
  /** The phone with a sign-in of its own, the desk from which it is signed out, one of a sign-in that ran out, and one of before. */
  async function browsers() {
    const [phone, desk] = [await signIn("203.0.113.7"), await signIn("198.51.100.4")];
    const at = (signInId: string | null) => addBrowser(user.id, "https://push.example.com", signInId);
    const ids = { phone: await at(await signInOf(phone)), desk: await at(await signInOf(desk)) };
    return { phone, desk, ids, old: await at(null), over: await at(randomUUID()) };
  }

  it("shows none once its sign-in is ended from elsewhere; what waits for it is abandoned", async () => {
    const { phone, desk, ids, old, over } = await browsers();
    const row = { userId: user.id, channel: "PUSH" as const, targetId: ids.phone.id, target: "Chrome on Linux" };
    await db().delivery.create({
      data: { ...row, dedupeKey: "waits", payload: {}, createdAt: new Date(), dueAt: new Date() },
    });
    await done(signInDoor, "DELETE", { token: desk, params: { id: await signInOf(phone) } });
    expect(await shown()).toEqual([ids.desk.id, old.id, over.id].sort());
    expect(await db().delivery.findFirst({ where: { targetId: ids.phone.id, dedupeKey: "waits" } })).toMatchObject({
      lastError: "the sign-in of this browser was ended",
    });
    await done(endOthersDoor, "POST", { token: desk, body: {} });
    expect(await shown()).toEqual([ids.desk.id]);
    await done(logoutDoor, "POST", { token: desk, body: {} });
    expect(await shown()).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["with a new password", () => resetUserPassword({ ...testContext(), db: db() }, user.email, "Another-Horse-2")],
    [
      "when an administrator ends all sign-ins",
      async () => {
        const admin = await makeUser(db(), { role: "ADMIN" });
        const call = { token: await makeSignIn(db(), admin), params: { id: user.id }, body: { reason: "lost phone" } };
        await done(endAllDoor, "POST", call);
      },
    ],
  ])("shows none %s", async (_, end) => {
    await browsers();
    await end();
    expect(await shown()).toEqual([]);
  });

  it("shows them on where its person changes the password in it, and no other browser does, nor one with a copy of the sign-in", async () => {
    const { desk, ids } = await browsers();
    await addBrowser(user.id, "https://push.example.com", await signInOf(desk));
    const { endpoint: pushEndpoint } = await db().pushSubscription.findUniqueOrThrow({ where: { id: ids.desk.id } });
    const passwords = { email: user.email, currentPassword: FACTORY_PASSWORD, newPassword: "Another-Horse-2" };
    const body = { ...passwords, pushEndpoint };
    const { token } = await done<{ token: string }>(changeDoor, "PUT", { token: desk, body });
    expect(await shown()).toEqual([ids.desk.id]);
    const { subscriptions } = await done<Answer<typeof channelsApi.readPush>>(pushDoor, "GET", { token });
    expect(subscriptions).toMatchObject([{ id: ids.desk.id, isOfThisSignIn: true }]);
    const again = { ...passwords, currentPassword: passwords.newPassword, newPassword: "Another-Horse-3" };
    await done(changeDoor, "PUT", { token, body: again });
    expect(await shown()).toEqual([]);
  });

  it("belongs to the sign-in that it has now, which takes no confirmation of who is in it", async () => {
    const { desk, old } = await browsers();
    const { p256dh, auth, endpoint } = await db().pushSubscription.findUniqueOrThrow({ where: { id: old.id } });
    await db().signIn.updateMany({ where: { jti: jtiOf(desk) }, data: { confirmedAt: new Date(0) } });
    const body = { endpoint, keys: { p256dh, auth } };
    expect(await done(pushDoor, "POST", { token: desk, body })).toEqual({ id: old.id });
    const { subscriptions } = await done<Answer<typeof channelsApi.readPush>>(pushDoor, "GET", { token: desk });
    expect(subscriptions.find(({ id }) => id === old.id)).toMatchObject({ isOfThisSignIn: true });
    // Another browser is a new place where the person's trades are shown.
    const other = { ...body, endpoint: `${endpoint}2` };
    expect((await callDoor(pushDoor, "POST", { token: desk, body: other })).json?.code).toBe("step_up_required");
  });
});
