import { randomUUID } from "node:crypto";
import { DAY_MS } from "@/lib/domain/time.ts";
import type { Tx } from "@/lib/server/db.ts";
import { queueMail } from "@/lib/server/mail/outbox.ts";
import { emailToken, tokenHash } from "@/lib/server/secrets/email-token.ts";

const VERIFY_LINK_MS = DAY_MS;

/**
 * Makes a verification link and puts its mail into the outbox, unless the last one is younger than
 * `gapMs`; that of the registration itself does not count, so that who was promised a new mail gets one. Two calls at
 * once make one mail. Answers whether there will be a mail.
 */
export async function issueVerification(
  tx: Tx,
  user: { id: string; email: string; firstName: string; createdAt: Date },
  at: Date,
  gapMs: number,
): Promise<boolean> {
  await tx.$queryRaw`select "id" from "User" where "id" = ${user.id}::uuid for update`;
  const since = new Date(at.getTime() - gapMs);
  const recent = await tx.emailToken.findFirst({
    where: { userId: user.id, kind: "VERIFY_EMAIL", createdAt: { gt: since, not: user.createdAt } },
    select: { id: true },
  });
  if (recent) return false;
  const id = randomUUID();
  await tx.emailToken.create({
    data: {
      id,
      userId: user.id,
      kind: "VERIFY_EMAIL",
      tokenHash: tokenHash(emailToken("VERIFY_EMAIL", id)),
      createdAt: at,
      expiresAt: new Date(at.getTime() + VERIFY_LINK_MS),
    },
  });
  await queueMail(tx, {
    dedupeKey: `verify-email:${id}`,
    userId: user.id,
    recipient: user.email,
    template: "verify-email",
    props: { firstName: user.firstName, emailTokenId: id },
    dueAt: at,
  });
  return true;
}
