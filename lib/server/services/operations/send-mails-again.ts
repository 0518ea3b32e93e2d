import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { operationsApi } from "@/lib/contracts/operations.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { Prisma, type Tx } from "../../db.ts";
import { hasDeadLink } from "../../mail/dead-links.ts";
import { inTransaction } from "../../core/transaction.ts";

const MOST_AT_ONCE = 500;

interface FailedMail {
  id: string;
  userId: string | null;
  template: string;
  /** The link that it brings opens nothing any more. */
  isExpired: boolean;
}

/** Sends a failed mail again under its message id: a recipient who received it after all sees it once. */
export async function sendMailAgain(
  context: Context,
  { id }: Received<typeof operationsApi.sendMailAgain>,
): Promise<Given<typeof operationsApi.sendMailAgain>> {
  await inTransaction(context, async (tx) => {
    const known = await tx.outbox.count({ where: { id } });
    if (known === 0) throw new Failure("not_found", "Mail not found.");
    const [mail] = await lockFailed(context, tx, id);
    if (!mail)
      throw new Failure("conflict", "This email is on its way or was already sent: there is nothing to send again.");
    if (mail.isExpired)
      throw new Failure("conflict", "The link in this email has expired: the user has to request a new one.");
    await takeUp(context, tx, [mail]);
  });
  await context.queue.enqueue(jobs.mail, {});
  return { queued: 1 };
}

/** The same for all of them, as after an outage of the mail server. */
export async function sendMailsAgain(context: Context): Promise<Given<typeof operationsApi.sendMailsAgain>> {
  const queued = await inTransaction(context, async (tx) => {
    const mails = await lockFailed(context, tx, null);
    if (mails.length > 0) await takeUp(context, tx, mails);
    return mails.length;
  });
  if (queued > 0) await context.queue.enqueue(jobs.mail, {});
  return { queued };
}

/** The one that is named; else those that can still be sent: expired links stay failed, and would take the places of the others for good. */
function lockFailed({ now }: Context, tx: Tx, id: string | null): Promise<FailedMail[]> {
  const isExpired = hasDeadLink(now());
  const isMeant = id === null ? Prisma.sql`not ${isExpired}` : Prisma.sql`m."id" = ${id}::uuid`;
  return tx.$queryRaw<FailedMail[]>`
    select m."id", m."userId", m."template", ${isExpired} as "isExpired"
    from "Outbox" m
    where m."failedAt" is not null and m."sentAt" is null and ${isMeant}
    order by m."failedAt" limit ${MOST_AT_ONCE} for update of m`;
}

async function takeUp(context: Context, tx: Tx, mails: FailedMail[]): Promise<void> {
  const at = context.now();
  await tx.outbox.updateMany({
    where: { id: { in: mails.map(({ id }) => id) } },
    data: { failedAt: null, attempts: 0, dueAt: at },
  });
  const [only] = mails;
  await recordAudit(tx, {
    at,
    eventType: "MAILS_SENT_AGAIN",
    ...callFacts(context),
    ...(mails.length === 1 && only && only.userId !== null ? { subjectUserId: only.userId } : {}),
    data: { count: mails.length, mailIds: mails.slice(0, 50).map(({ id }) => id) },
  });
}
