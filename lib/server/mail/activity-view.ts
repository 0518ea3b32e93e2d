import type { MailedOrder, MailedTrade } from "@/emails/activity.tsx";
import { money, sum, text } from "@/lib/domain/money.ts";
import type { ActivityItem } from "./mail-props.ts";

type Fill = Extract<ActivityItem, { what: "FILLED" }>;
type OrderEvent = Exclude<ActivityItem, Fill>;

/** A page of Trade History for what became an order; the log for what did not. */
const hrefOf = (base: string, { orderId }: ActivityItem) =>
  orderId === null ? `${base}/logs` : `${base}/trade-history/${orderId}`;

/** The fills of a mail, one trade an order, in the order in which they came. */
export function tradesIn(items: ActivityItem[], base: string): MailedTrade[] {
  const byOrder = new Map<string, Fill[]>();
  for (const item of items) {
    if (item.what !== "FILLED") continue;
    const key = item.orderId ?? item.at;
    byOrder.set(key, [...(byOrder.get(key) ?? []), item]);
  }
  return [...byOrder.values()].flatMap((fills) => {
    const [first] = fills;
    return first ? [tradeOf(first, fills, base)] : [];
  });
}

function tradeOf(first: Fill, fills: Fill[], base: string): MailedTrade {
  const qty = sum(fills.map((fill) => money(fill.qty)));
  const value = sum(fills.map((fill) => money(fill.qty).times(money(fill.price))));
  const isAverage = fills.some(({ price }) => !money(price).eq(money(first.price)));
  const isSale = first.side === "SELL";
  return {
    at: fills.map(({ at }) => at).reduce((latest, at) => (at > latest ? at : latest)),
    symbol: first.symbol,
    side: first.side,
    qty: text(qty),
    value: text(value),
    price: { text: isAverage ? text(value.div(qty).toDecimalPlaces(6)) : text(first.price), isAverage },
    realizedPnl: isSale ? text(sum(fills.map(({ realizedPnl }) => money(realizedPnl ?? "0")))) : null,
    reason: first.reason,
    href: hrefOf(base, first),
  };
}

export function ordersIn(items: ActivityItem[], base: string): MailedOrder[] {
  return items
    .filter((item): item is OrderEvent => item.what !== "FILLED")
    .map((item) => ({ ...item, href: hrefOf(base, item) }));
}
