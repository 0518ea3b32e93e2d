import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { whenText } from "../../limits/rate-limit.ts";
import { issueVerification } from "./issue-verification.ts";
import { takeVerificationMail } from "./limit-mail.ts";

const MAIL_GAP_MS = MINUTE_MS;

/** Sends another link to an unverified address. Known and unknown addresses get the same answers, refusals included. */
export async function resendVerification(
  { db, now, queue }: Context,
  { email }: Received<typeof authApi.resendVerification>,
): Promise<Given<typeof authApi.resendVerification>> {
  const mail = await takeVerificationMail("resend", email, MAIL_GAP_MS);
  if (mail.isFull)
    throw new Failure(
      "too_many_requests",
      `A verification email was already requested. The next one can be sent ${whenText(mail.freeInMs)}.`,
      { retryAfterMs: mail.freeInMs },
    );
  const user = await db.user.findUnique({
    where: { email },
    select: { id: true, email: true, emailVerifiedAt: true, disabledAt: true },
  });
  if (user && user.emailVerifiedAt === null && user.disabledAt === null) {
    await db.$transaction((tx) => issueVerification(tx, user, now()));
    await queue.enqueue(jobs.mail, {});
  }
  return { message: "A new verification email has been sent to your email address." };
}
