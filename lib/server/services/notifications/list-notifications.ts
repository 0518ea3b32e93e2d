import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { notificationsApi } from "@/lib/contracts/notifications.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";

/** The caller's own notifications, newest first. */
export async function listNotifications(
  { actor, db }: Context<"user">,
  { kind, cursor, limit }: Received<typeof notificationsApi.list>,
): Promise<Given<typeof notificationsApi.list>> {
  const { userId } = actor;
  const from = cursor === undefined ? null : readCursor(cursor);
  const [rows, unreadCount] = await Promise.all([
    db.notification.findMany({
      where: {
        userId,
        ...(kind === undefined ? {} : { kind }),
        ...(from ? { OR: [{ at: { lt: from.at } }, { at: from.at, id: { lt: from.id } }] } : {}),
      },
      orderBy: [{ at: "desc" }, { id: "desc" }],
      take: limit + 1,
    }),
    db.notification.count({ where: { userId, readAt: null } }),
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
    pagination: { nextCursor: rows.length > limit && last ? writeCursor(last.at, last.id) : null, limit },
  };
}

function writeCursor(at: Date, id: string): string {
  return Buffer.from(`${at.toISOString()}|${id}`).toString("base64url");
}

function readCursor(cursor: string): { at: Date; id: string } {
  const [at = "", id = ""] = Buffer.from(cursor, "base64url").toString().split("|");
  const date = new Date(at);
  if (Number.isNaN(date.getTime()) || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) {
    throw new Failure("invalid_input", "This page of notifications cannot be found. Load the list again.", {
      issues: [{ path: "cursor", message: "Not a cursor of this list." }],
    });
  }
  return { at: date, id };
}
