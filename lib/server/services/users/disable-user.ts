import type { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { AuditEventType } from "@/lib/domain/audit-events.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Prisma, Tx } from "../../db.ts";
import { reasonNeeded } from "../../core/account-for-operator.ts";
import { logUserEvents } from "../../core/log-user-events.ts";
import { requireStepUp } from "../../core/require-step-up.ts";
import { inTransaction } from "../../core/transaction.ts";
import { voidRequests } from "../approvals/void-requests.ts";
import { endSignIns } from "../auth/end-sign-ins.ts";
import { notifySecurity } from "../auth/notify-security.ts";
import { sendNews } from "../auth/person-event.ts";
import { areTwoNeeded, lockManaged, refuseLastAdministrator, requestAgreement, type Managed } from "./managed-user.ts";

/**
 * An administrator disables a user: sign-ins end with their next request, and nothing is bought in their accounts (orders
 * share the person's row while they are marked for sending); exits and stops keep working. Never waits for a confirmation,
 * unless the user is an administrator.
 */
export async function disableUser(
  context: Context<"admin">,
  { id, reason }: Received<typeof adminUsersApi.disable>,
): Promise<Given<typeof adminUsersApi.disable>> {
  const why = reasonNeeded(reason);
  const isTwoPerson = await areTwoNeeded(context);
  return inTransaction(context, async (tx) => {
    const user = await lockManaged(tx, context.actor, id);
    await refuseLastAdministrator(tx, context.actor, user);
    if (user.disabledAt !== null) return UNCHANGED;
    const agreed = await agreeOnAdministrator(context, tx, user, { change: "disable", why, isTwoPerson });
    if (agreed.waitsUntil !== null) return { ...UNCHANGED, waitsUntil: agreed.waitsUntil };
    const at = context.now();
    await tx.user.update({ where: { id }, data: { disabledAt: at } });
    await voidRequests(tx, id);
    const ended = await endSignIns(tx, id, at);
    const message = `The user was disabled by an administrator: nothing is bought, exits and stops keep working. Reason: ${why}`;
    await logUserEvents(tx, [{ level: "warn", message, userId: id, marketAt: null }]);
    await audit(context, tx, { eventType: "USER_DISABLED", id, why, data: { signInsEnded: ended, ...agreed.facts } });
    return { isChanged: true, waitsUntil: null };
  });
}

/** The user may sign in again, and their accounts trade as their own switches say. An administrator has the console again. */
export async function enableUser(
  context: Context<"admin">,
  { id, reason }: Received<typeof adminUsersApi.enable>,
): Promise<Given<typeof adminUsersApi.enable>> {
  const why = reasonNeeded(reason);
  const isTwoPerson = await areTwoNeeded(context);
  return inTransaction(context, async (tx) => {
    const user = await lockManaged(tx, context.actor, id);
    if (user.disabledAt === null) return UNCHANGED;
    const agreed = await agreeOnAdministrator(context, tx, user, { change: "enable", why, isTwoPerson });
    if (agreed.waitsUntil !== null) return { ...UNCHANGED, waitsUntil: agreed.waitsUntil };
    await tx.user.update({ where: { id }, data: { disabledAt: null } });
    await voidRequests(tx, id);
    const message = `The user was enabled again by an administrator. Reason: ${why}`;
    await logUserEvents(tx, [{ level: "info", message, userId: id, marketAt: null }]);
    await audit(context, tx, { eventType: "USER_ENABLED", id, why, data: agreed.facts });
    return { isChanged: true, waitsUntil: null };
  });
}

const UNCHANGED = { isChanged: false, waitsUntil: null };

/**
 * Who is disabled keeps the role, so an administrator is disabled and enabled as the role is given and taken (set-role.ts): by
 * a confirmed sign-in, and by two administrators where the policy in force asks for it. `facts` are for the audit trail.
 */
async function agreeOnAdministrator(
  context: Context<"admin">,
  tx: Tx,
  user: Managed,
  { change, why, isTwoPerson }: { change: "disable" | "enable"; why: string; isTwoPerson: boolean },
): Promise<{ waitsUntil: Date | null; facts: Prisma.InputJsonObject }> {
  if (user.role !== "ADMIN") return { waitsUntil: null, facts: {} };
  requireStepUp(context);
  if (!isTwoPerson) return { waitsUntil: null, facts: {} };
  const opinion = await requestAgreement(context, tx, user, change);
  if (opinion.isGranted) return { waitsUntil: null, facts: { requestedBy: opinion.firstId } };
  await audit(context, tx, { eventType: "ACCESS_CHANGE_REQUESTED", id: user.id, why, data: { change } });
  return { waitsUntil: opinion.expiresAt, facts: {} };
}

/** Ends all sign-ins and access tokens of a user, as after a lost device, and tells them. */
export async function endUserSignIns(
  context: Context<"admin">,
  { id, reason }: Received<typeof adminUsersApi.endSignIns>,
): Promise<Given<typeof adminUsersApi.endSignIns>> {
  const why = reasonNeeded(reason);
  const done = await inTransaction(context, async (tx) => {
    await lockManaged(tx, context.actor, id);
    const at = context.now();
    const ended = await endSignIns(tx, id, at);
    await notifySecurity(tx, {
      userId: id,
      key: `sign-ins-ended:${at.toISOString()}`,
      subject: "An administrator ended all of your sign-ins",
      text: "You are signed out everywhere. Your access tokens are revoked as well: programs that use one need a new one. Browsers show no more notifications until you switch them on again.",
      advice: "Your password is the same. If you do not know why this was done, ask the support of this installation.",
      at,
    });
    await audit(context, tx, { eventType: "SIGN_INS_ENDED", id, why, data: { signInsEnded: ended } });
    return { ended };
  });
  await sendNews(context);
  return done;
}

async function audit(
  context: Context<"admin">,
  tx: Tx,
  { eventType, id, why, data }: { eventType: AuditEventType; id: string; why: string; data: Prisma.InputJsonObject },
): Promise<void> {
  await recordAudit(tx, {
    at: context.now(),
    eventType,
    ...callFacts(context),
    subjectUserId: id,
    data,
    personal: { reason: why },
  });
}
