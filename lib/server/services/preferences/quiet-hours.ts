import { isDeepStrictEqual } from "node:util";
import type { channelsApi } from "@/lib/contracts/channels.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { quietHoursOf } from "../../mail/wanted-mails.ts";
import { lockNotificationPreferences } from "./notification-preferences.ts";

export async function readQuietHours({
  actor,
  db,
}: Context<"user">): Promise<Given<typeof channelsApi.readQuietHours>> {
  const preferences = await db.notificationPreferences.findUnique({ where: { userId: actor.userId } });
  return { quietHours: quietHoursOf(preferences) };
}

/** Saves the quiet hours. What they held until now is looked at again at once, and held anew where it should be. */
export async function saveQuietHours(
  { actor, db, now, request }: Context<"user">,
  { quietHours }: Received<typeof channelsApi.saveQuietHours>,
): Promise<Given<typeof channelsApi.saveQuietHours>> {
  const { userId } = actor;
  const columns = {
    quietFrom: quietHours?.from ?? null,
    quietTo: quietHours?.to ?? null,
    quietTimeZone: quietHours?.timeZone ?? null,
  };
  const at = now();
  await db.$transaction(async (tx) => {
    const before = await lockNotificationPreferences(tx, userId);
    if (isDeepStrictEqual(quietHoursOf(before), quietHoursOf({ ...before, ...columns }))) return;
    await tx.notificationPreferences.update({ where: { userId }, data: columns });
    const waiting = { userId, attempts: 0, dueAt: { gt: at }, failedAt: null };
    await tx.outbox.updateMany({ where: { ...waiting, sentAt: null }, data: { dueAt: at } });
    await tx.delivery.updateMany({ where: { ...waiting, deliveredAt: null }, data: { dueAt: at } });
    await recordAudit(tx, {
      at,
      eventType: "QUIET_HOURS_CHANGED",
      ...callFacts({ actor, request }),
      subjectUserId: userId,
      data: { ...quietHours },
    });
  });
  return { quietHours };
}
