import { recordAudit, type AuditEntry } from "@/lib/server/audit/record-audit.ts";
import type { Context } from "@/lib/server/context.ts";
import type { Tx } from "@/lib/server/db.ts";
import { notifySecurity, type SecurityNews } from "../auth/notify-security.ts";

interface ChannelNews {
  at: Date;
  /** Where notifications begin to leave the house: the owner hears of it in the pages and by mail. */
  news?: Pick<SecurityNews, "key" | "subject" | "text">;
}

/** Records what a person changed about where their notifications go, in the transaction of the change. */
export async function recordChannelEvent(
  { actor, request }: Context<"user">,
  tx: Tx,
  entry: Pick<AuditEntry, "eventType" | "personal"> & ChannelNews,
): Promise<void> {
  const { at, eventType, personal, news } = entry;
  const { userId } = actor;
  if (news) await notifySecurity(tx, { userId, at, ...news });
  await recordAudit(tx, {
    at,
    eventType,
    actor,
    subjectUserId: userId,
    ipAddress: request.ipAddress,
    requestId: request.id,
    data: {},
    ...(personal ? { personal } : {}),
  });
}
