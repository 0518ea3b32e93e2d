import { jobs } from "@/lib/contracts/jobs.ts";
import type { AuditEventType } from "@/lib/domain/audit-events.ts";
import { recordAudit } from "@/lib/server/audit/record-audit.ts";
import type { Actor, Context } from "@/lib/server/context.ts";
import type { Prisma, Tx } from "@/lib/server/db.ts";
import { notifySecurity } from "./notify-security.ts";

interface FactorEvent {
  userId: string;
  eventType: AuditEventType;
  data: Prisma.InputJsonObject;
  /** What the owner is told in the pages and by mail; absent for what only the trail keeps. */
  news?: { key: string; subject: string; text: string };
  at: Date;
  /** Absent: the caller. */
  actor?: Actor;
}

/** Records an event of factors and sign-ins, in the transaction of the change: for the owner, and last in the audit trail. */
export async function recordFactorEvent(
  { actor: caller, request }: Pick<Context, "actor" | "request">,
  tx: Tx,
  { userId, eventType, data, news, at, actor = caller }: FactorEvent,
): Promise<void> {
  if (news) await notifySecurity(tx, { userId, at, ...news });
  await recordAudit(tx, {
    at,
    eventType,
    actor,
    subjectUserId: userId,
    ipAddress: request.ipAddress,
    requestId: request.id,
    data,
  });
}

/** The mails of an event go at once; without a queue they go with the next look of the worker. */
export const sendNews = ({ queue }: Pick<Context, "queue">) => queue.enqueue(jobs.mail, {});
