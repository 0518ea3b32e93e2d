import { counted } from "@/lib/domain/counted.ts";
import type { Account } from "../../core/row-types.ts";
import type { OtherAssets } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { logUserEvents } from "../../core/log-user-events.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";

/** An account holds or trades something else than stocks: counted in the log, reported to its owner once, and not traded. */
export async function notifyOtherAssets(
  context: Context,
  { id: accountId, userId, otherAssetsToldAt }: Account,
  { orders, positions }: OtherAssets,
  executions: number,
): Promise<void> {
  if (orders.length + positions.length + executions === 0) return;
  const counts = { orders: orders.length, positions: positions.length, executions };
  context.log.debug("other-assets.ignored", { accountId, ...counts });
  if (otherAssetsToldAt !== null) return;
  await inTransaction(context, async (tx) => {
    const account = await lockAccount(tx, accountId);
    if (account.otherAssetsToldAt !== null) return;
    await tx.account.update({ where: { id: accountId }, data: { otherAssetsToldAt: context.now() } });
    const found = [
      ...(orders.length === 0 ? [] : [counted(orders.length, "order")]),
      ...(positions.length === 0 ? [] : [counted(positions.length, "position")]),
      ...(executions === 0 ? [] : [counted(executions, "execution")]),
    ].join(", ");
    const message = `The account has other assets than stocks (${found}): Tradewind does not touch them. They are not shown as trades or positions; their value is part of the equity, and the money they move counts neither as a deposit nor as profit.`;
    await logUserEvents(tx, [{ level: "warn", message, userId, accountId, marketAt: null, context: counts }]);
  });
}
