import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { notificationsApi } from "@/lib/contracts/notifications.ts";
import type { Context } from "../../context.ts";

/** Marks the caller's own notifications as read. Ids of other people, and of what is gone, change nothing. */
export async function readNotifications(
  { actor, db, now }: Context<"user">,
  { ids, kind, until }: Received<typeof notificationsApi.read>,
): Promise<Given<typeof notificationsApi.read>> {
  const { userId } = actor;
  await db.notification.updateMany({
    where: {
      ...{ userId, readAt: null },
      ...(ids === undefined ? {} : { id: { in: ids } }),
      ...(kind === undefined ? {} : { kind }),
      ...(until === undefined ? {} : { at: { lte: new Date(until) } }),
    },
    data: { readAt: now() },
  });
  return { unreadCount: await db.notification.count({ where: { userId, readAt: null } }) };
}
