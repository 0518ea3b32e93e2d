import { sharesText } from "@/lib/domain/format.ts";
import { isTerminal } from "@/lib/domain/orders.ts";
import { mailAlert } from "../../core/mail-alert.ts";
import { logUserEvents } from "../../core/log-user-events.ts";
import type { Account, Order } from "../../core/row-types.ts";
import type { Tx } from "../../db.ts";

/** An order that a person placed to sell shares of ours keeps them: they have no stop of ours, and the user is notified once. */
export async function notifyExternalSale(tx: Tx, account: Account, order: Order): Promise<void> {
  const { symbol, brokerOrderId, qty, side, origin, status, type, submittedAt } = order;
  const isStop = type === "STOP" || type === "STOP_LIMIT" || type === "TRAILING_STOP";
  if (origin !== "EXTERNAL" || side !== "SELL" || isStop || isTerminal(status)) return;
  const { id: accountId, userId } = account;
  const held = await tx.position.count({ where: { accountId, symbol, strategy: { not: null } } });
  if (held === 0) return;
  const message = `An order placed elsewhere sells ${qty === null ? "shares" : sharesText(qty.toNumber())} of ${symbol}: Tradewind cannot protect them with a stop while that order is open. The rest of the position stays protected.`;
  await logUserEvents(tx, [{ level: "warn", message, userId, accountId, marketAt: submittedAt }]);
  await mailAlert(
    tx,
    { userId },
    {
      key: `external-sale:${accountId}:${brokerOrderId}`,
      subject: `An order placed elsewhere reserves shares of ${symbol}`,
      paragraphs: [message],
      accountId,
    },
  );
}
