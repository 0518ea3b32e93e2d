import { beforeEach, expect, it } from "vitest";
import { db, type Tx } from "@/lib/server/db.ts";
import { endSignIns } from "@/lib/server/services/auth/end-sign-ins.ts";
import { replacePassword } from "@/lib/server/services/auth/replace-password.ts";
import { codeNow, done, personWithApp } from "@/lib/proof/fixtures/second-factor.ts";
import { makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import * as confirmDoor from "./totp/confirm/route.ts";
import * as totpDoor from "./totp/route.ts";

let user: MadeUser;
let token: string;

beforeEach(async () => {
  user = await makeUser(db());
  token = await makeSignIn(db(), user);
});

const secretFor = async (bearer: string) =>
  (await done<{ secret: string }>(totpDoor, "POST", { token: bearer, body: {} })).secret;
const appsOf = (userId: string) => db().totpFactor.count({ where: { userId } });

it("the secret of a set-up is given again to the sign-in that began it alone", async () => {
  const stranger = await makeSignIn(db(), user);
  const before = await secretFor(stranger);
  const own = await secretFor(token);
  expect(own).not.toBe(before);
  expect(await secretFor(token)).toBe(own);
  await done(confirmDoor, "POST", { token, body: { code: codeNow(own) } });
  await done(totpDoor, "DELETE", { token });
  const first = await secretFor(token);
  expect(await secretFor(stranger)).not.toBe(first);
});

const changePassword = (tx: Tx, userId: string, at: Date) =>
  replacePassword(tx, { userId, passwordHash: "another" }, at);

it.each([
  ["the password changes", changePassword],
  ["every sign-in ends", endSignIns],
])("a set-up that was only begun is forgotten when %s; an app that is set up stays", async (_, end) => {
  await secretFor(token);
  await db().$transaction<unknown>((tx) => end(tx, user.id, new Date()));
  expect(await appsOf(user.id)).toBe(0);
  const person = await personWithApp();
  await db().$transaction<unknown>((tx) => end(tx, person.user.id, new Date()));
  expect(await appsOf(person.user.id)).toBe(1);
});
