import type { Tx } from "../../db.ts";
import { queueMail } from "../../mail/outbox.ts";
import { dropBrowsers } from "../../core/drop-browsers.ts";
import { notify } from "../../core/notify.ts";

interface Replacement {
  userId: string;
  passwordHash: string;
  checkedHash?: string;
  pushEndpoint?: string | undefined;
}

/**
 * Gives a user another password: every sign-in ends with its next request, and the notifications in browsers; reset links that are still under way open
 * nothing, a set-up of an authenticator app that was only begun and earlier registrations of the address count no more, and a mail tells the person. With `checkedHash`, only while that is still the stored hash;
 * the notifications of the browser with `pushEndpoint` are left for the sign-in that takes its place. Null when there is no such user.
 */
export async function replacePassword(
  tx: Tx,
  { userId, passwordHash, checkedHash, pushEndpoint }: Replacement,
  at: Date,
) {
  const [user] = await tx.user.updateManyAndReturn({
    where: { id: userId, disabledAt: null, ...(checkedHash === undefined ? {} : { passwordHash: checkedHash }) },
    data: { passwordHash, registeredAgainAt: null, tokenVersion: { increment: 1 } },
  });
  if (!user) return null;
  await tx.signIn.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: at } });
  await dropBrowsers(tx, { userId, ...(pushEndpoint === undefined ? {} : { endpoint: { not: pushEndpoint } }) }, at);
  await tx.emailToken.updateMany({ where: { userId, kind: "RESET_PASSWORD", usedAt: null }, data: { usedAt: at } });
  await tx.concealedRegistration.deleteMany({ where: { userId } });
  await tx.totpFactor.deleteMany({ where: { userId, confirmedAt: null } });
  await notify(tx, {
    userId,
    dedupeKey: `password-changed:${user.tokenVersion}`,
    at,
    kind: "SECURITY",
    title: "Your password was changed",
    text: "All earlier sign-ins have ended. If it was not you, reset your password and write to support.",
    link: "/settings?tab=security",
  });
  await queueMail(tx, {
    dedupeKey: `password-changed:${userId}:${user.tokenVersion}`,
    userId,
    recipient: user.email,
    template: "password-changed",
    props: { firstName: user.firstName, changedAt: at.toISOString() },
    dueAt: at,
  });
  return user;
}
