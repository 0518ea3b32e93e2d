import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { DAY_MS } from "@/lib/domain/time.ts";
import { makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { purgeOld } from "./purge-old.ts";

it("keeps the newest 500 notifications of each person, and mails of 90 days", async () => {
  const now = new Date("2026-11-21T12:00:00.000Z");
  const [many, few] = [await makeUser(db()), await makeUser(db())];
  const rows = (userId: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      userId,
      dedupeKey: `n${n}`,
      at: new Date(now.getTime() - n * 1000),
      kind: "TRADE" as const,
      title: `${n}`,
      text: "",
    }));
  await db().notification.createMany({ data: [...rows(many.id, 510), ...rows(few.id, 3)] });
  // By its notification it is known that the week's summary was written.
  const weekly = (days: number) => ({
    ...{ userId: many.id, dedupeKey: `weekly:${days}`, kind: "WEEKLY" as const, title: "Your week", text: "" },
    at: new Date(now.getTime() - days * DAY_MS),
  });
  await db().notification.createMany({ data: [weekly(2), weekly(8)] });
  const mail = (dedupeKey: string, days: number, more: object) => ({
    dedupeKey,
    recipient: "nobody",
    template: "system-alert",
    props: {},
    createdAt: new Date(now.getTime() - days * DAY_MS),
    ...more,
  });
  await db().outbox.createMany({
    data: [
      mail("sent", 91, { sentAt: now }),
      mail("without an address", 91, { sentAt: now, userId: null }),
      mail("failed", 91, { failedAt: now }),
      mail("never sent", 91, {}),
      mail("sent lately", 89, { sentAt: now, userId: randomUUID() }),
      mail("waiting", 89, {}),
    ],
  });
  await purgeOld(testContext({ now: () => now }));
  await purgeOld(testContext({ now: () => now }));
  const left = await db().notification.findMany({ where: { userId: many.id, kind: "TRADE" }, orderBy: { at: "asc" } });
  expect([left.length, left[0]?.title, left.at(-1)?.title]).toEqual([500, "499", "0"]);
  expect(await db().notification.count({ where: { userId: few.id } })).toBe(3);
  const weeks = await db().notification.findMany({ where: { kind: "WEEKLY" } });
  expect(weeks.map(({ dedupeKey }) => dedupeKey)).toEqual(["weekly:2"]);
  expect((await db().outbox.findMany()).map(({ dedupeKey }) => dedupeKey).sort()).toEqual(["sent lately", "waiting"]);
});

it("deletes sign-ins that ended 90 days ago, except each person's newest, which the next one is compared with", async () => {
  const now = new Date("2026-11-21T12:00:00.000Z");
  const [active, dormant] = [await makeUser(db()), await makeUser(db())];
  const signIn = ({ id: userId }: { id: string }, jti: string, days: number) => {
    const expiresAt = new Date(now.getTime() - days * DAY_MS);
    return { userId, jti, createdAt: new Date(expiresAt.getTime() - DAY_MS / 2), expiresAt };
  };
  await db().signIn.createMany({
    data: [
      signIn(active, "old", 91),
      signIn(active, "kept", 89),
      signIn(active, "open", -0.2),
      signIn(dormant, "older", 200),
      signIn(dormant, "newest", 100),
    ],
  });
  await purgeOld(testContext({ now: () => now }));
  const left = await db().signIn.findMany({ where: { userId: { in: [active.id, dormant.id] } } });
  expect(left.map(({ jti }) => jti).sort()).toEqual(["kept", "newest", "open"]);
});
