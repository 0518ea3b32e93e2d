import { randomBytes } from "node:crypto";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { usersApi } from "@/lib/contracts/users.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { callFacts, recordAudit, type AuditEntry } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { hashPassword, isPassword } from "../../secrets/password.ts";
import { spendPasswordCheck } from "../auth/spend-password-check.ts";
import { otherAdministrators } from "../users/managed-user.ts";
import { closeAccounts } from "./close-accounts.ts";
import { forgetPerson, lastAdministrator } from "./forget-person.ts";

const WRONG_PASSWORD = "Your password is not correct.";
/** Read by the person where the erasure broke off. */
const PAUSED_BY_ERASURE = "You asked to delete your Tradewind account";

/**
 * Erases the caller. Automation stops first; each brokerage account is closed as if it were deleted by hand (protective
 * stops stay at the broker); then everything that identifies the user is erased at once. What was traded stays, without a
 * person. May be interrupted at any moment: the sign-in holds until the last step, and the same call continues.
 */
export async function eraseUser(
  context: Context<"user">,
  { password }: Received<typeof usersApi.erase>,
): Promise<Given<typeof usersApi.erase>> {
  const { actor, db, now, request } = context;
  const { userId } = actor;
  const entry = { ...callFacts({ actor, request }), subjectUserId: userId, data: {} };
  const check = await spendPasswordCheck(context, userId);
  const { passwordHash, role } = await db.user.findUniqueOrThrow({
    where: { id: userId },
    select: { passwordHash: true, role: true },
  });
  if (!(await check.run(() => isPassword(password, passwordHash, check)))) {
    await db.$transaction((tx) => recordAudit(tx, { ...entry, at: now(), eventType: "USER_ERASURE_REFUSED" }));
    // Not 401: the sign-in holds, and the browser would end it.
    throw new Failure("invalid_input", WRONG_PASSWORD, { issues: [{ path: "password", message: WRONG_PASSWORD }] });
  }
  // Told before anything is stopped; what holds is asked again with the last step.
  if (role === "ADMIN" && (await otherAdministrators(db, userId)) === 0) throw lastAdministrator();
  await stopAutomation(context, userId, entry);
  await closeAccounts(context, userId);
  const unusableHash = await hashPassword(randomBytes(32).toString("base64url"), { isOwnDevice: true });
  await forgetPerson(context, { userId, unusableHash }, { ...entry, eventType: "USER_ERASED" });
  // With the list of erasures (keep-erasures.ts) the second place outside of the database.
  context.log.info("user.erased", { userId, at: now() });
  return { message: "Your account is deleted and your personal data has been erased. You are signed out." };
}

/** Purchases stop before the first account is closed, and stay stopped where the erasure breaks off. */
async function stopAutomation({ db, now }: Context, userId: string, entry: Omit<AuditEntry, "at" | "eventType">) {
  const at = now();
  await db.$transaction(async (tx) => {
    await tx.user.updateMany({
      where: { id: userId, automationPausedAt: null },
      data: { automationPausedAt: at, pausedReason: PAUSED_BY_ERASURE },
    });
    await recordAudit(tx, { ...entry, at, eventType: "USER_ERASURE_STARTED" });
  });
}
