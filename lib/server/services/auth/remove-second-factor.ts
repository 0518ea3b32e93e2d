import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../core/transaction.ts";
import { recordPersonEvent, sendNews } from "./person-event.ts";
import { lockPerson } from "./lock-person.ts";
import { readFactors } from "./second-factors.ts";

/**
 * Removes every second factor and recovery code of a person who lost them all, for an administrator at the command line.
 * Their sign-ins stay; the owner is notified.
 */
export async function removeSecondFactor(context: Context, email: string): Promise<void> {
  const at = context.now();
  await inTransaction(context, async (tx) => {
    const user = await tx.user.findUnique({ where: { email: email.toLowerCase() }, select: { id: true } });
    if (!user) throw new Failure("not_found", `There is no user with the email ${email}.`);
    const userId = user.id;
    await lockPerson(tx, userId);
    const { totpSince, passkeys } = await readFactors(tx, userId);
    if (totpSince === null && passkeys.length === 0) throw new Failure("conflict", `${email} has no second factor.`);
    const where = { userId };
    await tx.totpFactor.deleteMany({ where });
    await tx.passkey.deleteMany({ where });
    await tx.recoveryCode.deleteMany({ where });
    await tx.authChallenge.deleteMany({ where });
    await recordPersonEvent(context, tx, {
      userId,
      eventType: "SECOND_FACTOR_REMOVED",
      data: { kind: "all", isLast: true },
      at,
      news: {
        key: `factors-removed:${at.toISOString()}`,
        subject: "Your second factor was removed by an administrator",
        text: "Your authenticator app, passkeys and recovery codes were removed. Signing in asks for the password alone.",
      },
    });
  });
  await sendNews(context);
}
