import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { preferencesApi } from "@/lib/contracts/preferences.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";

type Preferences = Given<typeof preferencesApi.readNotifications>;

const WANTED = {
  emailNotifications: true,
  orderNotifications: true,
  tradeNotifications: true,
  weeklySummary: true,
  systemAlerts: true,
} as const;

const NAMES = Object.keys(WANTED) as (keyof typeof WANTED)[];

export async function readNotificationPreferences({ actor, db }: Context<"user">): Promise<Preferences> {
  const { userId } = actor;
  return db.notificationPreferences.upsert({ where: { userId }, create: { userId }, update: {}, select: WANTED });
}

/** `basedOn`: as the form read them. What was switched elsewhere since, as by the link of a mail, is not switched back by it. */
export async function saveNotificationPreferences(
  { actor, db, now, request }: Context<"user">,
  { basedOn = {}, ...input }: Received<typeof preferencesApi.saveNotifications>,
): Promise<Preferences> {
  const { userId } = actor;
  return db.$transaction(async (tx) => {
    const before = await lockNotificationPreferences(tx, userId);
    const changed = NAMES.filter((name) => basedOn[name] !== input[name] && before[name] !== input[name]);
    if (changed.length === 0) return readable(before);
    const data = Object.fromEntries(changed.map((name) => [name, input[name]]));
    const saved = await tx.notificationPreferences.update({ where: { userId }, data, select: WANTED });
    await recordAudit(tx, {
      at: now(),
      eventType: "NOTIFICATION_PREFERENCES_CHANGED",
      ...callFacts({ actor, request }),
      subjectUserId: userId,
      data: saved,
    });
    return saved;
  });
}

/** The person's row, made where it is missing. Its lock orders two saves: what changes nothing is not audited. */
export async function lockNotificationPreferences(tx: Tx, userId: string) {
  await tx.notificationPreferences.upsert({ where: { userId }, create: { userId }, update: {} });
  await tx.$queryRaw`select 1 from "NotificationPreferences" where "userId" = ${userId}::uuid for update`;
  return tx.notificationPreferences.findUniqueOrThrow({ where: { userId } });
}

const readable = (row: Preferences): Preferences =>
  Object.fromEntries(NAMES.map((name) => [name, row[name]])) as Preferences;
