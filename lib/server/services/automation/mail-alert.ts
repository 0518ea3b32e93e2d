import type { Tx } from "../../db.ts";
import { queueMail } from "../../mail/outbox.ts";

export interface Alert {
  /** The same event never makes two mails to one person. */
  key: string;
  subject: string;
  paragraphs: string[];
}

/**
 * A mail of the kind "system alert" to these people, in the transaction of the event; those who want no such
 * mail get none.
 */
export async function mailAlert(
  tx: Tx,
  to: { userId: string } | "administrators",
  { key, subject, paragraphs }: Alert,
): Promise<void> {
  const people = await tx.user.findMany({
    where: { disabledAt: null, ...(to === "administrators" ? { role: "ADMIN" } : { id: to.userId }) },
    include: { notificationPreferences: true },
  });
  for (const { id, email, firstName, role, notificationPreferences: wanted } of people) {
    if (wanted && !(wanted.emailNotifications && wanted.systemAlerts)) continue;
    const link =
      role === "ADMIN" ? { label: "Open the console", path: "/admin" } : { label: "Open the logs", path: "/logs" };
    await queueMail(tx, {
      dedupeKey: `alert:${key}:${id}`,
      userId: id,
      recipient: email,
      template: "notice",
      props: { firstName, subject, paragraphs, link },
    });
  }
}
