import { randomUUID } from "node:crypto";
import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { emailToken, tokenHash } from "../../secrets/email-token.ts";
import { DUMMY_HASH } from "../../secrets/password.ts";
import { RESET_LINK_MS } from "./request-password-reset.ts";

/**
 * Uses a verification link once. A link of a user who is verified already changes nothing and is answered so; used, expired and unknown
 * links of others get the same answer.
 */
export async function verifyEmail(
  { db, now, request }: Context,
  { token }: Received<typeof authApi.verifyEmail>,
): Promise<Given<typeof authApi.verifyEmail>> {
  const at = now();
  return db.$transaction(async (tx) => {
    const answer = (await useLink(tx, token, at, request)) ?? (await useAgain(tx, token, at));
    if (answer !== null) return { verified: true, ...answer };
    throw new Failure(
      "invalid_input",
      "The verification link is invalid or has expired. Please request a new verification email.",
    );
  });
}

interface Verified {
  /** Chooses a password where the stored one has ended; else null. */
  resetToken: string | null;
}

/** Compare and set: of many calls at once, one finds the link unused. Null for the others. */
async function useLink(tx: Tx, token: string, at: Date, request: Context["request"]): Promise<Verified | null> {
  const [used] = await tx.emailToken.updateManyAndReturn({
    where: {
      tokenHash: tokenHash(token),
      kind: "VERIFY_EMAIL",
      usedAt: null,
      expiresAt: { gt: at },
      user: { disabledAt: null },
    },
    data: { usedAt: at },
    select: { userId: true },
  });
  if (!used) return null;
  const { userId } = used;
  const { registeredAgainAt } = await tx.user.update({ where: { id: userId }, data: { emailVerifiedAt: at } });
  await tx.emailToken.updateMany({ where: { userId, kind: "VERIFY_EMAIL", usedAt: null }, data: { usedAt: at } });
  await tx.concealedRegistration.deleteMany({ where: { userId } });
  const resetToken = registeredAgainAt === null ? null : await endPassword(tx, userId, at);
  await recordAudit(tx, {
    at,
    eventType: "EMAIL_VERIFIED",
    ...callFacts({ actor: { kind: "anonymous" }, request }),
    subjectUserId: userId,
    data: resetToken === null ? {} : { passwordEnded: true },
  });
  return { resetToken };
}

/**
 * The password of the first of several registrations may be a stranger's, who would get into the owner's account with it. None
 * signs in from here on, and who reads the mailbox gets what chooses one.
 */
async function endPassword(tx: Tx, userId: string, at: Date): Promise<string> {
  await tx.user.update({ where: { id: userId }, data: { passwordHash: DUMMY_HASH, registeredAgainAt: null } });
  return storeResetLink(tx, userId, at);
}

async function storeResetLink(tx: Tx, userId: string, at: Date): Promise<string> {
  const id = randomUUID();
  const token = emailToken("RESET_PASSWORD", id);
  const expiresAt = new Date(at.getTime() + RESET_LINK_MS);
  await tx.emailToken.create({
    data: { id, userId, kind: "RESET_PASSWORD", tokenHash: tokenHash(token), createdAt: at, expiresAt },
  });
  return token;
}

/**
 * The answer to a later use of a link that verified its user. While the password that ended is not replaced, the link gives another token
 * to choose one, for as long as it is valid: the first answer may have been lost. Null where the link verified no user.
 */
async function useAgain(tx: Tx, token: string, at: Date): Promise<Verified | null> {
  const person = { disabledAt: null, emailVerifiedAt: { not: null } };
  const found = await tx.emailToken.findFirst({
    where: { tokenHash: tokenHash(token), kind: "VERIFY_EMAIL", user: person },
    select: { userId: true, expiresAt: true, user: { select: { passwordHash: true } } },
  });
  if (found === null) return null;
  const { userId, expiresAt, user } = found;
  const isOwed = user.passwordHash === DUMMY_HASH && expiresAt > at;
  return { resetToken: isOwed ? await storeResetLink(tx, userId, at) : null };
}
