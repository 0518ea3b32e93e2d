import { isForOneSession, isSessionEnding } from "@/lib/domain/engine/session-entries.ts";
import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { MarketClock } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Account, Intent, Order } from "../../core/row-types.ts";

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
  const clock = await broker.clock();
  for (const entry of entries) {
    const reason = whyStale(entry, clock, policy);
    if (reason === null) continue;
    const { brokerOrderId, clientOrderId, symbol } = entry;
    const outcome = await broker.cancel(brokerOrderId);
    context.log.info("cancel.requested", { accountId: account.id, clientOrderId, symbol, reason, outcome });
  }
}

/** By market time, while the market is closed, too. Null where the entry may wait on. */
function whyStale(
  { submittedAt, intent }: Pick<Order, "submittedAt"> & { intent: Pick<Intent, "strategy"> | null },
  { now, isOpen, nextClose }: MarketClock,
  policy: Policy,
): string | null {
  const limitMs = policy.orders_execution.entry_timeout_minutes * MINUTE_MS;
  if (Date.parse(now) - submittedAt.getTime() > limitMs) return "waited too long";
  const session = { isOpen, closesAt: nextClose };
  const isEnding = isForOneSession(intent?.strategy ?? null);
  return isEnding && isSessionEnding(submittedAt.toISOString(), now, session, policy) ? "session ends" : null;
}
