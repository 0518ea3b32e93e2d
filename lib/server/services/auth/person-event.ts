import { jobs } from "@/lib/contracts/jobs.ts";
import { callFacts, recordAudit, type AuditEntry } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { notifySecurity, type SecurityNews } from "./notify-security.ts";

interface AboutPerson {
  userId: string;
  /** What the owner is told in the pages and by mail; absent for what only the trail keeps. */
  news?: Pick<SecurityNews, "key" | "subject" | "text">;
}

/** Records what a person changed about their sign-in or where their notifications go, in the transaction of the change: for the owner, and last in the audit trail. */
export async function recordPersonEvent(
  { actor, request }: Pick<Context, "actor" | "request">,
  tx: Tx,
  entry: Pick<AuditEntry, "eventType" | "at"> & Partial<Pick<AuditEntry, "data" | "personal">> & AboutPerson,
): Promise<void> {
  const { userId, news, at, eventType, data = {}, personal } = entry;
  if (news) await notifySecurity(tx, { userId, at, ...news });
  await recordAudit(tx, {
    at,
    eventType,
    ...callFacts({ actor, request }),
    subjectUserId: userId,
    data,
    ...(personal ? { personal } : {}),
  });
}

/** The mails of an event go at once; without a queue they go with the next look of the worker. */
export const sendNews = ({ queue }: Pick<Context, "queue">) => queue.enqueue(jobs.mail, {});
