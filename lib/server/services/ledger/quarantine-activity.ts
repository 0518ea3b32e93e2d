import { moneyText } from "@/lib/domain/format.ts";
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
  const what = `${type}${symbol === null ? "" : ` of ${symbol}`}, ${qty ?? "no"} shares, ${moneyText(Number(netAmount))}`;
  const message = `The broker reported something that cannot be booked automatically: ${what}`;
  context.log.error("activity.quarantined", { accountId, kind: type, symbol, qty });
  await logUserEvents(tx, [
    { level: "warn", message, userId, accountId, marketAt: null, context: { activityId, type } },
  ]);
  if (qty !== null) await haltAccount(context, tx, accountId, message);
  return true;
}
