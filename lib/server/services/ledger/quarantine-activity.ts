import { moneyText, sharesText } from "@/lib/domain/format.ts";
import type { Account } from "../../core/row-types.ts";
import type { BrokerActivity } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { logUserEvents } from "../../core/log-user-events.ts";
import { haltAccount } from "../../core/halt-account.ts";

/**
 * Sets aside what the books cannot take in by rule, for a person to look at. Where shares moved, the account
 * is halted: no orders are sent on unexplained quantities. True when it was new.
 */
export async function quarantineActivity(
  context: Context,
  tx: Tx,
  { id: accountId, userId }: Account,
  { id: activityId, type, symbol, qty, netAmount, date }: BrokerActivity,
): Promise<boolean> {
  const { count } = await tx.quarantinedActivity.createMany({
    data: [{ accountId, activityId, type, symbol, qty, amount: netAmount, date: dateOf(date) }],
    skipDuplicates: true,
  });
  if (count === 0) return false;
  const what = `${type}${symbol === null ? "" : ` of ${symbol}`}, ${qty === null ? "no shares" : sharesText(Number(qty))}, ${moneyText(Number(netAmount))}`;
  const message = `The broker reported something that cannot be booked automatically: ${what}`;
  context.log.error("activity.quarantined", { accountId, kind: type, symbol, qty });
  await logUserEvents(tx, [
    { level: "warn", message, userId, accountId, marketAt: null, context: { activityId, type } },
  ]);
  if (qty !== null) await haltAccount(context, tx, accountId, message);
  return true;
}

/** What was set aside and is booked by rule after all waits for no person any more. In the transaction that books it. */
export async function settleBooked(
  { now }: Pick<Context, "now">,
  tx: Tx,
  { id: accountId, userId }: Account,
  legs: readonly BrokerActivity[],
): Promise<void> {
  const { count } = await tx.quarantinedActivity.updateMany({
    where: { accountId, activityId: { in: legs.map(({ id }) => id) }, settlement: null },
    data: { settlement: "BOOKED", settledAt: now() },
  });
  if (count === 0) return;
  const what = legs.map(({ type, symbol }) => (symbol === null ? type : `${type} of ${symbol}`)).join(", ");
  const message = `What the broker reported and was set aside is booked now: ${what}`;
  await logUserEvents(tx, [{ level: "info", message, userId, accountId, marketAt: null }]);
}
