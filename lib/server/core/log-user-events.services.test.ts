import { expect, it } from "vitest";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { db } from "../db.ts";
import { systemContext } from "../system-context.ts";
import { haltAccount } from "./halt-account.ts";
import { inTransaction } from "./transaction.ts";
import { logUserEvents } from "./log-user-events.ts";

it("an event is kept for its user, and no secret with it", async () => {
  const user = await makeUser(db());
  const at = new Date("2020-02-03T15:00:00.000Z");
  await logUserEvents(db(), [
    { level: "warn", message: "refused for PKABCDEFGHIJKLMNOPQR", userId: user.id, marketAt: at },
    { level: "info", message: "x".repeat(2_000), userId: user.id, marketAt: null },
  ]);
  const [first, second] = await db().logEvent.findMany({ where: { userId: user.id }, orderBy: { id: "asc" } });
  expect(first).toMatchObject({ level: "warn", message: "refused for [key]", marketAt: at, context: {} });
  expect(second?.message).toHaveLength(500);
});

it("a halt is recorded once, in the transaction that halts", async () => {
  const context = systemContext("test");
  const account = await makeAccount(db(), (await makeUser(db())).id);
  const halt = (reason: string) => inTransaction(context, (tx) => haltAccount(context, tx, account.id, reason));
  await halt("the books differ");
  await halt("they still differ");
  await inTransaction(context, async (tx) => {
    await tx.account.update({ where: { id: account.id }, data: { haltedAt: null, haltReason: null } });
    await haltAccount(context, tx, account.id, "never committed");
    throw new Error("rolled back");
  }).catch(() => undefined);
  const events = await db().logEvent.findMany({ where: { accountId: account.id } });
  expect(events.map(({ level, message, userId }) => ({ level, message, userId }))).toEqual([
    {
      level: "error",
      message: "The account is halted until a person resumes it: the books differ",
      userId: account.userId,
    },
  ]);
});
