import { moneyText, signedMoneyText } from "@/lib/domain/format.ts";
import { money, sum, text, toNumber } from "@/lib/domain/money.ts";
import type { BrokerExecution } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Prisma, Tx } from "../../db.ts";
import type { Account, Order } from "../../core/row-types.ts";
import { reasonLabel } from "./notify-order.ts";
import { notifyActivity } from "../../core/notify-activity.ts";

/**
 * Notifies the account's owner of a fill that was just posted, in its transaction. In the pages an order that fills in
 * parts is one notification with what is filled so far. Trades made elsewhere are not notified.
 */
export async function notifyTrade(
  context: Pick<Context, "now">,
  tx: Tx,
  account: Account,
  order: Order,
  executionId: string,
  execution: BrokerExecution,
): Promise<void> {
  if (order.origin !== "OURS") return;
  const { symbol, side, at } = execution;
  const reason = reasonLabel(order.reason);
  const fills = await tx.$queryRaw<({ executionId: string } & Record<"qty" | "price" | "pnl", Prisma.Decimal>)[]>`
    select f."executionId", f."qty", f."price",
      (select coalesce(sum(c."realizedPnl"), 0) from "LotClosure" c where c."fillId" = f."id") as "pnl"
    from "Fill" f where f."orderId" = ${order.id}::uuid`;
  const madeBy = (some: typeof fills) => sum(some.map(({ pnl }) => money(pnl)));
  const isSale = side === "SELL";
  const qty = sum(fills.map((fill) => money(fill.qty)));
  const value = sum(fills.map((fill) => money(fill.qty).times(money(fill.price))));
  const isPart = order.qty !== null && qty.lt(money(order.qty));
  const item = {
    what: "FILLED" as const,
    at,
    orderId: order.id,
    symbol,
    side,
    qty: text(execution.qty),
    price: text(execution.price),
    realizedPnl: isSale ? text(madeBy(fills.filter((fill) => fill.executionId === executionId))) : null,
    reason,
  };
  const parts = [
    reason,
    isPart ? `${text(qty)} of ${text(String(order.qty))} filled` : null,
    isSale ? `${signedMoneyText(toNumber(madeBy(fills)))} realized` : null,
  ];
  const notification = {
    dedupeKey: `trade:${order.id}`,
    title: `${isSale ? "Sold" : "Bought"} ${text(qty)} ${symbol} for ${moneyText(toNumber(value))}`,
    text: parts.filter((part) => part !== null).join(" · "),
    link: `/trade-history/${order.id}`,
  };
  await notifyActivity(tx, account, item, notification, context.now());
}
