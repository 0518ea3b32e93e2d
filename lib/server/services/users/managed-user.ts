import type { RoleName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context, SignedIn } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { requestSecondApproval, type SecondApproval } from "../approvals/request-second-approval.ts";

export interface Managed {
  id: string;
  email: string;
  role: RoleName;
  disabledAt: Date | null;
  tokenVersion: number;
}

const userNotFound = () => new Failure("not_found", "User not found.");

/** The person and all administrators, locked in one order: who may take an administrator away takes turns. */
export async function lockWithAdministrators(tx: Tx, id: string): Promise<void> {
  await tx.$queryRaw`
    select 1 from "User" where "id" = ${id}::uuid or "role" = 'ADMIN' order by "id" for no key update`;
}

/** Administrators beside this person who can sign in. What is to hold is asked with the lock of all administrators. */
export const otherAdministrators = ({ user }: Pick<Tx, "user">, id: string): Promise<number> =>
  user.count({ where: { role: "ADMIN", disabledAt: null, id: { not: id } } });

/**
 * The user whom an administrator is about to change, locked together with all administrators, so that two of them cannot
 * remove each other at once. Administrators cannot change themselves here, and an erased user is not found.
 */
export async function lockManaged(tx: Tx, actor: SignedIn, id: string): Promise<Managed> {
  await lockWithAdministrators(tx, id);
  const [user, self, key] = await Promise.all([
    tx.user.findUnique({
      where: { id },
      select: { id: true, email: true, role: true, disabledAt: true, tokenVersion: true },
    }),
    tx.user.findUnique({ where: { id: actor.userId }, select: { role: true, disabledAt: true } }),
    tx.subjectKey.findUnique({ where: { userId: id }, select: { erasedAt: true } }),
  ]);
  if (self?.role !== "ADMIN" || self.disabledAt !== null)
    throw new Failure("forbidden", "Only an administrator can do this.");
  if (!user || key?.erasedAt) throw userNotFound();
  return user;
}

/** Throws where the change would leave no user who may undo it. Callers hold the lock of all administrators. */
export async function refuseLastAdministrator(tx: Tx, actor: SignedIn, user: Managed): Promise<void> {
  if (actor.userId === user.id)
    throw new Failure("conflict", "You cannot do this to yourself: ask another administrator.");
  if (user.role === "ADMIN" && (await otherAdministrators(tx, user.id)) === 0)
    throw new Failure("conflict", "This is the last administrator: make another user an administrator first.");
}

/** Whether the policy in force asks for two administrators where the console is given or taken. Read before the transaction. */
export const areTwoNeeded = async (context: Context): Promise<boolean> =>
  (await activePolicy(context)).orders_execution.two_person_roles === 1;

/** Two administrators agree to one change of a user. */
export const requestAgreement = (
  context: Context<"admin">,
  tx: Tx,
  { id }: Managed,
  change: RoleName | "disable" | "enable",
): Promise<SecondApproval> =>
  requestSecondApproval(context, tx, {
    kind: "MAKE_ADMINISTRATOR",
    subject: id,
    fingerprint: change,
  });
