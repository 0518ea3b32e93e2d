import { expect, it } from "vitest";
import { decide } from "@/lib/proof/fixtures/orders.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import type { Broker } from "../../broker/broker.ts";
import { db } from "../../db.ts";
import { systemContext } from "../../system-context.ts";
import { scheduleKey } from "../schedule/schedule-keys.ts";
import { readHeartbeat } from "./read-heartbeat.ts";

it("the defaults of the registration are no choice of strategy; a later save is one, of the same values too", async () => {
  const { id: userId } = await makeUser(db());
  const { createdAt } = await db().user.findUniqueOrThrow({ where: { id: userId } });
  const actor = { kind: "user", userId, role: "USER", signInId: "test" } as const;
  const context = { ...systemContext("test"), actor };
  const savedAfter = (ms: number) =>
    db().tradingPreferences.update({ where: { userId }, data: { updatedAt: new Date(createdAt.getTime() + ms) } });
  await savedAfter(40);
  expect(await readHeartbeat(context, {})).toMatchObject({
    hasChosenStrategy: false,
    hasDecided: false,
    lastDecision: null,
  });
  await savedAfter(60_000);
  expect(await readHeartbeat(context, {})).toMatchObject({ hasChosenStrategy: true });
});

it("of a person without an account nothing ran and nothing is due; each environment has the run of its own market", async () => {
  const { id: userId } = await makeUser(db());
  const context = {
    ...systemContext("test"),
    actor: { kind: "user", userId, role: "USER", signInId: "test" } as const,
  };
  const ranAt = new Date("2020-02-03T15:00:00Z");
  const dueAt = new Date("2020-02-03T15:05:00Z");
  await db().schedule.upsert({
    where: { key: scheduleKey("screening", "PRACTICE") },
    create: { key: scheduleKey("screening", "PRACTICE"), job: "screening", dueAt, lastMarketAt: ranAt },
    update: { dueAt, lastMarketAt: ranAt },
  });
  const nothing = { lastRunAt: null, nextRunAt: null };
  expect(await readHeartbeat(context, {})).toMatchObject({
    ...{ environment: null, environments: [], isInitialized: false, marketScreening: nothing },
  });
  await makeAccount(db(), userId);
  await makeAccount(db(), userId, { broker: "ALPACA" });
  expect(await readHeartbeat(context, { environment: "PRACTICE" })).toMatchObject({
    ...{ environment: "PRACTICE", environments: ["PAPER", "PRACTICE"], marketScreening: { lastRunAt: ranAt } },
  });
  expect(await readHeartbeat(context, {})).toMatchObject({ environment: "PAPER", marketScreening: nothing });
});

it("a decision from before the schedule's first run is the last run", async () => {
  const { id: userId } = await makeUser(db());
  const actor = { kind: "user", userId, role: "USER", signInId: "test" } as const;
  const system = systemContext("test");
  await db().schedule.deleteMany({ where: { job: "screening" } });
  const { id } = await makeAccount(db(), userId);
  const now = "2020-01-31T20:40:00.000Z";
  const clock = () => Promise.resolve({ now, isOpen: true, nextOpen: now, nextClose: now });
  const brokers = { ...system.brokers, forAccount: () => ({ clock }) as unknown as Broker };
  expect((await readHeartbeat({ ...system, actor }, {})).marketScreening.lastRunAt).toBeNull();
  await decide({ ...system, brokers }, await db().account.findUniqueOrThrow({ where: { id } }), []);
  const { marketScreening, isInitialized } = await readHeartbeat({ ...system, actor }, {});
  expect(marketScreening.lastRunAt).toEqual(new Date(now));
  expect(isInitialized).toBe(false);
});
