import { callFacts, recordAudit, type AuditEntry } from "../audit/record-audit.ts";
import type { Context } from "../context.ts";
import type { Prisma, Tx } from "../db.ts";
import { mailAlert, type Alert } from "./mail-alert.ts";
import { logUserEvents, type UserEvent } from "./log-user-events.ts";

interface RecordedEvent extends Pick<UserEvent, "level" | "message" | "userId" | "accountId" | "cycleId"> {
  /** Market time of what happened; absent for what has none. */
  marketAt?: Date;
  /** Facts beside the message in the user's log. */
  detail?: Prisma.InputJsonObject;
  /** Who is alerted in the pages and by mail; with the message alone where no paragraphs are given. */
  alerts?: (Pick<Alert, "key" | "subject" | "isUrgent"> & {
    to: { userId: string } | "administrators";
    paragraphs?: string[];
  })[];
  /** Wall time of the audit row; now when absent. */
  at?: Date;
  audit?: Pick<AuditEntry, "eventType" | "data" | "personal">;
}

/**
 * Records what happened for everyone who has to know of it, in the transaction of the change: in the user's log, as an
 * alert, and in the audit trail, which comes last (record-audit.ts).
 */
export async function recordEvent(
  { actor, now, request }: Pick<Context, "actor" | "now" | "request">,
  tx: Tx,
  { marketAt, detail, alerts = [], at, audit, ...event }: RecordedEvent,
): Promise<void> {
  const { message, userId, accountId } = event;
  await logUserEvents(tx, [{ ...event, marketAt: marketAt ?? null, ...(detail ? { context: detail } : {}) }]);
  for (const { to, paragraphs = [message], ...alert } of alerts)
    await mailAlert(tx, to, { ...alert, paragraphs, ...(accountId === undefined ? {} : { accountId }) });
  if (!audit) return;
  await recordAudit(tx, {
    ...audit,
    at: at ?? now(),
    ...callFacts({ actor, request }),
    ...(userId === null ? {} : { subjectUserId: userId }),
  });
}
