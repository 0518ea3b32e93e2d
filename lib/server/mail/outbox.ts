import type { Tx } from "../db.ts";
import type { MailProps, MailTemplate } from "./mail-props.ts";

export interface QueuedMail<T extends MailTemplate> {
  /** The same event never makes two mails. */
  dedupeKey: string;
  userId: string | null;
  recipient: string;
  template: T;
  props: MailProps<T>;
  /** Wall time; now when absent. */
  dueAt?: Date;
  /** Set for a mail that nobody gets: it is written for the sake of the writing and never sent. */
  sentAt?: Date | null;
}

/** Puts a mail into the outbox, in the transaction of the event it tells of. The worker sends it. */
export async function queueMail<T extends MailTemplate>(tx: Tx, { dueAt, ...mail }: QueuedMail<T>): Promise<void> {
  await tx.outbox.createMany({ data: [{ ...mail, ...(dueAt ? { dueAt } : {}) }], skipDuplicates: true });
}
