import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { preferencesApi } from "@/lib/contracts/preferences.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";

type Preferences = Given<typeof preferencesApi.readNotifications>;

const WANTED = {
  emailNotifications: true,
  orderNotifications: true,
  tradeNotifications: true,
  weeklySummary: true,
  systemAlerts: true,
} as const;

export async function readNotificationPreferences({ actor, db }: Context<"user">): Promise<Preferences> {
  const { userId } = actor;
  return db.notificationPreferences.upsert({ where: { userId }, create: { userId }, update: {}, select: WANTED });
}

export async function saveNotificationPreferences(
  { actor, db, now, request }: Context<"user">,
  input: Received<typeof preferencesApi.saveNotifications>,
): Promise<Preferences> {
  const { userId } = actor;
  return db.$transaction(async (tx) => {
    const saved = await tx.notificationPreferences.upsert({
      where: { userId },
      create: { userId, ...input },
      update: input,
      select: WANTED,
    });
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
