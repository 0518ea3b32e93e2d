import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { recordAudit } from "@/lib/server/audit/record-audit.ts";
import type { Context } from "@/lib/server/context.ts";
import type { Tx } from "@/lib/server/db.ts";
import { tokenHash } from "@/lib/server/secrets/email-token.ts";
import { hashPassword, isPassword } from "@/lib/server/secrets/password.ts";
import { refuseCommonPassword } from "./refuse-common-password.ts";
import { replacePassword } from "./replace-password.ts";

/** Whoever holds a link reads the owner's mailbox. */
const OWNER = { isOwnDevice: true };
/** Longer than two hashes wait for their turn. */
const PATIENCE = { timeout: 15_000, maxWait: 10_000 };

/**
 * Uses a reset link once, and gives the owner's address for the mark of the device, which the answer leaves out. Used, expired, voided
 * and unknown links get the same answer. A refused password uses up no link, but for the current one: each link tries one
 * password at most.
 */
export async function resetPassword(
  { db, now, queue, request }: Context,
  { token, newPassword }: Received<typeof authApi.resetPassword>,
): Promise<Given<typeof authApi.resetPassword> & { email: string }> {
  const at = now();
  const link = { tokenHash: tokenHash(token), kind: "RESET_PASSWORD" as const };
  const email = await db.$transaction(async (tx) => {
    const owner = await lockOwner(tx, link.tokenHash);
    if (!owner) throw invalidToken();
    const { userId, email } = owner;
    // Compare and set: of many calls at once, one finds the link unused, and only that one costs a hash.
    const { count } = await tx.emailToken.updateMany({
      where: { ...link, usedAt: null, expiresAt: { gt: at } },
      data: { usedAt: at },
    });
    if (count === 0) throw invalidToken();
    await refuseCommonPassword("newPassword", newPassword, email);
    if (await isPassword(newPassword, owner.passwordHash, OWNER)) return null;
    const user = await replacePassword(tx, { userId, passwordHash: await hashPassword(newPassword, OWNER) }, at);
    if (!user) throw invalidToken();
    await recordAudit(tx, {
      at,
      eventType: "PASSWORD_RESET",
      actor: { kind: "anonymous" },
      subjectUserId: userId,
      ipAddress: request.ipAddress,
      requestId: request.id,
      data: {},
    });
    return email;
  }, PATIENCE);
  if (email === null) throw samePassword();
  await queue.enqueue(jobs.mail, {});
  return { message: "Your password has been reset. You can now sign in with your new password.", email };
}

interface Owner {
  userId: string;
  email: string;
  passwordHash: string;
}

/** The person comes before their links: two links of one person used at once would wait for each other. */
async function lockOwner(tx: Tx, hash: string): Promise<Owner | undefined> {
  const [owner] = await tx.$queryRaw<Owner[]>`
    select "User"."id" as "userId", "User"."email", "User"."passwordHash" from "User" join "EmailToken" on "EmailToken"."userId" = "User"."id"
    where "EmailToken"."tokenHash" = ${hash} for no key update of "User"`;
  return owner;
}

function samePassword(): Failure {
  const message = "This is your current password. You can sign in with it; the link is used up.";
  return new Failure("invalid_input", message, { issues: [{ path: "newPassword", message }] });
}

const invalidToken = () => new Failure("invalid_input", "Invalid or expired reset token.");
