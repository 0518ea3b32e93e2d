import type { Context } from "../../context.ts";
import { logUserEvents } from "../../core/log-user-events.ts";
import type { Account } from "../../core/row-types.ts";

/** A working order of ours that is asked back. */
export interface AskedBack {
  id: string;
  accountId: string;
  brokerOrderId: string;
  clientOrderId: string;
  symbol: string;
}

interface Why {
  /** For the log of the process. */
  reason: string;
  /** For the owner; the symbols follow. */
  message: string;
}

export const STOPPED_ENTRIES: Why = {
  reason: "kill state",
  message: "Trading is stopped: the broker was asked to cancel open entry orders",
};
export const RECALLED_SALES: Why = {
  reason: "selling everything was taken back",
  message: "Selling everything was taken back: the broker was asked to cancel open sales",
};

/**
 * Asks the broker to cancel these orders of an account and tells its owner once. The shares of sales are protected again once they have ended.
 * `askedAt`: when each order's cancel was requested last, by the process's own clock; what the broker took is noted in it.
 */
export async function askBack(
  context: Context,
  account: Account,
  orders: AskedBack[],
  askedAt: Map<string, number>,
  { reason, message }: Why,
): Promise<void> {
  const broker = context.brokers.forAccount(account);
  const isFirst = orders.filter(({ id }) => !askedAt.has(id));
  await Promise.all(
    orders.map(async ({ id, brokerOrderId, clientOrderId, symbol }) => {
      const outcome = await broker.cancel(brokerOrderId);
      context.log.info("cancel.requested", { accountId: account.id, clientOrderId, symbol, reason, outcome });
      // What failed is asked again in the next round; the rest when the order still works after a while.
      if (outcome.kind !== "failed") askedAt.set(id, performance.now());
    }),
  );
  const symbols = isFirst.filter(({ id }) => askedAt.has(id)).map(({ symbol }) => symbol);
  if (symbols.length === 0) return;
  const { id: accountId, userId } = account;
  await logUserEvents(context.db, [
    { level: "warn", message: `${message}: ${symbols.sort().join(", ")}`, userId, accountId, marketAt: null },
  ]);
}
