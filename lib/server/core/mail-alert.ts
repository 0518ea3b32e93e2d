import { accountTitle } from "@/lib/domain/account-title.ts";
import type { Tx } from "../db.ts";
import { queueMail } from "../mail/outbox.ts";
import { wantedKinds } from "../mail/wanted-mails.ts";
import { environmentLabel } from "../rows.ts";
import { notify } from "./notify.ts";

export interface Alert {
  /** The same event never makes two mails to one person. */
  key: string;
  subject: string;
  paragraphs: string[];
  /** The account that it is about. */
  accountId?: string;
  /** A stop of trading, or something about the safety of the product: it waits for no quiet hours. */
  isUrgent?: boolean;
}

/**
 * A system alert to those of these people who want such alerts, in the product's pages and by mail, in the transaction of
 * the event.
 */
export async function mailAlert(
  tx: Tx,
  to: { userId: string } | "administrators",
  { key, subject, paragraphs, accountId, isUrgent = false }: Alert,
): Promise<void> {
  const people = await tx.user.findMany({
    where: { disabledAt: null, ...(to === "administrators" ? { role: "ADMIN" } : { id: to.userId }) },
    include: { notificationPreferences: true },
  });
  const found =
    accountId === undefined
      ? null
      : await tx.account.findUnique({ where: { id: accountId }, include: { user: { select: { email: true } } } });
  for (const { id, email, firstName, role, notificationPreferences } of people) {
    if (!wantedKinds(notificationPreferences, "pages").has("alerts")) continue;
    const account = found && {
      // Administrators are told whose it is.
      title: id === found.userId ? accountTitle(found) : `${accountTitle(found)} of ${found.user.email}`,
      environment: environmentLabel(found),
    };
    const link =
      role === "ADMIN" ? { label: "Open the console", path: "/admin" } : { label: "Open the logs", path: "/logs" };
    await notify(tx, {
      userId: id,
      dedupeKey: `alert:${key}`,
      kind: "SYSTEM",
      title: subject,
      text: `${account ? `${account.title}: ` : ""}${paragraphs.join(" ")}`,
      link: link.path,
      environment: account?.environment ?? null,
      isUrgent,
    });
    if (!wantedKinds(notificationPreferences).has("alerts")) continue;
    await queueMail(tx, {
      dedupeKey: `alert:${key}:${id}`,
      userId: id,
      recipient: email,
      template: "system-alert",
      props: { firstName, subject, paragraphs, account, link, ...(isUrgent ? { urgency: "urgent" as const } : {}) },
    });
  }
}
