import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { recordAudit } from "@/lib/server/audit/record-audit.ts";
import type { Context } from "@/lib/server/context.ts";
import type { Db, Tx } from "@/lib/server/db.ts";
import { tokenHash } from "@/lib/server/secrets/email-token.ts";

/**
 * Uses a verification link once. A link of a user who is verified already changes nothing and is answered so; used, expired and unknown
 * links of others get the same answer.
 */
export async function verifyEmail(
  { db, now, request }: Context,
  { token }: Received<typeof authApi.verifyEmail>,
): Promise<Given<typeof authApi.verifyEmail>> {
  const at = now();
  const isFirst = await db.$transaction((tx) => useLink(tx, token, at, request));
  if (!isFirst && !(await isOfVerified(db, token)))
    throw new Failure(
      "invalid_input",
      "The verification link is invalid or has expired. Please request a new verification email.",
    );
  return { verified: true };
}

/** Compare and set: of many calls at once, one finds the link unused. */
async function useLink(tx: Tx, token: string, at: Date, request: Context["request"]): Promise<boolean> {
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
  if (!used) return false;
  const { userId } = used;
  await tx.user.update({ where: { id: userId }, data: { emailVerifiedAt: at } });
  await tx.emailToken.updateMany({ where: { userId, kind: "VERIFY_EMAIL", usedAt: null }, data: { usedAt: at } });
  await recordAudit(tx, {
    at,
    eventType: "EMAIL_VERIFIED",
    actor: { kind: "anonymous" },
    subjectUserId: userId,
    ipAddress: request.ipAddress,
    requestId: request.id,
    data: {},
  });
  return true;
}

/** Mail readers open a link twice, and people come back to it: what it was for is done. */
async function isOfVerified(db: Db, token: string): Promise<boolean> {
  const person = { disabledAt: null, emailVerifiedAt: { not: null } };
  const where = { tokenHash: tokenHash(token), kind: "VERIFY_EMAIL" as const, user: person };
  return (await db.emailToken.count({ where })) > 0;
}
