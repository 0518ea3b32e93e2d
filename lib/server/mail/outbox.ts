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
  /** Set for a mail without a recipient: it is written so that the call takes as long as with one, and never sent. */
  sentAt?: Date | null;
}

/** Puts a mail into the outbox, in the transaction of its event. The worker sends it. */
export async function queueMail<T extends MailTemplate>(tx: Tx, { dueAt, ...mail }: QueuedMail<T>): Promise<void> {
  await tx.outbox.createMany({ data: [{ ...mail, ...(dueAt ? { dueAt } : {}) }], skipDuplicates: true });
}
