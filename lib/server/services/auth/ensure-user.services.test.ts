import { expect, it } from "vitest";
import { Failure } from "@/lib/domain/failures.ts";
import { db } from "../../db.ts";
import { isPassword } from "../../secrets/password.ts";
import { makeAccount, makeSignIn, makeUser } from "@/prisma/factories.ts";
import { ensureUser, promoteUser, resetUserPassword } from "./ensure-user.ts";

const context = { db: db(), now: () => new Date(), actor: { kind: "system" as const, name: "test" } };
const admin = {
  email: "Root@Example.com",
  password: "Correct-Horse-1",
  firstName: "R",
  lastName: "T",
  role: "ADMIN" as const,
};

it("a user is made once, verified, with preferences; a second call changes nothing", async () => {
  const first = await ensureUser(context, admin);
  const second = await ensureUser(context, { ...admin, password: "Another-Horse-2", role: "USER" });
  expect(second).toEqual({ id: first.id, isNew: false });
  const user = await db().user.findUniqueOrThrow({
    where: { id: first.id },
    include: { tradingPreferences: true, notificationPreferences: true },
  });
  expect(user).toMatchObject({ email: "root@example.com", role: "ADMIN" });
  expect(user.emailVerifiedAt).not.toBeNull();
  expect(user.tradingPreferences?.maxPositions).toBe(3);
  expect(user.notificationPreferences?.weeklySummary).toBe(true);
  expect(await isPassword("Correct-Horse-1", user.passwordHash)).toBe(true);
});

it("a user with an account is not promoted by an operator either, and an administrator gets none", async () => {
  const user = await makeUser(db());
  const { id } = await makeAccount(db(), user.id);
  await expect(promoteUser(context, user.email)).rejects.toThrow("This user has brokerage accounts");
  expect(await db().user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({ role: "USER" });
  await db().account.update({ where: { id }, data: { deletedAt: new Date(), status: "INACTIVE", sealedKeys: null } });
  await promoteUser(context, user.email);
  expect(await db().user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({ role: "ADMIN" });
});

it("promotion and a new password end older sign-ins and are audited", async () => {
  const { id } = await ensureUser(context, { ...admin, email: "u@example.com", role: "USER" });
  await promoteUser(context, "u@example.com");
  await resetUserPassword(context, "u@example.com", "Another-Horse-2");
  const user = await db().user.findUniqueOrThrow({ where: { id } });
  expect(user).toMatchObject({ role: "ADMIN", tokenVersion: 2 });
  expect(await isPassword("Another-Horse-2", user.passwordHash)).toBe(true);
  const events = await db().auditEvent.findMany({ where: { subjectUserId: id }, orderBy: { seq: "asc" } });
  expect(events.map(({ eventType }) => eventType)).toEqual([
    "USER_CREATED",
    "USER_PROMOTED",
    "PASSWORD_RESET_BY_OPERATOR",
  ]);
});

it("a promotion and a new password end sign-ins and reset links that are under way; the person hears of the password", async () => {
  for (const change of [
    promoteUser,
    (_: typeof context, email: string) => resetUserPassword(_, email, "Another-Horse-2"),
  ]) {
    const user = await makeUser(db());
    await makeSignIn(db(), user);
    const expiresAt = new Date(Date.now() + 60_000);
    const link = { userId: user.id, kind: "RESET_PASSWORD" as const, tokenHash: user.id, expiresAt };
    await db().emailToken.create({ data: link });
    await change(context, user.email);
    expect(await db().signIn.count({ where: { userId: user.id, revokedAt: null } })).toBe(0);
    expect(await db().emailToken.count({ where: { userId: user.id, usedAt: null } })).toBe(0);
    expect(await db().outbox.count({ where: { userId: user.id, template: "password-changed" } })).toBe(
      change === promoteUser ? 0 : 1,
    );
  }
});

it("a disabled user gets no new password by an operator, and the reason is said", async () => {
  const { email } = await makeUser(db(), { disabledAt: new Date() });
  await expect(resetUserPassword(context, email, "Another-Horse-2")).rejects.toThrow("This user is disabled");
});

it("an administrator or a disabled user is not promoted: nothing changes, and the reason is said", async () => {
  for (const [is, reason] of [
    [{ role: "ADMIN" }, "This user is an administrator already"],
    [{ disabledAt: new Date() }, "This user is disabled"],
  ] as const) {
    const user = await makeUser(db(), is);
    await makeSignIn(db(), user);
    await expect(promoteUser(context, user.email)).rejects.toThrow(reason);
    expect(await db().signIn.count({ where: { userId: user.id, revokedAt: null } })).toBe(1);
    expect(await db().auditEvent.count({ where: { subjectUserId: user.id, eventType: "USER_PROMOTED" } })).toBe(0);
  }
});

it("the administrators hear of a new one by an operator's hand, and a promoted person of their role", async () => {
  const one = await makeUser(db(), { role: "ADMIN" });
  const news = () => db().notification.count({ where: { userId: one.id, dedupeKey: { startsWith: "alert:role:" } } });
  const user = await makeUser(db());
  await promoteUser(context, user.email);
  expect(await news()).toBe(1);
  const told = await db().notification.findFirstOrThrow({
    where: { userId: user.id, dedupeKey: { startsWith: "role:" } },
  });
  expect(told).toMatchObject({ title: "You are an administrator now" });
  expect(told.text).toContain("An operator changed your role.");
  await ensureUser(context, { ...admin, email: "created@example.com" }, { isAnnounced: true });
  expect(await news()).toBe(2);
});

it("an unverified user is not promoted, and is once the address is verified", async () => {
  const user = await makeUser(db(), { isVerified: false });
  await expect(promoteUser(context, user.email)).rejects.toMatchObject({ code: "conflict" });
  const row = () => db().user.findUniqueOrThrow({ where: { id: user.id } });
  expect(await row()).toMatchObject({ role: "USER", tokenVersion: 0 });
  await db().user.update({ where: { id: user.id }, data: { emailVerifiedAt: new Date() } });
  await promoteUser(context, user.email);
  expect(await row()).toMatchObject({ role: "ADMIN", tokenVersion: 1 });
});

it("a weak password and an unknown address are refused", async () => {
  await expect(ensureUser(context, { ...admin, email: "w@example.com", password: "short" })).rejects.toThrow(
    "at least 8",
  );
  await expect(promoteUser(context, "nobody@example.com")).rejects.toThrow(Failure);
});
