import { randomBytes } from "node:crypto";
import * as z from "zod";
import { Failure } from "@/lib/domain/failures.ts";
import { openText, resealText, sealText, type TextOwner } from "./seal-text.ts";

const ownedBy = (userId: string): TextOwner => ({ purpose: "webhook", userId });

const oldSecret = z.strictObject({ secret: z.string(), until: z.iso.datetime() });
const contents = z.strictObject({
  /** Many receivers know their senders by a secret in the address. */
  url: z.string(),
  secret: z.string(),
  /** Signs beside the new one until then. Wall time. */
  oldSecret: oldSecret.nullable(),
  /** Those before it whose time is not over yet. */
  olderSecrets: z.array(oldSecret).optional(),
});
export type WebhookTarget = z.output<typeof contents>;

/** The secrets that sign beside the newest one at a time, the latest first. */
export const oldSecretsAt = ({ oldSecret: last, olderSecrets = [] }: WebhookTarget, at: Date) =>
  [...(last === null ? [] : [last]), ...olderSecrets].filter(({ until }) => Date.parse(until) > at.getTime());

export const sealWebhook = (target: WebhookTarget, userId: string) =>
  sealText(JSON.stringify(contents.parse(target)), ownedBy(userId));

/** Throws `conflict` when the text was changed, is another user's, or its master key is gone. */
export function openWebhook(sealed: string, userId: string): WebhookTarget {
  try {
    return contents.parse(JSON.parse(openText(sealed, ownedBy(userId))));
  } catch (cause) {
    throw new Failure("conflict", "The stored webhook cannot be opened. Please remove it and set it up again.", {
      cause,
    });
  }
}

/** The same; null where it cannot be opened. */
export function tryToOpenWebhook(sealed: string, userId: string): WebhookTarget | null {
  try {
    return openWebhook(sealed, userId);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** The same with the row's key under the newest master key. Throws where the text does not open. */
export const resealWebhook = (sealed: string, userId: string) => resealText(sealed, ownedBy(userId));

/** In the form of Standard Webhooks: "whsec_" and 32 bytes in base64. */
export const newWebhookSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
