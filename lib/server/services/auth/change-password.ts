import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { markedBy, type Marked } from "../../secrets/device-mark.ts";
import { checkDummyPassword, hashPassword, isPassword } from "../../secrets/password.ts";
import { openSignIn } from "./open-sign-in.ts";
import { refuseCommonPassword, refuseSamePassword } from "./refuse-common-password.ts";
import { hasSecondFactor } from "./second-factors.ts";
import { replacePassword } from "./replace-password.ts";
import { spendPasswordCheck } from "./spend-password-check.ts";
import { userView } from "./user-view.ts";

/**
 * Changes the caller's password, ends every sign-in and opens a new one for the caller, whose device gets a mark again and whose browser goes on to show
 * notifications: another one may have a copy of the caller's sign-in. A wrong current password and another user's address look and last the same.
 */
export async function changePassword(
  context: Context<"user">,
  { email, currentPassword, newPassword, pushEndpoint }: Received<typeof authApi.changePassword>,
): Promise<Given<typeof authApi.changePassword> & { marked: Marked }> {
  const { actor, db, now, queue, request } = context;
  const { userId } = actor;
  const check = await spendPasswordCheck(context, userId);
  const caller = await db.user.findUniqueOrThrow({
    where: { id: userId },
    select: { email: true, passwordHash: true },
  });
  const isRight = await check.run(() =>
    caller.email === email
      ? isPassword(currentPassword, caller.passwordHash, check)
      : checkDummyPassword(currentPassword),
  );
  const at = now();
  const entry = { at, ...callFacts({ actor, request }), subjectUserId: userId };
  if (!isRight) {
    await db.$transaction((tx) => recordAudit(tx, { ...entry, eventType: "PASSWORD_CHANGE_FAILED", data: {} }));
    // Not 401: the sign-in holds, and the browser would end it.
    const message = "Your current password is not correct.";
    throw new Failure("invalid_input", message, { issues: [{ path: "currentPassword", message }] });
  }
  refuseSamePassword(currentPassword, newPassword);
  await refuseCommonPassword("newPassword", newPassword, email);
  const passwordHash = await hashPassword(newPassword, { ...check, isOwnDevice: true });
  const changed = await db.$transaction(async (tx) => {
    const replacement = { userId, passwordHash, checkedHash: caller.passwordHash, pushEndpoint };
    const user = await replacePassword(tx, replacement, at);
    // Another call finished first, and this sign-in has ended with it.
    if (!user) throw new Failure("unauthenticated", "Please sign in.");
    // A password does not confirm who calls where there is a second factor: the new sign-in is confirmed as this one is.
    const confirmedAt = (await hasSecondFactor(tx, userId)) ? (actor.confirmedAt ?? new Date(0)) : at;
    const { signInId, token } = await openSignIn(tx, request, user, at, confirmedAt);
    if (pushEndpoint !== undefined)
      await tx.pushSubscription.updateMany({ where: { userId, endpoint: pushEndpoint }, data: { signInId } });
    await recordAudit(tx, { ...entry, eventType: "PASSWORD_CHANGED", data: { signInId } });
    return { user: userView(user), token, marked: markedBy(user) };
  });
  await queue.enqueue(jobs.mail, {});
  return changed;
}
