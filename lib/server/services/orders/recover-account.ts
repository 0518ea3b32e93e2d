import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { askAt } from "./record-outcome.ts";
import { reconcileAccount, type ReconcileReport } from "./reconcile-account.ts";
import { settleUnknowns, type SettleOptions, type SettleReport } from "./settle-unknowns.ts";
import { inTransaction, lockAccount } from "./transaction.ts";

export interface RecoveryReport {
  /** Recorded but never sent: given up. */
  interrupted: number;
  settled: SettleReport;
  reconciled: ReconcileReport;
}

/**
 * What every start does before new work for an account; the caller is its single writer. Throws when it
 * cannot (the broker is away): then nothing new may be sent for the account.
 */
export async function recoverAccount(
  context: Context,
  accountId: string,
  options: SettleOptions = {},
): Promise<RecoveryReport> {
  const interrupted = await inTransaction(context, async (tx) => {
    const account = await lockAccount(tx, accountId);
    // Whoever sent these is gone: their answers are questions now.
    await tx.intent.updateMany({
      where: { accountId, status: "SUBMITTING" },
      data: { status: "UNKNOWN", askCount: 0, nextAskAt: askAt(context, 0), lastError: "interrupted while sending" },
    });
    // The mark is committed before the call, so an intent without it was never sent.
    const { count } = await tx.intent.updateMany({
      where: { accountId, status: { in: ["PLANNED", "GATED"] }, gateVerdictId: { not: null } },
      data: { status: "HALTED", lastError: "interrupted before sending" },
    });
    if (count > 0)
      await recordAudit(tx, {
        at: context.now(),
        eventType: "ORDERS_INTERRUPTED",
        actor: context.actor,
        subjectUserId: account.userId,
        requestId: context.request.id,
        data: { accountId, count },
      });
    return count;
  });
  const settled = await settleUnknowns(context, accountId, { isImpatient: true, ...options });
  const reconciled = await reconcileAccount(context, accountId);
  return { interrupted, settled, reconciled };
}
