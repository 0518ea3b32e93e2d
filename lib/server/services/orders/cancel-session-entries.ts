import { STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { isForOneSession, isSessionEnding } from "@/lib/domain/engine/session-entries.ts";
import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";

/**
 * Cancels entries that are good for one session from its last minutes on, as a cycle does: the last cycle of a session may
 * be missed, and what is good until cancelled at the broker would meet the next opening.
 */
export async function cancelSessionEntries(context: Context, account: Account, policy: Policy): Promise<void> {
  const entries = await context.db.order.findMany({
    where: {
      accountId: account.id,
      origin: "OURS",
      role: "ENTRY",
      status: { in: [...WORKING_STATUSES] },
      intent: { strategy: { in: STRATEGY_NAMES.filter(isForOneSession) } },
    },
  });
  if (entries.length === 0) return;
  const broker = context.brokers.forAccount(account);
  const { now, isOpen, nextClose } = await broker.clock();
  for (const { brokerOrderId, clientOrderId, symbol, submittedAt } of entries) {
    if (!isSessionEnding(submittedAt.toISOString(), now, { isOpen, closesAt: nextClose }, policy)) continue;
    const outcome = await broker.cancel(brokerOrderId);
    context.log.info("cancel.requested", {
      accountId: account.id,
      clientOrderId,
      symbol,
      reason: "session ends",
      outcome,
    });
  }
}
