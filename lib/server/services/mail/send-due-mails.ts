import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "@/lib/server/context.ts";
import { env } from "@/lib/server/env.ts";
import { renderMail } from "@/lib/server/mail/render-mail.ts";
import { mailTransport, type MailTransport, type SendOutcome } from "@/lib/server/mail/transport.ts";

const CLAIMED_AT_ONCE = 10;
const ATTEMPTS_MAX = 10;
/** Longer than any attempt can take: a claim that ran out means that its worker is gone. */
const LEASE_MS = 2 * MINUTE_MS;
const BACKOFF_MAX_MS = 60 * MINUTE_MS;

interface ClaimedMail {
  id: string;
  recipient: string;
  template: string;
  props: unknown;
  attempts: number;
}

/**
 * Sends what is due in the outbox. Two workers never hold the same mail, and a mail whose worker died
 * between the mail server's yes and our note of it goes out again under the same message id.
 */
export async function sendDueMails(
  context: Pick<Context, "db" | "now" | "log">,
): Promise<{ sent: number; failed: number }> {
  const transport = mailTransport();
  const tally = { sent: 0, failed: 0 };
  if (!transport) return tally;
  try {
    for (let mails = await claim(context); mails.length > 0; mails = await claim(context)) {
      for (const mail of mails) {
        const isSent = await sendOne(context, transport, mail);
        tally[isSent ? "sent" : "failed"] += 1;
      }
    }
  } finally {
    transport.close();
  }
  return tally;
}

/** Counts the attempt and moves the due time before anything is sent, so a crash can only delay. */
function claim({ db, now }: Pick<Context, "db" | "now">): Promise<ClaimedMail[]> {
  const at = now();
  const leasedUntil = new Date(at.getTime() + LEASE_MS);
  return db.$queryRaw<ClaimedMail[]>`
    update "Outbox" set "attempts" = "attempts" + 1, "dueAt" = ${leasedUntil}::timestamptz
    where "id" in (
      select "id" from "Outbox"
      where "sentAt" is null and "failedAt" is null and "dueAt" <= ${at}::timestamptz
      order by "dueAt" limit ${CLAIMED_AT_ONCE} for update skip locked
    )
    returning "id", "recipient", "template", "props", "attempts"`;
}

async function sendOne(
  { db, now, log }: Pick<Context, "db" | "now" | "log">,
  transport: MailTransport,
  mail: ClaimedMail,
): Promise<boolean> {
  const messageId = `<${mail.id}@${new URL(env().APP_BASE_URL).hostname}>`;
  const outcome = await attempt(transport, mail, messageId);
  const at = now();
  if (outcome.kind === "sent") {
    await db.outbox.update({ where: { id: mail.id }, data: { sentAt: at, messageId, lastError: null } });
    return true;
  }
  const isFinal = outcome.kind === "refused" || mail.attempts >= ATTEMPTS_MAX;
  const waitMs = Math.min(MINUTE_MS * 2 ** (mail.attempts - 1), BACKOFF_MAX_MS);
  await db.outbox.update({
    where: { id: mail.id },
    data: {
      lastError: outcome.cause.slice(0, 500),
      ...(isFinal ? { failedAt: at } : { dueAt: new Date(at.getTime() + waitMs) }),
    },
  });
  log[isFinal ? "error" : "warn"](
    { mailId: mail.id, template: mail.template, attempt: mail.attempts, reason: outcome.cause },
    "a mail was not sent",
  );
  return false;
}

async function attempt(transport: MailTransport, mail: ClaimedMail, messageId: string): Promise<SendOutcome> {
  try {
    const rendered = await renderMail(mail.template, mail.props);
    return await transport.send({ messageId, to: mail.recipient, ...rendered });
  } catch (error) {
    // A row that does not render today does not render tomorrow.
    return { kind: "refused", cause: `not rendered: ${error instanceof Error ? error.message : String(error)}` };
  }
}
