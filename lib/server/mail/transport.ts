import { createTransport } from "nodemailer";
import { env } from "../env.ts";

export interface OutgoingMail {
  /** The same for every attempt at the same mail, so that a mailbox can tell a repetition. */
  messageId: string;
  to: string;
  subject: string;
  html: string;
  text: string;
}

export type SendOutcome = { kind: "sent" } | { kind: "refused"; cause: string } | { kind: "failed"; cause: string };

export interface MailTransport {
  /** Never throws: what happened to a mail is data. */
  send(mail: OutgoingMail): Promise<SendOutcome>;
  close(): void;
}

/** The way out, or null where none is configured. */
export function mailTransport(): MailTransport | null {
  const { SMTP_URL, MAIL_FROM } = env();
  if (!SMTP_URL) return null;
  const smtp = createTransport({
    url: SMTP_URL,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    // A mail never reads a file or an address, whatever stands in its fields.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, ...mail }) {
      try {
        await smtp.sendMail({ ...mail, from: MAIL_FROM, to: { name: "", address: to } });
        return { kind: "sent" };
      } catch (error) {
        const { responseCode, code } = error as { responseCode?: number; code?: string };
        const cause = `${code ?? "ERROR"} ${responseCode ?? ""}`.trim();
        return { kind: responseCode !== undefined && responseCode >= 500 ? "refused" : "failed", cause };
      }
    },
    close: () => smtp.close(),
  };
}
