import { jobs } from "@/lib/contracts/jobs.ts";
import type { Context } from "../../context.ts";
import { queueMail } from "../../mail/outbox.ts";
import { notify } from "../../core/notify.ts";
import { inTransaction } from "../../core/transaction.ts";

/**
 * Tells a person, once a day, in the pages and by mail, that many wrong passwords were tried at their account. Strangers' addresses get no mail, nor do
 * unverified ones: the mail would carry a name that a stranger chose.
 */
export async function warnOfGuessing(
  { db, now, queue }: Pick<Context, "db" | "now" | "queue">,
  { email }: { email: string },
): Promise<void> {
  const at = now();
  const owner = await db.user.findUnique({
    where: { email },
    select: { id: true, email: true, firstName: true, disabledAt: true, emailVerifiedAt: true },
  });
  if (!owner || owner.disabledAt !== null || owner.emailVerifiedAt === null) return;
  const day = at.toISOString().slice(0, 10);
  const subject = "Many wrong passwords were entered for your account";
  const paragraphs = [
    "Someone entered many wrong passwords for your account today. None of them was correct, and your account was not entered.",
    "For the rest of the day you can sign in as usual from devices and networks that you used before; from others you may have to wait.",
    "If you use the same password elsewhere, please set a new one.",
  ];
  await inTransaction({ db }, async (tx) => {
    const dedupeKey = `guessing:${day}`;
    const news = {
      kind: "SECURITY",
      title: subject,
      text: paragraphs.join(" "),
      link: "/settings?tab=security",
    } as const;
    await notify(tx, { userId: owner.id, dedupeKey, at, ...news });
    await queueMail(tx, {
      dedupeKey: `guessing:${owner.id}:${day}`,
      userId: owner.id,
      recipient: owner.email,
      template: "system-alert",
      props: {
        firstName: owner.firstName,
        subject,
        paragraphs,
        link: { label: "Set a new password", path: "/settings?tab=security" },
        // Whatever mails were switched off.
        urgency: "security",
      },
      dueAt: at,
    });
  });
  await queue.enqueue(jobs.mail, {});
}
