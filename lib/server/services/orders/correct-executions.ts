import { executionId } from "@/lib/domain/ids.ts";
import { priceText } from "@/lib/domain/format.ts";
import { money, sum, text, ZERO } from "@/lib/domain/money.ts";
import { MINUTE_MS, type Instant } from "@/lib/domain/time.ts";
import type { Account, Fill, Order } from "./row-types.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Broker, BrokerExecution, BrokerOrder } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { mailAlert } from "../automation/mail-alert.ts";
import { noteEvents } from "../logs/note-event.ts";
import { valueOf } from "./book-fill.ts";
import { rebuildBook } from "./rebuild-book.ts";
import { inTransaction, lockAccount } from "./transaction.ts";

/** The feed of executions may lag behind the stream: a fill this young is not missed yet. Wall time. */
const FEED_LAG_MS = 15_000;

const idOf = ({ orderId, cumulativeQty }: BrokerExecution) => executionId(orderId, text(cumulativeQty));
const isSame = (fill: Fill, told: BrokerExecution) =>
  money(fill.qty).eq(money(told.qty)) && money(fill.price).eq(money(told.price));

/**
 * Holds our fills since `since` against the broker's list of the same time, and corrects the orders whose
 * executions changed or vanished (busted trades). `suspects` are orders that gave other reasons to look.
 * Answers how many orders were corrected.
 */
export async function correctExecutions(
  context: Context,
  account: Account,
  broker: Broker,
  { executions, since, suspects }: { executions: BrokerExecution[]; since: Instant | null; suspects: string[] },
): Promise<number> {
  const told = new Map(executions.map((execution) => [idOf(execution), execution]));
  const ours = await context.db.fill.findMany({
    where: {
      accountId: account.id,
      createdAt: { lt: new Date(context.now().getTime() - FEED_LAG_MS) },
      // What came of a corporate action stands in no list of executions.
      source: { not: "ACTIVITY" },
      ...(since === null ? {} : { at: { gt: new Date(since) } }),
    },
    include: { order: { select: { brokerOrderId: true } } },
  });
  const orders = new Set(suspects);
  for (const { order, ...fill } of ours) {
    const execution = told.get(fill.executionId);
    if (!execution || !isSame(fill, execution)) orders.add(order.brokerOrderId);
  }
  let corrected = 0;
  for (const brokerOrderId of orders) if (await correctOrder(context, account, broker, brokerOrderId)) corrected += 1;
  return corrected;
}

/**
 * Reads everything the broker knows of one order's executions. Where the order itself agrees with their sum,
 * they are the truth: ours are made the same, and the books of the symbol are made anew. Where it does not
 * agree, the list is late or torn, and nothing is changed. True when something was corrected.
 */
export async function correctOrder(
  context: Context,
  account: Account,
  broker: Broker,
  brokerOrderId: string,
): Promise<boolean> {
  const where = { accountId_brokerOrderId: { accountId: account.id, brokerOrderId } };
  const known = await context.db.order.findUnique({ where, include: { fills: { orderBy: { at: "asc" } } } });
  const [first] = known?.fills ?? [];
  if (!known || !first) return false;
  const since = new Date(Math.min(first.at.getTime(), known.submittedAt.getTime()) - MINUTE_MS).toISOString();
  const executions = (await broker.executionsSince(since)).filter(({ orderId }) => orderId === brokerOrderId);
  const reported = await broker.order(brokerOrderId);
  if (reported === null) return false;
  const filled = sum(executions.map(({ qty }) => money(qty)));
  if (!filled.eq(money(reported.filledQty))) {
    const kind = "executions";
    context.log.warn(
      { accountId: account.id, brokerOrderId, kind },
      "an order and its executions disagree: asked again",
    );
    return false;
  }
  return inTransaction(context, async (tx) => {
    await lockAccount(tx, account.id);
    const order = await tx.order.findUniqueOrThrow({ where, include: { fills: true } });
    const { fills, ...row } = order;
    const isUnchanged =
      fills.length === executions.length &&
      executions.every((told) => fills.some((fill) => fill.executionId === idOf(told) && isSame(fill, told)));
    if (isUnchanged) return false;
    await rebuildBook(context, tx, account.id, order.symbol, () => rewriteFills(tx, row, fills, executions));
    await correctProgress(tx, row, reported);
    await noteCorrection(context, tx, account, row, fills, executions);
    return true;
  });
}

async function rewriteFills(tx: Tx, order: Order, fills: Fill[], executions: BrokerExecution[]): Promise<void> {
  const told = new Map(executions.map((execution) => [idOf(execution), execution]));
  for (const fill of fills) {
    const execution = told.get(fill.executionId);
    if (!execution) await tx.fill.delete({ where: { id: fill.id } });
    else if (!isSame(fill, execution))
      await tx.fill.update({ where: { id: fill.id }, data: { qty: execution.qty, price: execution.price } });
    told.delete(fill.executionId);
  }
  const { accountId, id: orderId, symbol, side } = order;
  await tx.fill.createMany({
    data: [...told.values()].map((execution) => ({
      accountId,
      orderId,
      executionId: idOf(execution),
      symbol,
      side,
      qty: text(execution.qty),
      price: execution.price,
      source: "RECONCILE",
      at: new Date(execution.at),
    })),
  });
}

/** The one place where an order's filled quantity goes down: the broker took an execution back. */
async function correctProgress(tx: Tx, order: Order, reported: BrokerOrder): Promise<void> {
  const fills = await tx.fill.findMany({ where: { orderId: order.id } });
  const qty = sum(fills.map((fill) => money(fill.qty)));
  const value = sum(fills.map(valueOf));
  const status = reported.status;
  const endedAt = reported.endedAt ?? reported.updatedAt;
  await tx.order.update({
    where: { id: order.id },
    data: {
      status,
      brokerStatus: reported.brokerStatus,
      filledQty: text(qty),
      filledAvgPrice: qty.isZero() ? null : text(value.div(qty).toDecimalPlaces(9)),
      filledValue: text(qty.isZero() ? ZERO : value),
      filledAt: status === "FILLED" ? (order.filledAt ?? new Date(reported.filledAt ?? reported.updatedAt)) : null,
      endedAt: ["CANCELED", "EXPIRED", "REJECTED", "REPLACED"].includes(status)
        ? (order.endedAt ?? new Date(endedAt))
        : null,
      brokerUpdatedAt: new Date(reported.updatedAt),
    },
  });
}

type Decimals = { qty: { toString(): string }; price: { toString(): string } };

const plain = (rows: Decimals[], priceOf: (price: string) => string = text) =>
  rows.map(({ qty, price }) => `${text(qty.toString())} at ${priceOf(price.toString())}`);

async function noteCorrection(
  context: Context,
  tx: Tx,
  account: Account,
  { clientOrderId, symbol, side }: Order,
  fills: Fill[],
  executions: BrokerExecution[],
): Promise<void> {
  const { id: accountId, userId } = account;
  const [before, after] = [plain(fills), plain(executions)];
  const words = (rows: Decimals[]) => (rows.length === 0 ? "nothing" : plain(rows, priceText).join(", "));
  const message = `The broker corrected a ${side === "BUY" ? "purchase" : "sale"} of ${symbol}: ${words(fills)} became ${words(executions)}`;
  context.log.error({ accountId, clientOrderId, symbol, side }, "the broker corrected executions");
  const detail = { symbol, side, clientOrderId, before, after };
  await noteEvents(tx, [{ level: "warn", message, userId, accountId, marketAt: null, context: detail }]);
  // Whoever was told the figures of before is told that they are others now.
  const key = `corrected:${clientOrderId}:${after.join(",")}`;
  await mailAlert(tx, { userId }, { key, subject: "The broker corrected a trade", paragraphs: [message], accountId });
  await recordAudit(tx, {
    at: context.now(),
    eventType: "EXECUTION_CORRECTED",
    actor: context.actor,
    subjectUserId: userId,
    requestId: context.request.id,
    data: { accountId, ...detail },
  });
}
