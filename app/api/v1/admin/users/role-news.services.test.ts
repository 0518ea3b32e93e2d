import { expect, it } from "vitest";
import { callDoor } from "@/lib/proof/call-door.ts";
import { db } from "@/lib/server/db.ts";
import { FACTORY_PASSWORD, makeSignIn, makeUser } from "@/prisma/factories.ts";
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
