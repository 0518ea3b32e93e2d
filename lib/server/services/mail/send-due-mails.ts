import { quietUntil } from "@/lib/domain/quiet-hours.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { env } from "../../env.ts";
import { hasDeadLink, hasUsedLink } from "../../mail/dead-links.ts";
import type { MailTemplate } from "../../mail/mail-props.ts";
import { renderMail, type MailReader, type RenderedMail } from "../../mail/render-mail.ts";
import { mailTransport, type MailTransport, type SendOutcome } from "../../mail/transport.ts";
import { readWishes, wantedKinds, type Wishes } from "../../mail/wanted-mails.ts";
import { messageOf } from "../../message-of.ts";

const ATTEMPTS_MAX = 10;
/** Longer than an attempt takes with a server that uses up every patience: a claim that ran out has lost its worker. */
const LEASE_MS = 10 * MINUTE_MS;
const BACKOFF_MAX_MS = 60 * MINUTE_MS;

type Ports = Pick<Context, "db" | "now" | "log">;

interface ClaimedMail {
  id: string;
  userId: string | null;
  recipient: string;
  template: string;
  props: unknown;
  attempts: number;
  isLinkDead: boolean;
  isLinkUsed: boolean;
}

/**
 * Sends what is due in the outbox. Two workers never hold the same mail: each is claimed alone, just before it goes
 * out. A mail whose worker died between the mail server's yes and our note of it goes out again under the same
 * message id: a mail program shows it once.
 */
export async function sendDueMails(context: Ports): Promise<{ sent: number; failed: number }> {
  const transport = mailTransport();
  const tally = { sent: 0, failed: 0 };
  if (!transport) return tally;
  try {
    for (let mail = await claim(context); mail !== undefined; mail = await claim(context)) {
      const outcome = await sendOne(context, transport, mail);
      if (outcome === "sent" || outcome === "failed") tally[outcome] += 1;
    }
  } finally {
    transport.close();
  }
  return tally;
}

/** These go out after all others, which may be links that expire or a halt. */
const COLLECTED: MailTemplate[] = ["activity", "weekly-summary"];

/** To an erased person: its row holds the last trace of the address and does not outlive the mail. */
const FAREWELL: MailTemplate = "account-erased";

/**
 * Counts the attempt and moves the due time before anything is sent, so a crash can only delay. Found by "=", which is worked
 * out once: with "in" a plan may ask for the next one anew for every row, and lease them all.
 */
async function claim({ db, now }: Pick<Context, "db" | "now">): Promise<ClaimedMail | undefined> {
  const at = now();
  const leasedUntil = new Date(at.getTime() + LEASE_MS);
  const [mail] = await db.$queryRaw<ClaimedMail[]>`
    update "Outbox" m set "attempts" = m."attempts" + 1, "dueAt" = ${leasedUntil}::timestamptz
    where m."id" = (
      select "id" from "Outbox"
      where "sentAt" is null and "failedAt" is null and "dueAt" <= ${at}::timestamptz
      order by "template" = any(${COLLECTED}), "dueAt" limit 1 for update skip locked
    )
    returning m."id", m."userId", m."recipient", m."template", m."props", m."attempts", ${hasDeadLink(at)} as "isLinkDead",
      ${hasUsedLink} as "isLinkUsed"`;
  return mail;
}

async function sendOne(
  context: Ports,
  transport: MailTransport,
  mail: ClaimedMail,
): Promise<"sent" | "failed" | "unwanted" | "held"> {
  const { db, now } = context;
  // Another mail of the same brought it, or this one did and its yes was lost: done, and not sent.
  if (mail.isLinkUsed) {
    await settle(context, mail, { lastError: "its link was used" });
    return "unwanted";
  }
  // As after an outage of the mail server.
  if (mail.isLinkDead) {
    await noteFailure(context, mail, { kind: "refused", cause: "its link has expired" });
    return "failed";
  }
  const messageId = `<${mail.id}@${new URL(env().APP_BASE_URL).hostname}>`;
  const wishes: Wishes =
    mail.userId === null ? { wants: wantedKinds(null), quiet: null } : await readWishes(db, mail.userId, "mail");
  const rendered = await render({ userId: mail.userId, wants: wishes.wants }, mail);
  if (rendered === null) {
    // Switched off since it was written: done, and not sent.
    await settle(context, mail, { lastError: "no longer wanted" });
    return "unwanted";
  }
  const until = "kind" in rendered || rendered.isUrgent ? null : quietUntil(wishes.quiet, now());
  if (until !== null) {
    // As if it had not been claimed: what happens meanwhile is added to it (core/add-activity.ts). It waits for its reader, not for the mail server.
    await db.outbox.updateMany({
      where: { id: mail.id, attempts: mail.attempts, sentAt: null },
      data: { attempts: mail.attempts - 1, dueAt: until, lastError: null },
    });
    return "held";
  }
  const outcome = "kind" in rendered ? rendered : await transport.send({ messageId, to: mail.recipient, ...rendered });
  if (outcome.kind !== "sent") {
    await noteFailure(context, mail, outcome);
    return "failed";
  }
  if (mail.template === FAREWELL) await db.outbox.deleteMany({ where: { id: mail.id } });
  else await settle(context, mail, { messageId, lastError: null });
  return "sent";
}

/** There is nothing left to note where the person was erased meanwhile. */
async function settle(
  { db, now }: Ports,
  { id }: ClaimedMail,
  data: { messageId?: string; lastError: string | null },
): Promise<void> {
  await db.outbox.updateMany({ where: { id }, data: { sentAt: now(), ...data } });
}

/** The mail; null when its reader no longer wants it; a refusal when the row cannot be made into one. */
async function render(
  reader: MailReader,
  mail: ClaimedMail,
): Promise<RenderedMail | Extract<SendOutcome, { kind: "refused" }> | null> {
  try {
    return await renderMail(mail.template, mail.props, reader);
  } catch (error) {
    // A row that does not render today does not render tomorrow.
    return { kind: "refused", cause: `not rendered: ${messageOf(error)}` };
  }
}

/** The next attempt, or none. A worker whose claim ran out meanwhile writes nothing. */
async function noteFailure(
  { db, now, log }: Ports,
  { id, template, attempts }: ClaimedMail,
  outcome: Exclude<SendOutcome, { kind: "sent" }>,
): Promise<void> {
  const at = now();
  const isFinal = outcome.kind === "refused" || attempts >= ATTEMPTS_MAX;
  const waitMs = Math.min(MINUTE_MS * 2 ** (attempts - 1), BACKOFF_MAX_MS);
  if (isFinal && template === FAREWELL) await db.outbox.deleteMany({ where: { id, attempts } });
  await db.outbox.updateMany({
    where: { id, attempts, sentAt: null },
    data: {
      lastError: outcome.cause.slice(0, 500),
      ...(isFinal ? { failedAt: at } : { dueAt: new Date(at.getTime() + waitMs) }),
    },
  });
  log[isFinal ? "error" : "warn"]("mail.failed", {
    mailId: id,
    template,
    attempt: attempts,
    reason: outcome.cause,
  });
}
