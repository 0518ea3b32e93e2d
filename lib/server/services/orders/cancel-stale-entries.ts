import { whyStale } from "@/lib/domain/engine/session-entries.ts";
import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";

/**
 * Cancels our entries that have waited too long, as a cycle does: its account's next one may be an hour away, or after the next
 * opening, which what is good until cancelled at the broker would meet on the gates of the day before.
 */
export async function cancelStaleEntries(context: Context, account: Account, policy: Policy): Promise<void> {
  const entries = await context.db.order.findMany({
    where: { accountId: account.id, origin: "OURS", role: "ENTRY", status: { in: [...WORKING_STATUSES] } },
    include: { intent: { select: { strategy: true } } },
  });
  if (entries.length === 0) return;
  const broker = context.brokers.forAccount(account);
  const { now, isOpen, nextClose } = await broker.clock();
  for (const { brokerOrderId, clientOrderId, symbol, submittedAt, intent } of entries) {
    const entry = { submittedAt: submittedAt.toISOString(), strategy: intent?.strategy ?? null };
    const reason = whyStale(entry, now, { isOpen, closesAt: nextClose }, policy);
    if (reason === null) continue;
    const outcome = await broker.cancel(brokerOrderId);
    context.log.info("cancel.requested", { accountId: account.id, clientOrderId, symbol, reason, outcome });
  }
}
