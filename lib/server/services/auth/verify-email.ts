import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { recordAudit } from "@/lib/server/audit/record-audit.ts";
import type { Context } from "@/lib/server/context.ts";
import { tokenHash } from "@/lib/server/secrets/email-token.ts";

/** Uses a verification link once. Used, expired and unknown links get the same answer. */
export async function verifyEmail(
  { db, now, request }: Context,
  { token }: Received<typeof authApi.verifyEmail>,
): Promise<Given<typeof authApi.verifyEmail>> {
  const at = now();
  await db.$transaction(async (tx) => {
    // Compare and set: of many calls at once, one finds the link unused.
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
    if (!used) {
      throw new Failure(
        "invalid_input",
        "The verification link is invalid or has expired. Please request a new verification email.",
      );
    }
    await tx.user.update({ where: { id: used.userId }, data: { emailVerifiedAt: at } });
    await tx.emailToken.updateMany({
      where: { userId: used.userId, kind: "VERIFY_EMAIL", usedAt: null },
      data: { usedAt: at },
    });
    await recordAudit(tx, {
      at,
      eventType: "EMAIL_VERIFIED",
      actor: { kind: "anonymous" },
      subjectUserId: used.userId,
      ipAddress: request.ipAddress,
      requestId: request.id,
      data: {},
    });
  });
  return { verified: true };
}
