import { randomUUID } from "node:crypto";
import { DAY_MS } from "@/lib/domain/time.ts";
import type { Tx } from "../../db.ts";
import { queueMail } from "../../mail/outbox.ts";
import { emailToken, tokenHash } from "../../secrets/email-token.ts";

const VERIFY_LINK_MS = DAY_MS;

/** Makes a verification link and puts its mail into the outbox. */
export async function issueVerification(tx: Tx, user: { id: string; email: string }, at: Date): Promise<void> {
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
    props: { emailTokenId: id },
    dueAt: at,
  });
}
