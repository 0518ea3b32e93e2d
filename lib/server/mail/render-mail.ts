import { noticeMail } from "@/emails/notice.tsx";
import type { Mail } from "@/emails/to-mail.ts";
import { passwordChangedMail } from "@/emails/password-changed.tsx";
import { resetPasswordMail } from "@/emails/reset-password.tsx";
import { verifyEmailMail } from "@/emails/verify-email.tsx";
import { env } from "../env.ts";
import { emailToken } from "../secrets/email-token.ts";
import { mailProps } from "./mail-props.ts";

/** A row of the outbox as a mail. Throws when the row holds no known template or other props than it needs. */
export async function renderMail(template: string, props: unknown): Promise<Mail> {
  const { APP_BASE_URL: base, SUPPORT_EMAIL: supportEmail } = env();
  switch (template) {
    case "verify-email": {
      const { firstName, emailTokenId } = mailProps["verify-email"].parse(props);
      const link = `${base}/auth/verify-success?token=${emailToken("VERIFY_EMAIL", emailTokenId)}`;
      return verifyEmailMail({ firstName, link, supportEmail });
    }
    case "reset-password": {
      const { firstName, emailTokenId } = mailProps["reset-password"].parse(props);
      const link = `${base}/auth/reset-password?token=${emailToken("RESET_PASSWORD", emailTokenId)}`;
      return resetPasswordMail({ firstName, link, supportEmail });
    }
    case "password-changed": {
      const { firstName, changedAt } = mailProps["password-changed"].parse(props);
      return passwordChangedMail({ firstName, changedAt, link: `${base}/auth`, supportEmail });
    }
    case "notice": {
      const { link, ...rest } = mailProps.notice.parse(props);
      return noticeMail({ ...rest, link: link && { label: link.label, href: `${base}${link.path}` }, supportEmail });
    }
    default:
      throw new Error(`no such mail template: ${template}`);
  }
}
