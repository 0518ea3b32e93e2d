import { createTransport } from "nodemailer";
import { env } from "../env.ts";

export interface OutgoingMail {
  /** The same for every attempt at the same mail, so that a mailbox can tell a repetition. */
  messageId: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** For the mail program's own button (RFC 8058); null for a mail that always goes. */
  unsubscribeUrl: string | null;
}

export type SendOutcome = { kind: "sent" } | { kind: "refused"; cause: string } | { kind: "failed"; cause: string };

export interface MailTransport {
  /** Never throws: the outcome of a mail is data. */
  send(mail: OutgoingMail): Promise<SendOutcome>;
  close(): void;
}

/** What a server answers to who did not sign in as it wants (RFC 4954), at any command. */
const SIGN_IN_REFUSED = new Set([530, 534, 535, 538]);

/** Whether the answer is about the recipient or the mail. What the server has against the caller ends with a setting, and the mail can go then. */
const isFinal = (command: string | undefined, code: number | undefined) =>
  (command === "RCPT TO" || command === "DATA") && code !== undefined && code >= 500 && !SIGN_IN_REFUSED.has(code);

/** The mail transport, or null where none is configured. */
export function mailTransport(): MailTransport | null {
  const { SMTP_URL, MAIL_FROM } = env();
  if (!SMTP_URL) return null;
  const smtp = createTransport({
    url: SMTP_URL,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    // A server may answer late after the last line; a short timeout would send the mail twice.
    socketTimeout: 60_000,
    // A mail never reads a file or a URL, whatever its fields hold.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, unsubscribeUrl, ...mail }) {
      const headers = {
        "Auto-Submitted": "auto-generated",
        ...(unsubscribeUrl === null
          ? {}
          : {
              "List-Unsubscribe": `<${unsubscribeUrl}>`,
              "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            }),
      };
      try {
        await smtp.sendMail({ ...mail, headers, from: MAIL_FROM, to: { name: "", address: to } });
        return { kind: "sent" };
      } catch (error) {
        const { responseCode, code, command } = error as { responseCode?: number; code?: string; command?: string };
        const cause = `${code ?? "ERROR"} ${responseCode ?? ""}`.trim();
        return { kind: isFinal(command, responseCode) ? "refused" : "failed", cause };
      }
    },
    close: () => smtp.close(),
  };
}
