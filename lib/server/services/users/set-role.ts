import type { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { refuseWithAccounts, UNVERIFIED_CANNOT_ADMINISTER } from "../auth/ensure-user.ts";
import { reasonNeeded } from "../../core/account-for-operator.ts";
import { inTransaction } from "../../core/transaction.ts";
import { voidRequests } from "../approvals/void-requests.ts";
import { endSignIns } from "../auth/end-sign-ins.ts";
import { mailOfRole, tellOfRole } from "../auth/announce-role.ts";
import { areTwoNeeded, lockManaged, refuseLastAdministrator, requestAgreement, type Managed } from "./managed-user.ts";

type Role = Received<typeof adminUsersApi.setRole>["role"];

/**
 * Makes a user an administrator, or revokes the role. Their sign-ins end: the next one carries the role from its start.
 * Where the policy in force asks for two people, the first call stores the request and another administrator's
 * call does it.
 */
export async function setRole(
  context: Context<"admin">,
  { id, role, reason }: Received<typeof adminUsersApi.setRole>,
): Promise<Given<typeof adminUsersApi.setRole>> {
  const why = reasonNeeded(reason);
  const isTwoPerson = await areTwoNeeded(context);
  return inTransaction(context, async (tx) => {
    const user = await lockManaged(tx, context.actor, id);
    if (user.role === role) return { role, isChanged: false, waitsUntil: null };
    await refuseLastAdministrator(tx, context.actor, user);
    if (user.disabledAt !== null) throw new Failure("conflict", "This user is disabled: enable them first.");
    await refuseUnverified(tx, user, role);
    if (role === "ADMIN") await refuseWithAccounts(tx, id);
    const opinion = isTwoPerson ? await requestAgreement(context, tx, user, role) : null;
    if (opinion !== null && !opinion.isGranted) {
      await audit(context, tx, id, { eventType: "ROLE_CHANGE_REQUESTED", role, why, firstId: null });
      return { role: user.role, isChanged: false, waitsUntil: opinion.expiresAt };
    }
    const at = context.now();
    await tx.user.update({ where: { id }, data: { role } });
    await voidRequests(tx, id);
    await endSignIns(tx, id, at);
    await tellOfRole(tx, user, { role, by: "An administrator", at });
    await mailOfRole(tx, user, role);
    const eventType = role === "ADMIN" ? "USER_PROMOTED" : "USER_DEMOTED";
    await audit(context, tx, id, { eventType, role, why, firstId: opinion?.firstId ?? null });
    return { role, isChanged: true, waitsUntil: null };
  });
}

/** Administrators may enter without a verified address, so the role would open the console to one who gave another person's. */
async function refuseUnverified(tx: Tx, { id }: Managed, role: Role): Promise<void> {
  if (role !== "ADMIN") return;
  const { emailVerifiedAt } = await tx.user.findUniqueOrThrow({ where: { id }, select: { emailVerifiedAt: true } });
  if (emailVerifiedAt === null) throw new Failure("conflict", UNVERIFIED_CANNOT_ADMINISTER);
}

async function audit(
  context: Context<"admin">,
  tx: Tx,
  id: string,
  {
    eventType,
    role,
    why,
    firstId,
  }: {
    eventType: "USER_PROMOTED" | "USER_DEMOTED" | "ROLE_CHANGE_REQUESTED";
    role: Role;
    why: string;
    firstId: string | null;
  },
): Promise<void> {
  await recordAudit(tx, {
    at: context.now(),
    eventType,
    ...callFacts(context),
    subjectUserId: id,
    data: { role, ...(firstId === null ? {} : { requestedBy: firstId }) },
    personal: { reason: why },
  });
}
