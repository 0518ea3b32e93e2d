import { beforeAll, describe, expect, it } from "vitest";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { authApi } from "@/lib/contracts/auth.ts";
import type { Endpoint } from "@/lib/contracts/endpoint.ts";
import { healthApi } from "@/lib/contracts/health.ts";
import { HOUR_MS } from "@/lib/domain/time.ts";
import { db } from "@/lib/server/db.ts";
import { makeAccount, makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import * as accountDoor from "./accounts/[id]/route.ts";
import * as practiceDoor from "./accounts/practice/route.ts";
import * as accountsDoor from "./accounts/route.ts";
import * as changePasswordDoor from "./auth/change-password/route.ts";
import * as forgotPasswordDoor from "./auth/forgot-password/route.ts";
import * as loginDoor from "./auth/login/route.ts";
import * as logoutDoor from "./auth/logout/route.ts";
import * as meDoor from "./auth/me/route.ts";
import * as registerDoor from "./auth/register/route.ts";
import * as resetPasswordDoor from "./auth/reset-password/route.ts";
import * as verifyDoor from "./auth/verify-email/route.ts";
import { callDoor, type Door } from "./call-door.ts";
import * as resendDoor from "./email/resend-verification/route.ts";
import * as liveDoor from "./health/live/route.ts";
import * as readyDoor from "./health/ready/route.ts";

const CANARY = "CanaryOfTheVictim";
let victim: MadeUser;
let victimsAccount: { id: string };

beforeAll(async () => {
  victim = await makeUser(db(), { firstName: CANARY, lastName: CANARY, email: "canary-victim@example.com" });
  victimsAccount = await makeAccount(db(), victim.id, { name: CANARY });
});

/** What each principal carries; made anew for every call, because a logout ends it. */
const PRINCIPALS = {
  nobody: async () => undefined,
  malformed: async () => "eyJhbGciOiJub25lIn0.e30.",
  expired: async () => makeSignIn(db(), await makeUser(db()), new Date(Date.now() - 13 * HOUR_MS)),
  revoked: async () => {
    const user = await makeUser(db());
    const token = await makeSignIn(db(), user);
    await db().signIn.updateMany({ where: { userId: user.id }, data: { revokedAt: new Date() } });
    return token;
  },
  disabled: async () => makeSignIn(db(), await makeUser(db(), { disabledAt: new Date() })),
  unverified: async () => makeSignIn(db(), await makeUser(db(), { isVerified: false })),
  "other user": async () => makeSignIn(db(), await makeUser(db())),
  administrator: async () => makeSignIn(db(), await makeUser(db(), { role: "ADMIN" })),
};

type Expected = Record<keyof typeof PRINCIPALS, number>;
const SIGNED_IN_ONLY = { nobody: 401, malformed: 401, expired: 401, revoked: 401, disabled: 401, unverified: 403 };
const members = (otherUser: number, administrator: number): Expected => ({
  ...SIGNED_IN_ONLY,
  "other user": otherUser,
  administrator,
});
const everybody = (status: number): Expected =>
  Object.fromEntries(Object.keys(PRINCIPALS).map((name) => [name, status])) as Expected;

/** Someone else's id where there is one; a body that is wrong, so that a call that gets through answers 400 and changes nothing. */
const TABLE: [Endpoint, Door, Expected, { body?: unknown; params?: () => Record<string, string> }][] = [
  [authApi.register, registerDoor, everybody(400), { body: {} }],
  [authApi.login, loginDoor, everybody(400), { body: {} }],
  [authApi.verifyEmail, verifyDoor, everybody(400), { body: {} }],
  [authApi.resendVerification, resendDoor, everybody(400), { body: {} }],
  [authApi.forgotPassword, forgotPasswordDoor, everybody(400), { body: {} }],
  [authApi.resetPassword, resetPasswordDoor, everybody(400), { body: {} }],
  [authApi.changePassword, changePasswordDoor, members(400, 400), { body: {} }],
  [authApi.me, meDoor, members(200, 200), {}],
  [authApi.logout, logoutDoor, members(200, 200), {}],
  [accountsApi.list, accountsDoor, members(200, 200), {}],
  [accountsApi.add, accountsDoor, members(400, 400), { body: {} }],
  [accountsApi.addPractice, practiceDoor, members(400, 400), { body: { unknown: 1 } }],
  [accountsApi.remove, accountDoor, members(404, 404), { params: () => ({ id: victimsAccount.id }) }],
  [healthApi.live, liveDoor, everybody(200), {}],
  [healthApi.ready, readyDoor, everybody(503), {}],
];

describe.each(TABLE)("$method $path", (endpoint, door, expected, { body, params }) => {
  it.each(Object.entries(expected))(`answers %s with %i and nothing of anybody else's`, async (principal, status) => {
    const token = await PRINCIPALS[principal as keyof Expected]();
    const answer = await callDoor(door, endpoint.method, {
      ...(token === undefined ? {} : { token }),
      ...(body === undefined ? {} : { body }),
      ...(params ? { params: params() } : {}),
    });
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject(status < 400 ? { success: true, error: null } : { success: false, data: null });
    expect(answer.text).not.toContain(CANARY);
    expect(answer.text).not.toContain(victim.email);
  });
});

it("after all these calls the victim's account is as it was", async () => {
  expect(await db().account.findUniqueOrThrow({ where: { id: victimsAccount.id } })).toMatchObject({
    status: "ACTIVE",
    deletedAt: null,
  });
});
