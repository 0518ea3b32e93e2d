import { applyFill } from "@/lib/domain/engine/apply-fill.ts";
import { executionId } from "@/lib/domain/ids.ts";
import { greatest, least, money, sum, text, type Money } from "@/lib/domain/money.ts";
import { isTerminal } from "@/lib/domain/orders.ts";
import type { Account, Fill, Intent, Order } from "./row-types.ts";
import type { BrokerExecution } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { crashPoint } from "../../crash-point.ts";
import type { Tx } from "../../db.ts";
import { noteEvents } from "../logs/note-event.ts";
import { bookPosition } from "./book-position.ts";
import { loadBook, saveLots, saveTrip, type TripWords } from "./position-book.ts";

export type ExecutionSource = "STREAM" | "RECONCILE";

/**
 * Books an execution: fill, lots, round trip, position and figures in the caller's transaction, once,
 * however often and from wherever it is heard of. The caller holds the account's lock and knows the order.
 */
export async function applyExecution(
  context: Context,
  tx: Tx,
  account: Account,
  execution: BrokerExecution,
  source: ExecutionSource,
): Promise<{ isNew: boolean }> {
  const accountId = account.id;
  const id = executionId(execution.orderId, text(execution.cumulativeQty));
  const known = await tx.fill.findUnique({ where: { accountId_executionId: { accountId, executionId: id } } });
  if (known) return { isNew: false };
  const order = await tx.order.findUniqueOrThrow({
    where: { accountId_brokerOrderId: { accountId, brokerOrderId: execution.orderId } },
  });
  const { symbol, side, price, at } = execution;
  const qty = text(execution.qty);
  const data = { accountId, orderId: order.id, executionId: id, symbol, side, qty, price, source, at: new Date(at) };
  const fill = await tx.fill.create({ data });
  const isFirstOfOrder = (await tx.fill.count({ where: { orderId: order.id } })) === 1;
  await advanceOrder(tx, order, execution);

  const before = await loadBook(tx, accountId, symbol);
  const { book, closures, trip, unmatchedQty } = applyFill(before, { id: fill.id, side, qty, price, fees: "0", at });
  if (unmatchedQty !== "0") context.log.error({ accountId, symbol, unmatchedQty }, "sold more than the lots hold");
  await saveLots(tx, accountId, before, book);
  const closed = closures.map((closure) => ({ ...closure, fillId: fill.id, at: fill.at }));
  await tx.lotClosure.createMany({ data: closed });
  const intent = order.intentId === null ? null : await tx.intent.findUnique({ where: { id: order.intentId } });
  const current = trip ?? book.trip;
  if (current) await saveTrip(tx, accountId, symbol, current, await wordsOf(tx, order, intent, before.trip === null));
  await bookPosition(tx, accountId, book, intent, execution);
  await noteFill(tx, account, order, fill);
  crashPoint("in-fill");

  await tx.accountFigures.upsert({ where: { accountId }, create: { accountId }, update: {} });
  await tx.accountFigures.update({
    where: { accountId },
    data: {
      realizedPnl: { increment: text(sum(closures.map(({ realizedPnl }) => money(realizedPnl)))) },
      totalVolume: { increment: text(valueOf(fill)) },
      tradeCount: { increment: isFirstOfOrder ? 1 : 0 },
      winningTrips: { increment: trip?.outcome === "WIN" ? 1 : 0 },
      losingTrips: { increment: trip?.outcome === "LOSS" ? 1 : 0 },
      scratchTrips: { increment: trip?.outcome === "SCRATCH" ? 1 : 0 },
      version: { increment: 1 },
    },
  });
  return { isNew: true };
}

/** Trades of the automation reach its user's log; what was done elsewhere is in the trade history alone. */
async function noteFill(tx: Tx, account: Account, order: Order, fill: Fill): Promise<void> {
  if (order.origin !== "OURS") return;
  const { symbol, side, at } = fill;
  const [qty, price] = [text(fill.qty.toString()), text(fill.price.toString())];
  const message = `Filled: ${side === "BUY" ? "bought" : "sold"} ${qty} ${symbol} at ${price}`;
  const context = { symbol, side, qty, price, clientOrderId: order.clientOrderId, reason: order.reason };
  await noteEvents(tx, [
    { level: "info", message, userId: account.userId, accountId: account.id, marketAt: at, context },
  ]);
}

function valueOf(fill: Pick<Fill, "qty" | "price">): Money {
  return money(fill.qty).times(money(fill.price)).toDecimalPlaces(9);
}

/** Strategy and regime are those of the decision that opened the trip. */
async function wordsOf(tx: Tx, order: Order, intent: Intent | null, isOpening: boolean): Promise<TripWords> {
  const regime = isOpening && intent?.decisionId ? await regimeOf(tx, intent.decisionId) : null;
  return { opened: { strategy: intent?.strategy ?? null, regime }, reason: order.reason };
}

const REGIMES = ["risk_on", "neutral", "risk_off"] as const;

/** The regime that the decision saw, from its snapshot. */
async function regimeOf(tx: Tx, decisionId: string): Promise<TripWords["opened"]["regime"]> {
  const rows = await tx.$queryRaw<{ label: string | null }[]>`
    select s."content" -> 'regime' ->> 'label' as label
    from "DecisionRecord" d join "MarketSnapshot" s on s."id" = d."snapshotId" where d."id" = ${decisionId}::uuid`;
  return REGIMES.find((label) => label === rows[0]?.label) ?? null;
}

/** The order's own progress, where the news of the fill is ahead of the news of the order. */
async function advanceOrder(tx: Tx, order: Order, execution: BrokerExecution): Promise<void> {
  const heard = money(execution.cumulativeQty);
  if (heard.lte(money(order.filledQty))) return;
  const filledQty = order.qty === null ? heard : least(heard, money(order.qty));
  const fills = await tx.fill.findMany({ where: { orderId: order.id }, select: { qty: true, price: true } });
  const filledByFills = sum(fills.map((fill) => money(fill.qty)));
  const average = sum(fills.map(valueOf)).div(filledByFills).toDecimalPlaces(9);
  const isComplete = order.qty !== null && filledQty.eq(money(order.qty));
  const isOver = isTerminal(order.status);
  await tx.order.update({
    where: { id: order.id },
    data: {
      filledQty: text(greatest(filledQty, money(order.filledQty))),
      filledAvgPrice: text(average),
      filledValue: text(filledQty.times(average).toDecimalPlaces(9)),
      ...(isOver ? {} : { status: isComplete ? ("FILLED" as const) : ("PARTIALLY_FILLED" as const) }),
      ...(!isOver && isComplete ? { filledAt: new Date(execution.at) } : {}),
    },
  });
  if (!isOver && isComplete && order.intentId !== null && order.parentId === null)
    await tx.intent.updateMany({ where: { id: order.intentId, status: "LIVE" }, data: { status: "FILLED" } });
}
