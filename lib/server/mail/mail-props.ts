import * as z from "zod";

/**
 * What each mail is made of. Rows of the outbox hold no link and no token: links are made when the mail
 * is sent, from APP_BASE_URL, so that a host header cannot steer them and a stolen table opens nothing.
 */
export const mailProps = {
  "verify-email": z.strictObject({ firstName: z.string(), emailTokenId: z.uuid() }),
  "reset-password": z.strictObject({ firstName: z.string(), emailTokenId: z.uuid() }),
  /** `changedAt` is wall time, ISO. */
  "password-changed": z.strictObject({ firstName: z.string(), changedAt: z.iso.datetime() }),
  notice: z.strictObject({
    firstName: z.string(),
    subject: z.string(),
    paragraphs: z.array(z.string()),
    /** A page of the product, "/settings". */
    link: z.strictObject({ label: z.string(), path: z.string().startsWith("/") }).nullable(),
  }),
};

export type MailTemplate = keyof typeof mailProps;
export type MailProps<T extends MailTemplate> = z.output<(typeof mailProps)[T]>;
