import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { notificationsApi } from "@/lib/contracts/notifications.ts";
import type { Context } from "../../context.ts";
import { readCursor, writeCursor } from "../../cursor.ts";

/** The caller's own notifications, newest first. */
export async function listNotifications(
  { actor, db }: Context<"user">,
  { kind, cursor, limit }: Received<typeof notificationsApi.list>,
): Promise<Given<typeof notificationsApi.list>> {
  const { userId } = actor;
  const from = cursor === undefined ? null : readCursor(cursor);
  const asked = { userId, ...(kind === undefined ? {} : { kind }) };
  const [rows, unreadCount] = await Promise.all([
    db.notification.findMany({
      where: {
        ...asked,
        ...(from ? { OR: [{ at: { lt: from.at } }, { at: from.at, id: { lt: from.id } }] } : {}),
      },
      orderBy: [{ at: "desc" }, { id: "desc" }],
      take: limit + 1,
    }),
    db.notification.count({ where: { ...asked, readAt: null } }),
  ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    notifications: page.map(({ id, at, marketAt, kind, title, text, link, environment, readAt }) => ({
      id,
      at,
      marketAt,
      kind,
      title,
      text,
      link,
      environment,
      isRead: readAt !== null,
    })),
    unreadCount,
    pagination: { nextCursor: rows.length > limit && last ? writeCursor(last) : null, limit },
  };
}
