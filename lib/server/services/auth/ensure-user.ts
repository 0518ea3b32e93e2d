import type { RoleName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { emailIn } from "@/lib/contracts/codecs.ts";
import { newPasswordIn } from "@/lib/contracts/auth.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { hashPassword } from "../../secrets/password.ts";
import { voidRequests } from "../approvals/void-requests.ts";
import { mailOfRole, tellOfRole } from "./announce-role.ts";
import { endSignIns } from "./end-sign-ins.ts";
import { replacePassword } from "./replace-password.ts";

export interface KnownUser {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
  role: RoleName;
}

type SystemContext = Pick<Context, "db" | "now" | "actor">;

/**
 * Makes a user who needs no verification mail: by set-up or by an operator. A user who is there already is left as they are.
 * `isAnnounced`: administrators hear of a new one.
 */
export async function ensureUser(
  { db, now, actor }: SystemContext,
  user: KnownUser,
  { isAnnounced = false }: { isAnnounced?: boolean } = {},
): Promise<{ id: string; isNew: boolean }> {
  const email = emailIn.parse(user.email);
  const existing = await db.user.findUnique({ where: { email }, select: { id: true } });
  if (existing) return { id: existing.id, isNew: false };
  const passwordHash = await hashPassword(newPasswordIn.parse(user.password));
  const { firstName, lastName, role } = user;
  const at = now();
  return db.$transaction(async (tx) => {
    const { id } = await tx.user.create({
      data: {
        email,
        firstName,
        lastName,
        role,
        passwordHash,
        emailVerifiedAt: at,
        createdAt: at,
        tradingPreferences: { create: {} },
        notificationPreferences: { create: {} },
      },
    });
    await recordAudit(tx, { at, eventType: "USER_CREATED", actor, subjectUserId: id, data: { role } });
    if (isAnnounced && role === "ADMIN") await mailOfRole(tx, { id, email, tokenVersion: 0 }, role);
    return { id, isNew: true };
  });
}

const DISABLED = "This user is disabled: enable them first.";

export const UNVERIFIED_CANNOT_ADMINISTER =
  "This user has not verified their email address: only a user with a verified address can be an administrator.";

/** An administrator has no page for accounts of their own: what trades must stay in its owner's hands. */
export async function refuseWithAccounts(tx: Tx, userId: string): Promise<void> {
  const open = await tx.account.count({ where: { userId, deletedAt: null } });
  if (open > 0)
    throw new Failure(
      "conflict",
      "This user has brokerage accounts, and an administrator cannot own any. Close them first, or choose another user.",
    );
}

/**
 * Makes an existing user with a verified address an administrator. Their sign-ins end: the next one carries the new role
 * from its start. They and the administrators are told.
 */
export async function promoteUser({ db, now, actor }: SystemContext, email: string): Promise<void> {
  const at = now();
  await db.$transaction(async (tx) => {
    const user = await knownUser(tx, email);
    const { id, role, disabledAt, emailVerifiedAt } = user;
    if (role === "ADMIN") throw new Failure("conflict", "This user is an administrator already: nothing was changed.");
    if (disabledAt !== null) throw new Failure("conflict", DISABLED);
    if (emailVerifiedAt === null) throw new Failure("conflict", UNVERIFIED_CANNOT_ADMINISTER);
    await tx.user.update({ where: { id }, data: { role: "ADMIN" } });
    // Asked with the row's lock: an account that is being added waits for it, and finds the role.
    await refuseWithAccounts(tx, id);
    await voidRequests(tx, id);
    await endSignIns(tx, id, at);
    await tellOfRole(tx, user, { role: "ADMIN", by: "An operator", at });
    await mailOfRole(tx, user, "ADMIN");
    await recordAudit(tx, { at, eventType: "USER_PROMOTED", actor, subjectUserId: id, data: {} });
  });
}

/** Gives a user a new password, ends all their sign-ins and the reset links that are under way, and tells them. */
export async function resetUserPassword(
  { db, now, actor }: SystemContext,
  email: string,
  password: string,
): Promise<void> {
  const passwordHash = await hashPassword(newPasswordIn.parse(password));
  const at = now();
  await db.$transaction(async (tx) => {
    const { id } = await knownUser(tx, email);
    if ((await replacePassword(tx, { userId: id, passwordHash }, at)) === null) throw new Failure("conflict", DISABLED);
    await recordAudit(tx, { at, eventType: "PASSWORD_RESET_BY_OPERATOR", actor, subjectUserId: id, data: {} });
  });
}

/** With the row's lock: role and access stay as they are meanwhile. */
async function knownUser(tx: Tx, email: string) {
  const where = { email: emailIn.parse(email) };
  await tx.$queryRaw`select 1 from "User" where "email" = ${where.email} for update`;
  const select = { id: true, email: true, role: true, tokenVersion: true, disabledAt: true, emailVerifiedAt: true };
  const user = await tx.user.findUnique({ where, select });
  if (!user) throw new Failure("not_found", "No account found with this email address.");
  return user;
}
