import type { Context } from "../../context.ts";
import { logUserEvents } from "../../core/log-user-events.ts";
import type { Account } from "../../core/row-types.ts";
import type { OpenEntry } from "./read-stopped-accounts.ts";

/**
 * Asks the broker to cancel an account's entries and tells its owner once. `askedAt`: when each entry's cancel was requested last, by the
 * process's own clock; what the broker took is noted in it.
 */
export async function cancelStoppedEntries(
  context: Context,
  account: Account,
  entries: OpenEntry[],
  askedAt: Map<string, number>,
): Promise<void> {
  const broker = context.brokers.forAccount(account);
  const isFirst = entries.filter(({ id }) => !askedAt.has(id));
  await Promise.all(
    entries.map(async ({ id, brokerOrderId, clientOrderId, symbol }) => {
      const outcome = await broker.cancel(brokerOrderId);
      context.log.info("cancel.requested", {
        accountId: account.id,
        clientOrderId,
        symbol,
        reason: "kill state",
        outcome,
      });
      // What failed is asked again in the next round; the rest when the order still works after a while.
      if (outcome.kind !== "failed") askedAt.set(id, performance.now());
    }),
  );
  const symbols = isFirst.filter(({ id }) => askedAt.has(id)).map(({ symbol }) => symbol);
  if (symbols.length === 0) return;
  const message = `Trading is stopped: the broker was asked to cancel open entry orders: ${symbols.sort().join(", ")}`;
  const { id: accountId, userId } = account;
  await logUserEvents(context.db, [{ level: "warn", message, userId, accountId, marketAt: null }]);
}
