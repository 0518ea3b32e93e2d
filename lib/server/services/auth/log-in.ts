import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { whenText } from "../../limits/rate-limit.ts";
import type { Marked } from "../../secrets/device-mark.ts";
import { checkDummyPassword, whichPasswords } from "../../secrets/password.ts";
import { askChallenge } from "./challenge.ts";
import { issueVerification } from "./issue-verification.ts";
import { takeVerificationMail } from "./limit-mail.ts";
import { completeSignIn } from "./complete-sign-in.ts";
import { methodsOf, readFactors } from "./second-factors.ts";
import { spendSignIn } from "./spend-password-check.ts";

const MAIL_GAP_MS = 3 * MINUTE_MS;

/**
 * Checks the password and opens a sign-in, or asks for the second factor where there is one. A wrong password and an unknown address look and last the same.
 */
export async function logIn(
  context: Context,
  { email, password }: Received<typeof authApi.login>,
): Promise<Given<typeof authApi.login> & { marked?: Marked }> {
  const { db, now } = context;
  const check = await spendSignIn(context, email);
  const user = await db.user.findUnique({ where: { email }, include: { concealedRegistration: true } });
  let isConcealed = false;
  const isRight = await check.run(async () => {
    if (!user) return checkDummyPassword(password);
    const concealed = user.concealedRegistration;
    const stored = [user.passwordHash, ...(concealed ? [concealed.passwordHash] : [])];
    const [isOfUser, isOfConcealed] = await whichPasswords(password, stored, check);
    const isOwn = isOfUser === true && user.disabledAt === null;
    isConcealed = !isOwn && isOfConcealed === true;
    return isOwn || isConcealed;
  });
  if (!user || !isRight) {
    await noteFailure(context, user?.id);
    throw new Failure("unauthenticated", "Invalid email or password. Please check your credentials and try again.");
  }
  const isUnverified = user.emailVerifiedAt === null && user.role !== "ADMIN";
  if (isConcealed || isUnverified)
    return refuseUnverified(user, async () => {
      // A mail that is counted goes out where there is something to verify.
      if (!isUnverified || user.disabledAt !== null) return;
      await db.$transaction((tx) => issueVerification(tx, user, now()));
      await context.queue.enqueue(jobs.mail, {});
    });

  const at = now();
  return db.$transaction(async (tx) => {
    const methods = methodsOf(await readFactors(tx, user.id));
    if (methods.length === 0) return completeSignIn(context, tx, user, { at, method: "password" });
    const { id: userId, tokenVersion } = user;
    const asked = await askChallenge(tx, { userId, tokenVersion, kind: "SIGN_IN" }, at);
    return { user: null, token: null, secondFactor: { ...asked, methods } };
  });
}

/** Written for unknown addresses too: otherwise the time of the answer would tell them apart. */
async function noteFailure({ db, now, request }: Context, userId: string | undefined): Promise<void> {
  await db.$transaction((tx) =>
    recordAudit(tx, {
      at: now(),
      eventType: "SIGN_IN_FAILED",
      ...callFacts({ actor: { kind: "anonymous" }, request }),
      ...(userId ? { subjectUserId: userId } : {}),
      data: {},
    }),
  );
}

/**
 * The sentence of the specification says that a mail was sent: where none was, another one says when the next can be. After
 * a concealed registration the same is said.
 */
async function refuseUnverified({ email }: { email: string }, send: () => Promise<void>): Promise<never> {
  const mail = await takeVerificationMail("sign-in", email, MAIL_GAP_MS);
  if (mail.isFull)
    throw new Failure(
      "email_unverified",
      `Your email address is not verified. Please use the link in the verification email that was already sent. The next one can be sent ${whenText(mail.freeInMs)}.`,
      { retryAfterMs: mail.freeInMs },
    );
  await send();
  throw new Failure("email_unverified", "Email verification required");
}
