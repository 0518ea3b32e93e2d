import { expect, it } from "vitest";
import { callDoor } from "@/lib/proof/call-door.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { haltAccount } from "@/lib/server/core/halt-account.ts";
import { db } from "@/lib/server/db.ts";
import { FACTORY_PASSWORD, makeAccount, makeSignIn, makeUser } from "@/prisma/factories.ts";
import * as eraseDoor from "../../users/me/erase/route.ts";
import * as roleDoor from "./[id]/role/route.ts";

it("administrators read whose role was changed, until that person is erased", async () => {
  const admin = await makeUser(db(), { role: "ADMIN" });
  await makeUser(db(), { role: "ADMIN" });
  await db().webhook.create({ data: { userId: admin.id, host: "hooks.example.com", sealedTarget: "sealed" } });
  const person = await makeUser(db());
  const token = await makeSignIn(db(), admin);
  const news = async () => {
    const where = { userId: admin.id };
    const texts = (await db().notification.findMany({ where, orderBy: { at: "asc" } })).map(({ text }) => text);
    const sent = await Promise.all([db().outbox.findMany({ where }), db().delivery.findMany({ where })]);
    return { texts, sent: sent.map((rows) => JSON.stringify(rows)) };
  };
  for (const role of ["ADMIN", "USER"]) {
    const body = { role, reason: "support case 12" };
    expect((await callDoor(roleDoor, "POST", { token, params: { id: person.id }, body })).status).toBe(200);
  }
  const before = await news();
  expect(before.texts).toEqual([
    `${person.email} is an administrator now.`,
    `${person.email} is no longer an administrator.`,
  ]);
  for (const rows of before.sent) expect(rows).toContain(person.email);
  const own = await makeSignIn(db(), await db().user.findUniqueOrThrow({ where: { id: person.id } }));
  const body = { password: FACTORY_PASSWORD, confirmation: "DELETE" };
  expect((await callDoor(eraseDoor, "POST", { token: own, body })).status).toBe(200);
  const after = await news();
  expect(after.texts).toEqual([
    "A person who was erased since is an administrator now.",
    "A person who was erased since is no longer an administrator.",
  ]);
  for (const rows of after.sent) {
    expect(rows).toContain("A person who was erased since is no longer an administrator.");
    expect(rows).not.toContain(person.email);
  }
});

it("an alert of an account names it before its sentence; administrators read whose it is, until that person is erased", async () => {
  const admin = await makeUser(db(), { role: "ADMIN" });
  await db().webhook.create({ data: { userId: admin.id, host: "hooks.example.com", sealedTarget: "sealed" } });
  const person = await makeUser(db());
  const account = await makeAccount(db(), person.id, { name: 'Main "A"' });
  await db().$transaction((tx) => haltAccount(systemContext("test"), tx, account.id, "books differ"));
  const textTo = async (userId: string) => (await db().notification.findFirstOrThrow({ where: { userId } })).text;
  const sentence = "The account is halted until a person resumes it: books differ";
  expect(await textTo(person.id)).toBe(`Main "A": ${sentence}`);
  expect(await textTo(admin.id)).toBe(`Main "A" of ${person.email}: ${sentence}`);
  const mails = await db().outbox.findMany({ where: { userId: { in: [admin.id, person.id] } } });
  expect(new Map(mails.map(({ userId, props }) => [userId, (props as { account: object }).account]))).toEqual(
    new Map([
      [person.id, { title: 'Main "A"', environment: "PRACTICE" }],
      [admin.id, { title: `Main "A" of ${person.email}`, environment: "PRACTICE" }],
    ]),
  );
  await db().account.update({
    where: { id: account.id },
    data: { deletedAt: new Date(), sealedKeys: null, status: "INACTIVE" },
  });
  const own = await makeSignIn(db(), await db().user.findUniqueOrThrow({ where: { id: person.id } }));
  const body = { password: FACTORY_PASSWORD, confirmation: "DELETE" };
  expect((await callDoor(eraseDoor, "POST", { token: own, body })).status).toBe(200);
  expect(await textTo(admin.id)).toBe(`An account of a person who was erased since: ${sentence}`);
  const where = { userId: admin.id };
  const sent = JSON.stringify(await Promise.all([db().outbox.findMany({ where }), db().delivery.findMany({ where })]));
  expect(sent.match(/An account of a person who was erased since/g)).toHaveLength(2);
  expect(sent).not.toContain(person.email);
  expect(sent).not.toContain("Main");
});
