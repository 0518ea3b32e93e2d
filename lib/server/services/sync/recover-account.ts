import { UNSENT } from "@/lib/domain/protocol/intent-states.ts";
import { IN_FLIGHT_INTENTS } from "@/lib/domain/orders.ts";
import { recoveryStep, type RecoveryStep } from "@/lib/domain/protocol/recovery.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { crashPoint } from "../../crash-point.ts";
import { changeIntents } from "../orders/change-intents.ts";
import { protectPositions } from "../orders/protect-positions.ts";
import { askAt } from "../orders/record-outcome.ts";
import { reconcileAccount, type ReconcileReport } from "./reconcile-account.ts";
import { resolveUnknownOrders, type SettleOptions, type SettleReport } from "./resolve-unknown-orders.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";
import { INTERRUPTED_BEFORE_SENDING } from "../orders/unsent.ts";

export interface RecoveryReport {
  /** Recorded but never sent: halted. */
  interrupted: number;
  settled: SettleReport;
  reconciled: ReconcileReport;
}

/**
 * What every start does before new work for an account; the caller is its single writer. Throws when it
 * cannot (the broker is unavailable): then nothing new may be sent for the account.
 */
export async function recoverAccount(
  context: Context,
  accountId: string,
  options: SettleOptions = {},
): Promise<RecoveryReport> {
  const interrupted = await inTransaction(context, async (tx) => {
    const account = await lockAccount(tx, accountId);
    const open = await tx.intent.findMany({
      where: { accountId, status: { in: [...IN_FLIGHT_INTENTS] } },
      select: { id: true, status: true, gateVerdictId: true },
    });
    const stepOf = (step: RecoveryStep) =>
      open.filter(({ status, gateVerdictId }) => recoveryStep(status, gateVerdictId !== null) === step);
    const these = (intents: typeof open) => ({ id: { in: intents.map(({ id }) => id) } });
    await changeIntents(tx, these(stepOf("ask")), {
      from: ["SUBMITTING"],
      to: "UNKNOWN",
      data: { askCount: 0, nextAskAt: askAt(context, 0), lastError: "interrupted while sending" },
    });
    const count = await changeIntents(tx, these(stepOf("halt")), {
      from: UNSENT,
      to: "HALTED",
      data: { lastError: INTERRUPTED_BEFORE_SENDING },
    });
    crashPoint("inside-recovery");
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
  crashPoint("after-interrupt");
  const settled = await resolveUnknownOrders(context, accountId, { isImpatient: true, ...options });
  crashPoint("after-settle");
  const reconciled = await reconcileAccount(context, accountId);
  crashPoint("after-recovery");
  await payOwed(context, accountId);
  return { interrupted, settled, reconciled };
}

/** Stops that the last process cancelled and did not replace. Owed again by the next round where that fails. */
async function payOwed(context: Context, accountId: string): Promise<void> {
  const owed = await context.db.owedStop.findMany({ where: { accountId, paidAt: null }, select: { symbol: true } });
  if (owed.length === 0) return;
  const { writerEpoch } = await context.db.account.findUniqueOrThrow({ where: { id: accountId } });
  const symbols = owed.map(({ symbol }) => symbol);
  try {
    await protectPositions(context, accountId, writerEpoch, { symbols });
  } catch (error) {
    context.log.error("owed-stops.failed", { accountId, err: error });
  }
}
