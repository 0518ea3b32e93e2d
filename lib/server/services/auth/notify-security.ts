import type { Tx } from "../../db.ts";
import { queueMail } from "../../mail/outbox.ts";
import { notify } from "../../core/notify.ts";

export interface SecurityNews {
  userId: string;
  /** The same event is notified once. */
  key: string;
  subject: string;
  text: string;
  at: Date;
  /** What to do where it was unexpected; for what others than the person do. */
  advice?: string;
}

const ADVICE = "If it was not you, change your password and look at your sign-ins under Settings.";

/**
 * Tells a person what happened to the security of their account, in the pages and by mail, in the transaction of the event.
 * It goes whatever they switched off, like the news of a sign-in.
 */
export async function notifySecurity(
  tx: Tx,
  { userId, key, subject, text, at, advice = ADVICE }: SecurityNews,
): Promise<void> {
  const { email, firstName } = await tx.user.findUniqueOrThrow({ where: { id: userId } });
  const dedupeKey = `security:${key}`;
  const isNew = await notify(tx, {
    userId,
    dedupeKey,
    at,
    kind: "SECURITY",
    title: subject,
    text: `${text} ${advice}`,
    link: "/settings?tab=security",
  });
  if (!isNew) return;
  await queueMail(tx, {
    dedupeKey: `${dedupeKey}:${userId}`,
    userId,
    recipient: email,
    template: "system-alert",
    props: {
      firstName,
      subject,
      paragraphs: [text, advice],
      account: null,
      link: { label: "Open the settings", path: "/settings?tab=security" },
      urgency: "security",
    },
    dueAt: at,
  });
}
