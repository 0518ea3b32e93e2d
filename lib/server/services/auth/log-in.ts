import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import { recordAudit } from "@/lib/server/audit/record-audit.ts";
import type { Context } from "@/lib/server/context.ts";
import { checkNobodysPassword, isPassword } from "@/lib/server/secrets/password.ts";
import { askChallenge } from "./challenge.ts";
import { issueVerification } from "./issue-verification.ts";
import { completeSignIn } from "./complete-sign-in.ts";
import { methodsOf, readFactors } from "./second-factors.ts";

const MAIL_GAP_MS = 3 * MINUTE_MS;

/**
 * Checks the password and opens a sign-in, or asks for the second factor where there is one. A wrong password and an unknown address look and last the same.
 */
export async function logIn(
  context: Context,
  { email, password }: Received<typeof authApi.login>,
): Promise<Given<typeof authApi.login>> {
  const { db, now } = context;
  const user = await db.user.findUnique({ where: { email } });
  const isRight = user ? await isPassword(password, user.passwordHash) : await checkNobodysPassword(password);
  if (!user || !isRight || user.disabledAt !== null) {
    await noteFailure(context, user?.id);
    throw new Failure("unauthenticated", "Invalid email or password. Please check your credentials and try again.");
  }
  if (user.emailVerifiedAt === null && user.role !== "ADMIN") return refuseUnverified(context, user);

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
      actor: { kind: "anonymous" },
      ...(userId ? { subjectUserId: userId } : {}),
      ipAddress: request.ipAddress,
      requestId: request.id,
      data: {},
    }),
  );
}

async function refuseUnverified(
  { db, now, queue }: Context,
  user: { id: string; email: string; firstName: string; createdAt: Date },
): Promise<never> {
  const isMailed = await db.$transaction((tx) => issueVerification(tx, user, now(), MAIL_GAP_MS));
  if (isMailed) await queue.enqueue(jobs.mail, {});
  throw new Failure("email_unverified", "Email verification required");
}
