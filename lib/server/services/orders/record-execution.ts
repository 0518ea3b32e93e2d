import { executionId } from "@/lib/domain/ids.ts";
import { priceText } from "@/lib/domain/format.ts";
import { greatest, least, money, sum, text } from "@/lib/domain/money.ts";
import { isTerminal } from "@/lib/domain/orders.ts";
import type { Account, Order } from "../../core/row-types.ts";
import type { BrokerExecution } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { crashPoint } from "../../crash-point.ts";
import type { Tx } from "../../db.ts";
import { logUserEvents } from "../../core/log-user-events.ts";
import { notifyTrade } from "./notify-trade.ts";
import { postFill, fillValue } from "../ledger/post-fill.ts";
import { changeIntents } from "./change-intents.ts";
import { rebuildPositionBook } from "../ledger/rebuild-position-book.ts";

export type ExecutionSource = "STREAM" | "RECONCILE";

/**
 * Books an execution: fill, lots, round trip, position and figures in the caller's transaction, once,
 * however often and from whichever source it is reported. The caller holds the account's lock and knows the order; `reported` is its row,
 * where the caller has it as it stands now.
 */
export async function recordExecution(
  context: Context,
  tx: Tx,
  account: Account,
  execution: BrokerExecution,
  source: ExecutionSource,
  reported: Order | null = null,
): Promise<{ isNew: boolean }> {
  const accountId = account.id;
  const id = executionId(execution.orderId, text(execution.cumulativeQty));
  const known = await readKnown(tx, accountId, id, execution);
  if (known.isThis) return { isNew: false };
  const order =
    reported?.brokerOrderId === execution.orderId
      ? reported
      : await tx.order.findUniqueOrThrow({
          where: { accountId_brokerOrderId: { accountId, brokerOrderId: execution.orderId } },
        });
  const { symbol, side, price, at } = execution;
  const qty = text(execution.qty);
  const data = { accountId, orderId: order.id, executionId: id, symbol, side, qty, price, source, at: new Date(at) };
  const store = async () => {
    const fill = await tx.fill.create({ data });
    await advanceOrder(tx, order, execution);
    return fill;
  };
  // Reports may arrive out of order: lots are first in, first out by market time.
  if (known.isLater) await rebuildPositionBook(context, tx, accountId, symbol, store);
  else await postFill(context, tx, await store(), order, { isFirstOfOrder: !known.isOfOrder });
  await logFill(tx, account, order, execution);
  await notifyTrade(context, tx, account, order, id, execution);
  crashPoint("in-fill");
  return { isNew: true };
}

/** What is booked already: this execution, a later one of its symbol, an earlier one of its order. In one statement, since trades wait for it. */
async function readKnown(
  tx: Tx,
  accountId: string,
  executionId: string,
  { symbol, at, orderId }: BrokerExecution,
): Promise<Record<"isThis" | "isLater" | "isOfOrder", boolean>> {
  const [known] = await tx.$queryRaw<Awaited<ReturnType<typeof readKnown>>[]>`
    select
      exists (select 1 from "Fill" where "accountId" = ${accountId}::uuid and "executionId" = ${executionId}) as "isThis",
      exists (
        select 1 from "Fill" where "accountId" = ${accountId}::uuid and "symbol" = ${symbol} and "at" > ${new Date(at)}::timestamptz
      ) as "isLater",
      exists (
        select 1 from "Fill" f join "Order" o on o."id" = f."orderId"
        where o."accountId" = ${accountId}::uuid and o."brokerOrderId" = ${orderId}
      ) as "isOfOrder"`;
  if (known === undefined) throw new Error("Postgres answered no row");
  return known;
}

/** Trades of the automation reach its user's log; what was done elsewhere is in the trade history alone. */
async function logFill(tx: Tx, account: Account, order: Order, execution: BrokerExecution): Promise<void> {
  if (order.origin !== "OURS") return;
  const { symbol, side } = execution;
  const [qty, price] = [text(execution.qty), text(execution.price)];
  const message = `Filled: ${side === "BUY" ? "bought" : "sold"} ${qty} ${symbol} at ${priceText(price)}`;
  const context = { symbol, side, qty, price, clientOrderId: order.clientOrderId, reason: order.reason };
  await logUserEvents(tx, [
    {
      level: "info",
      message,
      userId: account.userId,
      accountId: account.id,
      marketAt: new Date(execution.at),
      context,
    },
  ]);
}

/** The order's own progress, where the report of the fill arrives before that of the order. */
async function advanceOrder(tx: Tx, order: Order, execution: BrokerExecution): Promise<void> {
  const heard = money(execution.cumulativeQty);
  if (heard.lte(money(order.filledQty))) return;
  const filledQty = order.qty === null ? heard : least(heard, money(order.qty));
  const fills = await tx.fill.findMany({ where: { orderId: order.id }, select: { qty: true, price: true } });
  const filledByFills = sum(fills.map((fill) => money(fill.qty)));
  const average = sum(fills.map(fillValue)).div(filledByFills).toDecimalPlaces(9);
  const isComplete = order.qty !== null && filledQty.eq(money(order.qty));
  const isOver = isTerminal(order.status);
  // A stop or target that rested for weeks is a trade of the day on which it was hit (recorded-order.ts).
  const isHit = (order.role === "STOP" || order.role === "TARGET") && (isComplete || money(order.filledQty).isZero());
  await tx.order.update({
    where: { id: order.id },
    data: {
      filledQty: text(greatest(filledQty, money(order.filledQty))),
      filledAvgPrice: text(average),
      filledValue: text(filledQty.times(average).toDecimalPlaces(9)),
      // The order's own report may never arrive: a final order is not read again.
      ...(isOver
        ? {}
        : isComplete
          ? { status: "FILLED" as const, brokerStatus: "filled" }
          : { status: "PARTIALLY_FILLED" as const, brokerStatus: "partially_filled" }),
      ...(!isOver && isComplete ? { filledAt: new Date(execution.at) } : {}),
      ...(!isOver && isHit ? { tradedAt: new Date(execution.at) } : {}),
    },
  });
  if (!isOver && isComplete && order.intentId !== null && order.parentId === null)
    await changeIntents(tx, { id: order.intentId }, { from: ["LIVE"], to: "FILLED" });
}
