import { expect, it } from "vitest";
import { makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { systemContext } from "../../system-context.ts";
import { readHeartbeat } from "./read-heartbeat.ts";

it("the defaults of the registration are no choice of strategy; a later save is one, of the same values too", async () => {
  const { id: userId } = await makeUser(db());
  const { createdAt } = await db().user.findUniqueOrThrow({ where: { id: userId } });
  const actor = { kind: "user", userId, role: "USER", signInId: "test" } as const;
  const context = { ...systemContext("test"), actor };
  const savedAfter = (ms: number) =>
    db().tradingPreferences.update({ where: { userId }, data: { updatedAt: new Date(createdAt.getTime() + ms) } });
  await savedAfter(40);
  expect(await readHeartbeat(context)).toMatchObject({
    hasChosenStrategy: false,
    lastDecisionId: null,
    lastCycle: null,
  });
  await savedAfter(60_000);
  expect(await readHeartbeat(context)).toMatchObject({ hasChosenStrategy: true });
});
