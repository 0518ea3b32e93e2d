import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { tokenHash } from "../../secrets/email-token.ts";
import { accountKey, markedBy, type Marked } from "../../secrets/device-mark.ts";
import { DUMMY_HASH, hashPassword, isPassword } from "../../secrets/password.ts";
import { refuseCommonPassword } from "./refuse-common-password.ts";
import { replacePassword } from "./replace-password.ts";

/**
 * Uses a reset link once, and gives what the mark of the device says, which the answer leaves out. Used, expired, voided
 * and unknown links get the same answer. A refused password uses up no link, but for the current one: each link tries one
 * password at most.
 */
export async function resetPassword(
  { db, now, queue, request }: Context,
  { token, newPassword }: Received<typeof authApi.resetPassword>,
): Promise<Given<typeof authApi.resetPassword> & { marked: Marked }> {
  const at = now();
  const link = { tokenHash: tokenHash(token), kind: "RESET_PASSWORD" as const };
  const open = { ...link, usedAt: null, expiresAt: { gt: at } };
  const found = await db.emailToken.findFirst({ where: open, select: { user: { select: { email: true } } } });
  if (!found) throw invalidToken();
  await refuseCommonPassword("newPassword", newPassword, found.user.email);
  const owner = await db.$transaction((tx) => claimLink(tx, open, at));
  if (!owner) throw invalidToken();
  const { userId, email } = owner;
  // No row is locked meanwhile: others who use the link at the same time have their answer before the hash.
  const passwordHash = await hashUnlessCurrent(newPassword, owner).catch(async (error: unknown) => {
    await db.emailToken.updateMany({ where: { ...link, usedAt: at }, data: { usedAt: null } });
    throw error;
  });
  if (passwordHash === null) throw new CurrentPassword(markedBy(owner));
  await db.$transaction(async (tx) => {
    // A verification that ended the password meanwhile is no other change: the mailbox is the same.
    const user =
      (await replacePassword(tx, { userId, passwordHash, checkedHash: owner.passwordHash }, at)) ??
      (await replacePassword(tx, { userId, passwordHash, checkedHash: DUMMY_HASH }, at));
    if (!user) throw invalidToken();
    await recordAudit(tx, {
      at,
      eventType: "PASSWORD_RESET",
      ...callFacts({ actor: { kind: "anonymous" }, request }),
      subjectUserId: userId,
      data: {},
    });
  });
  await queue.enqueue(jobs.mail, {});
  return {
    message: "Your password has been reset. You can now sign in with your new password.",
    marked: markedBy({ email, passwordHash }),
  };
}

interface Owner {
  userId: string;
  email: string;
  passwordHash: string;
}

type OpenLink = { tokenHash: string; kind: "RESET_PASSWORD"; usedAt: null; expiresAt: { gt: Date } };

/**
 * Compare and set: of many calls at once with one link, one continues. Of several links at once, the one whose password is stored
 * first ends the others. The person comes before their links: two of them used at once would wait for each other.
 */
async function claimLink(tx: Tx, open: OpenLink, at: Date): Promise<Owner | null> {
  const [owner] = await tx.$queryRaw<Owner[]>`
    select "User"."id" as "userId", "User"."email", "User"."passwordHash"
    from "User" join "EmailToken" on "EmailToken"."userId" = "User"."id"
    where "EmailToken"."tokenHash" = ${open.tokenHash} for no key update of "User"`;
  if (!owner) return null;
  const { count } = await tx.emailToken.updateMany({ where: open, data: { usedAt: at } });
  return count === 0 ? null : owner;
}

/** Null for the password that is current already. */
async function hashUnlessCurrent(password: string, { email, passwordHash }: Owner): Promise<string | null> {
  // The holder of a link reads the owner's mailbox.
  const owner = { isOwnDevice: true, account: accountKey(email) };
  return (await isPassword(password, passwordHash, owner)) ? null : hashPassword(password, owner);
}

/**
 * The current password was given at the link, which is used up by it. The caller reads the owner's mailbox and knows the password:
 * their device is marked like one on which a password was set, so that they can sign in whatever strangers guess.
 */
export class CurrentPassword extends Failure {
  constructor(readonly marked: Marked) {
    const message = "This is your current password. You can sign in with it; this link no longer works.";
    super("invalid_input", message, { issues: [{ path: "newPassword", message }] });
  }
}

const invalidToken = () => new Failure("invalid_input", "Invalid or expired reset token.");
