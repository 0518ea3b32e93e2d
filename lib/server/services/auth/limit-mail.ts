import { MAILS_A_DAY } from "@/lib/domain/rate-limits.ts";
import { DAY_MS } from "@/lib/domain/time.ts";
import { counterOf, type Taken } from "../../limits/limit-counter.ts";
import { accountKey } from "../../secrets/device-mark.ts";

/**
 * Mails that others than their reader can cause, and how many of them an address gets in a day. One more verification mail goes out
 * with the registration. Reset links are rationed at their door.
 */
const A_DAY = { "verify-email": MAILS_A_DAY - 1, "wrong-password": MAILS_A_DAY };

/** A point for one more mail of this kind to an address, known or not: the answer does not tell whether it has an account. */
export const takeMail = (kind: keyof typeof A_DAY, email: string): Promise<Taken> =>
  counterOf(`mails-${kind}`).take(accountKey(email), A_DAY[kind], DAY_MS);

/** A point for a verification mail, of which one goes out in `gapMs` through each of the calls that send one. */
export async function takeVerificationMail(by: "sign-in" | "resend", email: string, gapMs: number): Promise<Taken> {
  const gap = await counterOf(`mails-verify-email-by-${by}`).take(accountKey(email), 1, gapMs);
  if (gap.isFull) return gap;
  const mail = await takeMail("verify-email", email);
  if (mail.isFull) await gap.giveBack().catch(() => undefined);
  return mail;
}
