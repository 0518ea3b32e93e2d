import { jobs } from "@/lib/contracts/jobs.ts";
import type { Context } from "@/lib/server/context.ts";
import { queueMail } from "@/lib/server/mail/outbox.ts";

/**
 * Tells a person, once a day, that many wrong passwords were tried at their account. Strangers' addresses get no mail, nor do
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
  await queueMail(db, {
    dedupeKey: `guessing:${owner.id}:${at.toISOString().slice(0, 10)}`,
    userId: owner.id,
    recipient: owner.email,
    template: "system-alert",
    props: {
      firstName: owner.firstName,
      subject: "Many wrong passwords were entered for your account",
      paragraphs: [
        "Someone entered many wrong passwords for your account today. None of them was correct, and your account was not entered.",
        "For the rest of the day you can sign in as usual from devices and networks that you used before; from others you may have to wait.",
        "If you use the same password elsewhere, please set a new one.",
      ],
      link: { label: "Set a new password", path: "/auth" },
    },
    dueAt: at,
  });
  await queue.enqueue(jobs.mail, {});
}
