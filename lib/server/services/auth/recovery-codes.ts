import type { Given } from "@/lib/contracts/endpoint.ts";
import { SECURITY_BOUNDS, type securityApi } from "@/lib/contracts/security.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { newRecoveryCode, recoveryCodeHash } from "../../secrets/recovery-code.ts";
import { inTransaction } from "../../core/transaction.ts";
import { recordPersonEvent, sendNews } from "./person-event.ts";
import { hasSecondFactor } from "./second-factors.ts";
import { lockSignedIn } from "./lock-person.ts";

/** Ten new codes in place of the earlier ones. They are shown once: only hashes are stored. */
export async function replaceRecoveryCodes(tx: Tx, userId: string, at: Date): Promise<string[]> {
  const codes = Array.from({ length: SECURITY_BOUNDS.recoveryCodes }, newRecoveryCode);
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, codeHash: recoveryCodeHash(code, userId), createdAt: at })),
  });
  return codes;
}

/** The caller's recovery codes anew; the earlier ones open nothing. */
export async function renewRecoveryCodes(
  context: Context<"user">,
): Promise<Given<typeof securityApi.renewRecoveryCodes>> {
  const { userId } = context.actor;
  const at = context.now();
  const recoveryCodes = await inTransaction(context, async (tx) => {
    await lockSignedIn(context, tx);
    if (!(await hasSecondFactor(tx, userId)))
      throw new Failure("conflict", "Recovery codes replace a lost second factor: set up a second factor first.");
    const codes = await replaceRecoveryCodes(tx, userId, at);
    await recordPersonEvent(context, tx, {
      userId,
      eventType: "RECOVERY_CODES_RENEWED",
      data: {},
      at,
      news: {
        key: `recovery-codes:${at.toISOString()}`,
        subject: "Your recovery codes were renewed",
        text: "Ten new recovery codes take the place of the earlier ones, which no longer work.",
      },
    });
    return codes;
  });
  await sendNews(context);
  return { recoveryCodes };
}
