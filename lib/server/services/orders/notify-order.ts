import { REASON_TEXT } from "@/lib/domain/engine/reasons.ts";
import type { OrderStatusName } from "@/lib/domain/enums.ts";
import { text } from "@/lib/domain/money.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import type { ActivityItem } from "../../mail/mail-props.ts";
import type { Account, Intent, Order } from "../../core/row-types.ts";
import { notifyActivity } from "../../core/notify-activity.ts";

type OrderEvent = Exclude<ActivityItem["what"], "FILLED">;

const TITLES: Record<OrderEvent, string> = {
  SENT: "Order sent",
  REJECTED: "Order rejected",
  CANCELLED: "Order cancelled",
  EXPIRED: "Order expired",
};

/**
 * Notifies the account's owner of what a broker's report means for an order of ours, in the transaction that records it:
 * sent, rejected, cancelled or expired. Fills are notified as trades. Of resting stops and targets only a rejection is
 * notified: they come and go with the order that they belong to.
 */
export async function notifyOrder(
  context: Pick<Context, "now">,
  tx: Tx,
  account: Account,
  before: Pick<Order, "status"> | null,
  order: Order,
): Promise<void> {
  if (order.origin !== "OURS") return;
  const isResting = order.role === "STOP" || order.role === "TARGET";
  const what = eventOf(before?.status ?? null, order.status);
  if (what === null || (isResting && what !== "REJECTED")) return;
  await notify(context, tx, account, {
    // A decision is refused once, whether its order came to be or not.
    subject: order.parentId === null ? `intent:${order.intentId ?? ""}` : `order:${order.id}`,
    what,
    at: (what === "SENT" ? order.submittedAt : (order.endedAt ?? order.brokerUpdatedAt)).toISOString(),
    orderId: order.id,
    symbol: order.symbol,
    side: order.side,
    qty: order.qty === null ? null : text(order.qty.toString()),
    filledQty: text(order.filledQty.toString()),
    reason: order.reason,
    brokerMessage: null,
  });
}

/** The same for a decision that the broker refused at once, so that no order came of it. `brokerMessage` is its reason. */
export async function notifyRefusal(
  context: Pick<Context, "now">,
  tx: Tx,
  account: Account,
  intent: Intent,
  brokerMessage: string,
): Promise<void> {
  await notify(context, tx, account, {
    subject: `intent:${intent.id}`,
    what: "REJECTED",
    at: intent.decidedAt.toISOString(),
    orderId: null,
    symbol: intent.symbol,
    side: intent.side,
    qty: text(intent.qty.toString()),
    filledQty: "0",
    reason: intent.reason,
    brokerMessage: brokerMessage.slice(0, 200),
  });
}

/** What the report means for the order; null for what is not notified. */
function eventOf(before: OrderStatusName | null, now: OrderStatusName): OrderEvent | null {
  if (before === now) return null;
  if (now === "REJECTED") return "REJECTED";
  if (now === "CANCELED") return "CANCELLED";
  if (now === "EXPIRED") return "EXPIRED";
  return before === null ? "SENT" : null;
}

/** A reason code in words. */
export function reasonLabel(reason: string | null): string | null {
  return reason === null ? null : ((REASON_TEXT as Record<string, string>)[reason] ?? reason);
}

async function notify(
  context: Pick<Context, "now">,
  tx: Tx,
  account: Account,
  { subject, ...event }: Extract<ActivityItem, { what: OrderEvent }> & { subject: string },
): Promise<void> {
  const item = { ...event, reason: reasonLabel(event.reason) };
  const { what, side, qty, symbol, filledQty, orderId, brokerMessage } = item;
  const order = `${side === "BUY" ? "Buy" : "Sell"} ${qty === null ? "" : `${qty} `}${symbol}`;
  const filled = what === "SENT" || filledQty === "0" ? null : `${filledQty} filled`;
  const notification = {
    dedupeKey: `${subject}:${what}`,
    title: `${TITLES[what]}: ${order}`,
    text: [item.reason, filled, brokerMessage].filter((part) => part !== null).join(" · "),
    link: orderId === null ? "/logs" : `/trade-history/${orderId}`,
  };
  await notifyActivity(tx, account, item, notification, context.now());
}
