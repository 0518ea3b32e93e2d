import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import type { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import type { Db } from "../../db.ts";
import { queueMail } from "../../mail/outbox.ts";
import { newId } from "../../core/new-id.ts";
import { AddressTaken } from "./address-taken.ts";
import { issueVerification } from "./issue-verification.ts";
import { takeMail } from "./limit-mail.ts";
import { userView } from "./user-view.ts";

/**
 * Answers the registration of a known address like that of a new one, and tells the owner by mail, once a day; an address that is
 * not verified gets its link. For times at which no caller is told who has an account. The password is kept beside the account, so
 * that a sign-in with it is answered like one of a new account, too: the first one, because a registration does not replace a password.
 */
export async function hideExistingAccount(
  { db, now, queue }: Context,
  { email, firstName, lastName }: Received<typeof authApi.register>,
  refusal: Failure,
): Promise<Given<typeof authApi.register>> {
  if (!(refusal instanceof AddressTaken)) throw refusal;
  const at = now();
  const owner = await db.user.findUnique({ where: { email }, include: { concealedRegistration: true } });
  const isUnverified = owner?.emailVerifiedAt === null && owner.role !== "ADMIN";
  if (owner && owner.concealedRegistration === null) {
    const given = { userId: owner.id, passwordHash: refusal.passwordHash(), createdAt: at };
    await db.concealedRegistration.createMany({ data: given, skipDuplicates: true });
  }
  if (owner && owner.disabledAt === null) {
    if (isUnverified) await mailVerification(db, owner, at);
    else await mailAttempt(db, owner, at);
    await queue.enqueue(jobs.mail, {});
  }
  const lookalike = { id: newId(at), email, firstName, lastName, role: "USER", createdAt: at } as const;
  return { user: userView({ ...lookalike, emailVerifiedAt: null }), token: null };
}

async function mailAttempt(db: Db, owner: { id: string; email: string; firstName: string }, at: Date): Promise<void> {
  await queueMail(db, {
    dedupeKey: `registration-attempt:${owner.id}:${at.toISOString().slice(0, 10)}`,
    userId: owner.id,
    recipient: owner.email,
    template: "system-alert",
    props: {
      firstName: owner.firstName,
      subject: "Someone tried to register with your address",
      paragraphs: [
        "Someone tried to open a Tradewind account with this email address. You already have one, and nothing was changed.",
        "If it was you, sign in. If you do not remember your password, you can set a new one from the sign-in page.",
      ],
      link: { label: "Sign in", path: "/auth" },
      // Whatever mails were switched off, like all news of the sign-in.
      urgency: "security",
    },
    dueAt: at,
  });
}

/** As after a new registration, which this one looks like, within what an address gets in a day. */
async function mailVerification(db: Db, owner: { id: string; email: string }, at: Date): Promise<void> {
  if ((await takeMail("verify-email", owner.email)).isFull) return;
  await db.$transaction((tx) => issueVerification(tx, owner, at));
}
