import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { db, type Prisma } from "@/lib/server/db.ts";
import { promoteUser } from "@/lib/server/services/auth/ensure-user.ts";
import { replacePassword } from "@/lib/server/services/auth/replace-password.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { FACTORY_PASSWORD, makeAccount, makeSignIn, makeUser } from "@/prisma/factories.ts";
import { callDoor, type Door } from "@/lib/proof/call-door.ts";
import * as meDoor from "../../auth/me/route.ts";
import * as loginDoor from "../../auth/login/route.ts";
import * as closeDoor from "../accounts/[id]/close/route.ts";
import * as disableDoor from "./[id]/disable/route.ts";
import * as enableDoor from "./[id]/enable/route.ts";
import * as signInsDoor from "./[id]/end-sign-ins/route.ts";
import * as roleDoor from "./[id]/role/route.ts";
import * as userDoor from "./[id]/route.ts";
import * as door from "./route.ts";

interface Listed {
  users: { id: string; email: string; accountCount: number; isDisabled: boolean }[];
  pagination: { nextCursor: string | null; total: number };
}

let admin: Awaited<ReturnType<typeof makeUser>>;
let token: string;
let user: Awaited<ReturnType<typeof makeUser>>;

beforeEach(async () => {
  await db().user.updateMany({ where: { role: "ADMIN" }, data: { role: "USER" } });
  // A version that was in force stays for good.
  await db().policyVersion.updateMany({ where: { status: "ACTIVE" }, data: { status: "RETIRED" } });
  await db().pendingApproval.deleteMany();
  admin = await makeUser(db(), { role: "ADMIN" });
  token = await makeSignIn(db(), admin);
  user = await makeUser(db(), { firstName: `Zelda${randomUUID().slice(0, 6)}` });
});

const post = (to: Door, id: string, body: object = {}, by = token) =>
  callDoor(to, "POST", { token: by, params: { id }, body });
const list = async (query = "") => (await callDoor(door, "GET", { token, query })).json?.data as unknown as Listed;
const read = (id: string) => callDoor(userDoor, "GET", { token, params: { id } });
const row = (id = user.id) => db().user.findUniqueOrThrow({ where: { id } });
const audits = (eventType: string) =>
  db().auditEvent.count({ where: { eventType, actorUserId: admin.id, subjectUserId: user.id } });
const isSignedIn = async (by: string) => (await callDoor(meDoor, "GET", { token: by })).status === 200;
const reason = "support case 12";
async function twoPeople(): Promise<void> {
  const content = { ...POLICY_2_9_0, orders_execution: { ...POLICY_2_9_0.orders_execution, two_person_roles: 1 } };
  await db().policyVersion.create({
    data: {
      version: `2.9.0-${randomUUID()}`,
      status: "ACTIVE",
      content: content as unknown as Prisma.InputJsonObject,
      activatedAt: new Date(),
    },
  });
}

describe("the list", () => {
  it("finds by name and address, counts accounts that are open, and pages by cursor without repeating a user", async () => {
    await makeAccount(db(), user.id);
    const gone = await makeAccount(db(), user.id);
    await db().account.update({
      where: { id: gone.id },
      data: { deletedAt: new Date(), sealedKeys: null, status: "INACTIVE" },
    });
    const { firstName } = await row();
    const { users, pagination } = await list(`search=${firstName.toUpperCase()}`);
    expect(users).toMatchObject([{ id: user.id, accountCount: 1, isDisabled: false }]);
    expect(pagination).toMatchObject({ total: 1, nextCursor: null });
    expect((await list(`search=${randomUUID()}`)).users).toEqual([]);
    for (const pattern of ["%", "_", "\\"])
      expect((await list(`search=${encodeURIComponent(pattern)}`)).users, pattern).toEqual([]);

    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: Listed = await list(`limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`);
      seen.push(...page.users.map(({ id }) => id));
      cursor = page.pagination.nextCursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toContain(user.id);
    expect(await callDoor(door, "GET", { token, query: "cursor=nonsense" })).toMatchObject({ status: 400 });
  });

  it("leaves out who was erased, and opens to administrators alone", async () => {
    await db().user.update({ where: { id: user.id }, data: { email: `erased-${user.id}@erased.invalid` } });
    expect((await list()).users.map(({ id }) => id)).not.toContain(user.id);
    const theirs = await makeSignIn(db(), await makeUser(db()));
    for (const each of [door, userDoor])
      expect(await callDoor(each, "GET", { token: theirs, params: { id: user.id } })).toMatchObject({ status: 403 });
    expect(await callDoor(door, "GET", {})).toMatchObject({ status: 401 });
  });
});

describe("a user's page", () => {
  it("shows accounts, sign-ins and halts, and no secret", async () => {
    const account = await makeAccount(db(), user.id, { name: "Main", equity: "1234.56" });
    await db().account.update({
      where: { id: account.id },
      data: { haltedAt: new Date(), haltReason: "books differ" },
    });
    await makeSignIn(db(), user);
    const { sealedKeys, keyPrefix } = await db().account.findUniqueOrThrow({ where: { id: account.id } });
    const { passwordHash } = await row();
    const { jti } = await db().signIn.findFirstOrThrow({ where: { userId: user.id } });
    const answer = await read(user.id);
    expect(answer).toMatchObject({
      status: 200,
      json: {
        data: {
          email: user.email,
          accounts: [
            { id: account.id, name: "Main", environment: "PRACTICE", equity: 1234.56, haltReason: "books differ" },
          ],
          signIns: [{ isOpen: true }],
          kill: { state: "NONE" },
        },
      },
    });
    for (const secret of [sealedKeys, keyPrefix, passwordHash, jti]) expect(answer.text).not.toContain(secret);
    expect(await read(randomUUID())).toMatchObject({ status: 404 });
    expect(await read("nonsense")).toMatchObject({ status: 400 });
  });
});

describe("disabling", () => {
  it("ends every sign-in with its next request and refuses new ones; enabling does not bring old ones back", async () => {
    const theirs = await makeSignIn(db(), user);
    expect(await isSignedIn(theirs)).toBe(true);
    expect(await post(disableDoor, user.id, {})).toMatchObject({ status: 400 });
    expect(await post(disableDoor, user.id, { reason })).toMatchObject({ json: { data: { isChanged: true } } });
    expect(await isSignedIn(theirs)).toBe(false);
    const login = { email: user.email, password: FACTORY_PASSWORD };
    expect(await callDoor(loginDoor, "POST", { body: login })).toMatchObject({ status: 401 });
    expect(await post(disableDoor, user.id, { reason })).toMatchObject({ json: { data: { isChanged: false } } });
    expect(await audits("USER_DISABLED")).toBe(1);

    expect(await post(enableDoor, user.id, { reason })).toMatchObject({ json: { data: { isChanged: true } } });
    expect(await isSignedIn(theirs)).toBe(false);
    expect(await callDoor(loginDoor, "POST", { body: login })).toMatchObject({ status: 200 });
    expect(await post(enableDoor, user.id, { reason })).toMatchObject({ json: { data: { isChanged: false } } });
    expect(await audits("USER_ENABLED")).toBe(1);
  });

  it("is refused for the caller's own account, for an erased user and for an unknown id", async () => {
    expect(await post(disableDoor, admin.id, { reason })).toMatchObject({ status: 409 });
    expect(await post(disableDoor, randomUUID(), { reason })).toMatchObject({ status: 404 });
    await db().subjectKey.create({ data: { userId: user.id, sealedKey: null, erasedAt: new Date() } });
    for (const each of [disableDoor, enableDoor, signInsDoor])
      expect(await post(each, user.id, { reason })).toMatchObject({ status: 404 });
    expect(await isSignedIn(token)).toBe(true);
  });
});

it("ending all sign-ins ends those that are open and no other person's", async () => {
  const theirs = [await makeSignIn(db(), user), await makeSignIn(db(), user)];
  expect(await post(signInsDoor, user.id, { reason })).toMatchObject({ json: { data: { ended: 2 } } });
  for (const each of theirs) expect(await isSignedIn(each)).toBe(false);
  expect(await isSignedIn(token)).toBe(true);
  expect(await audits("SIGN_INS_ENDED")).toBe(1);
  const told = await db().notification.findMany({ where: { userId: user.id, kind: "SECURITY" } });
  expect(told).toMatchObject([{ text: expect.stringContaining("access tokens are revoked") as string }]);
  expect(await db().outbox.count({ where: { userId: user.id, template: "system-alert" } })).toBe(1);
});

describe("the administrator's role", () => {
  it("is granted and revoked with one audit row each; their sign-ins end", async () => {
    const theirs = await makeSignIn(db(), user);
    const give = { role: "ADMIN", reason };
    expect(await post(roleDoor, user.id, { role: "ADMIN" })).toMatchObject({ status: 400 });
    expect(await post(roleDoor, user.id, give)).toMatchObject({
      status: 200,
      json: { data: { role: "ADMIN", isChanged: true, waitsUntil: null } },
    });
    expect(await row()).toMatchObject({ role: "ADMIN" });
    expect(await isSignedIn(theirs)).toBe(false);
    expect(await post(roleDoor, user.id, give)).toMatchObject({ json: { data: { isChanged: false } } });
    expect(await post(roleDoor, user.id, { role: "USER", reason })).toMatchObject({
      json: { data: { role: "USER", isChanged: true } },
    });
    expect([await audits("USER_PROMOTED"), await audits("USER_DEMOTED")]).toEqual([1, 1]);
  });

  it("is not revoked by its own administrator, and never from the last one, however many ask at once", async () => {
    expect(await post(roleDoor, admin.id, { role: "USER", reason })).toMatchObject({ status: 409 });
    await db().user.update({ where: { id: user.id }, data: { role: "ADMIN" } });
    const theirs = await makeSignIn(db(), user);
    const answers = await Promise.all([
      post(roleDoor, user.id, { role: "USER", reason }),
      post(roleDoor, admin.id, { role: "USER", reason }, theirs),
      post(disableDoor, user.id, { reason }),
      post(disableDoor, admin.id, { reason }, theirs),
    ]);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(await db().user.count({ where: { role: "ADMIN", disabledAt: null } })).toBe(1);
  });

  it("is not given to who is disabled or has accounts that they could no longer steer", async () => {
    await makeAccount(db(), user.id);
    expect(await post(roleDoor, user.id, { role: "ADMIN", reason })).toMatchObject({ status: 409 });
    await db().account.deleteMany({ where: { userId: user.id } });
    await db().user.update({ where: { id: user.id }, data: { disabledAt: new Date() } });
    expect(await post(roleDoor, user.id, { role: "ADMIN", reason })).toMatchObject({ status: 409 });
    expect(await row()).toMatchObject({ role: "USER" });
  });

  it("is not given to who has not verified their address, nor requested for them; an unverified administrator can lose it", async () => {
    const unverified = await makeUser(db(), { isVerified: false });
    const give = () => post(roleDoor, unverified.id, { role: "ADMIN", reason });
    expect(await give()).toMatchObject({
      status: 409,
      json: { error: expect.stringContaining("has not verified their email address") as string },
    });
    await twoPeople();
    expect(await give()).toMatchObject({ status: 409 });
    expect(await db().pendingApproval.count()).toBe(0);
    expect(await row(unverified.id)).toMatchObject({ role: "USER" });
    await db().policyVersion.updateMany({ where: { status: "ACTIVE" }, data: { status: "RETIRED" } });
    await db().user.update({ where: { id: unverified.id }, data: { role: "ADMIN" } });
    expect(await post(roleDoor, unverified.id, { role: "USER", reason })).toMatchObject({ status: 200 });
    expect(await row(unverified.id)).toMatchObject({ role: "USER" });
  });

  it("waits for a second administrator where the policy in force asks for two people", async () => {
    await twoPeople();
    const give = { role: "ADMIN", reason };
    const first = await post(roleDoor, user.id, give);
    expect(first).toMatchObject({ status: 200, json: { data: { role: "USER", isChanged: false } } });
    expect((first.json?.data as unknown as { waitsUntil: string | null }).waitsUntil).not.toBeNull();
    expect(await row()).toMatchObject({ role: "USER" });
    expect(await post(roleDoor, user.id, give)).toMatchObject({ status: 409 });
    expect(await read(user.id)).toMatchObject({
      json: { data: { pendingChange: { change: "role", requestedBy: admin.email }, isTwoPerson: true } },
    });

    const second = await makeUser(db(), { role: "ADMIN" });
    const theirs = await makeSignIn(db(), second);
    expect(await post(roleDoor, user.id, give, theirs)).toMatchObject({
      json: { data: { role: "ADMIN", isChanged: true } },
    });
    expect(await row()).toMatchObject({ role: "ADMIN" });
    expect(await audits("ROLE_CHANGE_REQUESTED")).toBe(1);
    const [granted] = await db().auditEvent.findMany({
      where: { eventType: "USER_PROMOTED", subjectUserId: user.id },
    });
    expect(granted).toMatchObject({ actorUserId: second.id, data: { requestedBy: admin.id } });
  });
});

describe("an administrator's access, where the policy in force asks for two people", () => {
  interface Changed {
    isChanged: boolean;
    waitsUntil: string | null;
  }
  const changed = async (to: Door, by = token) =>
    (await post(to, user.id, { reason }, by)).json?.data as unknown as Changed;
  const DONE = { isChanged: true, waitsUntil: null };
  const WAITS = { isChanged: false, waitsUntil: expect.any(String) as string };

  it.each([
    ["disabling", disableDoor, "disable", "USER_DISABLED"],
    ["enabling", enableDoor, "enable", "USER_ENABLED"],
  ] as const)("%s waits for a second administrator", async (_, to, change, eventType) => {
    await twoPeople();
    const before = change === "enable" ? new Date() : null;
    await db().user.update({ where: { id: user.id }, data: { role: "ADMIN", disabledAt: before } });
    const theirs = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
    expect(await changed(to)).toEqual(WAITS);
    expect(await row()).toMatchObject({ disabledAt: before });
    expect(await post(to, user.id, { reason })).toMatchObject({ status: 409 });
    expect(await read(user.id)).toMatchObject({
      json: { data: { pendingChange: { change, requestedBy: admin.email } } },
    });
    expect(await changed(to, theirs)).toEqual(DONE);
    expect((await row()).disabledAt === null).toBe(change === "enable");
    expect(await audits("ACCESS_CHANGE_REQUESTED")).toBe(1);
    expect(await db().auditEvent.findFirstOrThrow({ where: { eventType, subjectUserId: user.id } })).toMatchObject({
      data: { requestedBy: admin.id },
    });
  });

  it("one person's word for one thing is no word for another", async () => {
    await twoPeople();
    await db().user.update({ where: { id: user.id }, data: { role: "ADMIN" } });
    const theirs = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
    await post(roleDoor, user.id, { role: "USER", reason });
    expect(await changed(disableDoor, theirs)).toEqual(WAITS);
    expect(await row()).toMatchObject({ role: "ADMIN", disabledAt: null });
  });

  it("whom it is about does not void the request by a new password of their own", async () => {
    await twoPeople();
    const theirs = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
    await db().user.update({ where: { id: user.id }, data: { role: "ADMIN" } });
    const changePassword = async () =>
      void (await db().$transaction((tx) =>
        replacePassword(tx, { userId: user.id, passwordHash: "another" }, new Date()),
      ));
    expect(await changed(disableDoor)).toEqual(WAITS);
    await changePassword();
    expect(await changed(disableDoor, theirs)).toEqual(DONE);
    await db().user.update({ where: { id: user.id }, data: { disabledAt: null } });
    expect(await post(roleDoor, user.id, { role: "USER", reason })).toMatchObject({ status: 200 });
    await changePassword();
    expect(await post(roleDoor, user.id, { role: "USER", reason }, theirs)).toMatchObject({
      json: { data: { isChanged: true } },
    });
  });

  it("a request ends with a change of the role or the access, by whatever way it came", async () => {
    await twoPeople();
    const theirs = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
    const give = { role: "ADMIN", reason };
    const asked = () => db().pendingApproval.count({ where: { subject: user.id } });
    await post(roleDoor, user.id, give);
    for (const to of [disableDoor, enableDoor]) expect(await changed(to)).toEqual(DONE);
    expect(await asked()).toBe(0);
    expect(await post(roleDoor, user.id, give, theirs)).toMatchObject({ json: { data: { isChanged: false } } });
    expect(await asked()).toBe(1);
    await promoteUser(systemContext("test"), user.email);
    expect(await asked()).toBe(0);
  });

  it("of a user it waits for none", async () => {
    await twoPeople();
    for (const to of [disableDoor, enableDoor]) expect(await changed(to)).toEqual(DONE);
  });
});

describe("closing a user's account", () => {
  it("erases the keys, keeps the history, and is audited with its reason", async () => {
    const { id } = await makeAccount(db(), user.id);
    await db().account.update({ where: { id }, data: { sealedKeys: null, keyPrefix: null } });
    expect(await post(closeDoor, id, { closePositions: false })).toMatchObject({ status: 400 });
    expect(await post(closeDoor, id, { closePositions: false, reason })).toMatchObject({
      status: 200,
      json: { data: { state: "deleted" } },
    });
    const account = await db().account.findUniqueOrThrow({ where: { id } });
    expect(account.deletedAt).not.toBeNull();
    expect(await audits("ACCOUNT_REMOVED")).toBe(1);
    expect(await post(closeDoor, id, { closePositions: false, reason })).toMatchObject({ status: 404 });
  });
});
