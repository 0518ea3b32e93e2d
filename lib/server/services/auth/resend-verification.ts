import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "@/lib/server/context.ts";
import { issueVerification } from "./issue-verification.ts";

const MAIL_GAP_MS = MINUTE_MS;

/** Sends another link to an unverified address. Everybody gets the same answer, known or not. */
export async function resendVerification(
  { db, now, queue }: Context,
  { email }: Received<typeof authApi.resendVerification>,
): Promise<Given<typeof authApi.resendVerification>> {
  const user = await db.user.findUnique({
    where: { email },
    select: { id: true, email: true, firstName: true, createdAt: true, emailVerifiedAt: true, disabledAt: true },
  });
  if (user && user.emailVerifiedAt === null && user.disabledAt === null) {
    const isMailed = await db.$transaction((tx) => issueVerification(tx, user, now(), MAIL_GAP_MS));
    if (isMailed) await queue.enqueue(jobs.mail, {});
  }
  return { message: "A new verification email has been sent to your email address." };
}
