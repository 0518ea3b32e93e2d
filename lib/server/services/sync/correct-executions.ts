import { executionId } from "@/lib/domain/ids.ts";
import { priceText } from "@/lib/domain/format.ts";
import { money, sum, text, ZERO } from "@/lib/domain/money.ts";
import { IN_FLIGHT_INTENTS, intentStatusOf } from "@/lib/domain/orders.ts";
import { splitAmended, effectiveExecutions } from "@/lib/domain/protocol/executions.ts";
import { mayBeCorrected } from "@/lib/domain/protocol/intent-states.ts";
import { MINUTE_MS, type Instant } from "@/lib/domain/time.ts";
import { sinceMs } from "@/lib/domain/wall-clock.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Account, Fill, Order } from "../../core/row-types.ts";
import type { Broker, BrokerExecution, BrokerOrder } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { haltAccount } from "../../core/halt-account.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";
import { fillValue } from "../ledger/post-fill.ts";
import { rebuildPositionBook } from "../ledger/rebuild-position-book.ts";
import { recordExecution } from "../orders/record-execution.ts";
import { recordOrder } from "../orders/record-order.ts";
import { isOfStock } from "../orders/import-execution.ts";
import { changeIntents } from "../orders/change-intents.ts";
import type { ExecutionSource } from "../orders/record-execution.ts";

/** The feed of executions may lag behind the stream: a fill this young is not missed yet. Wall time. */
const FEED_LAG_MS = 15_000;

const idOf = ({ orderId, cumulativeQty }: BrokerExecution) => executionId(orderId, text(cumulativeQty));
const isSame = (fill: Fill, execution: BrokerExecution) =>
  money(fill.qty).eq(money(execution.qty)) && money(fill.price).eq(money(execution.price));

/** Fills that the broker's list holds. The others come from a corporate action, or from taking over the broker's books. */
const LISTED_SOURCES: ExecutionSource[] = ["STREAM", "RECONCILE"];

/**
 * Holds our fills since `since` against the broker's list of the same time, and corrects the orders whose
 * executions changed or vanished (busted trades), and those that the list marks so. `suspects` are orders that gave
 * other reasons to look. Answers how many orders were corrected, and the executions that may be booked as they stand: those that
 * are booked already are not among them.
 */
export async function correctExecutions(
  context: Context,
  account: Account,
  broker: Broker,
  { executions, since, suspects }: { executions: BrokerExecution[]; since: Instant | null; suspects: string[] },
): Promise<{ corrections: number; plain: BrokerExecution[] }> {
  const { plain, amendedOrders } = splitAmended(executions);
  const reported = new Map(plain.map((execution) => [idOf(execution), execution]));
  const ours = await context.db.fill.findMany({
    where: {
      accountId: account.id,
      source: { in: LISTED_SOURCES },
      ...(since === null ? {} : { at: { gt: new Date(since) } }),
    },
  });
  const now = context.now();
  const isWrong = (fill: Fill) => {
    const execution = reported.get(fill.executionId);
    return sinceMs(fill.createdAt, now) > FEED_LAG_MS && (!execution || !isSame(fill, execution));
  };
  const wrong = ours.filter(isWrong).map(({ orderId }) => orderId);
  const wrongOrders =
    wrong.length === 0
      ? []
      : await context.db.order.findMany({ where: { id: { in: wrong } }, select: { brokerOrderId: true } });
  const orders = new Set([...suspects, ...amendedOrders, ...wrongOrders.map(({ brokerOrderId }) => brokerOrderId)]);
  let corrections = 0;
  for (const brokerOrderId of orders) if (await correctOrder(context, account, broker, brokerOrderId)) corrections += 1;
  const booked = new Set(ours.map((fill) => fill.executionId));
  // A correction may have removed a fill that the list holds again under its name: those are booked again where they are missing.
  return { corrections, plain: corrections > 0 ? plain : plain.filter((execution) => !booked.has(idOf(execution))) };
}

/**
 * Looks again at symbols whose positions differ: executions since their last round trip was opened, however old,
 * for a correction of which the stream was missed.
 */
export async function correctSymbols(
  context: Context,
  account: Account,
  broker: Broker,
  symbols: string[],
): Promise<number> {
  const trips = await context.db.roundTrip.groupBy({
    by: ["symbol"],
    where: { accountId: account.id, symbol: { in: symbols } },
    _max: { openedAt: true },
  });
  const opened = trips.flatMap(({ _max }) => (_max.openedAt === null ? [] : [_max.openedAt.getTime()]));
  if (opened.length === 0) return 0;
  const since = new Date(Math.min(...opened) - MINUTE_MS).toISOString();
  const executions = (await broker.executionsSince(since)).filter(isOfStock);
  return (await correctExecutions(context, account, broker, { executions, since, suspects: [] })).corrections;
}

/**
 * Reads everything the broker knows of one order's executions. Where the order itself agrees with those that
 * stand, they are the truth: ours are made the same, and the books of the symbol are made anew. Where it does not
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
  const submittedAt = known?.submittedAt.toISOString() ?? (await broker.order(brokerOrderId))?.submittedAt;
  if (submittedAt === undefined) return false;
  const firstAt = Math.min(Date.parse(submittedAt), known?.fills[0]?.at.getTime() ?? Infinity);
  const since = new Date(firstAt - MINUTE_MS).toISOString();
  const listed = (await broker.executionsSince(since)).filter(({ orderId }) => orderId === brokerOrderId);
  const reported = await broker.order(brokerOrderId);
  if (reported === null) return false;
  const executions = effectiveExecutions(listed, reported.filledQty);
  if (executions === null) {
    context.log.warn("executions.mismatched", { accountId: account.id, brokerOrderId });
    return false;
  }
  return inTransaction(context, async (tx) => {
    const locked = await lockAccount(tx, account.id);
    if (!known) await recordOrder(context, tx, locked, reported);
    const order = await tx.order.findUniqueOrThrow({ where, include: { fills: true } });
    const { fills, ...row } = order;
    const isKnown = (execution: BrokerExecution) =>
      fills.some((fill) => fill.executionId === idOf(execution) && isSame(fill, execution));
    const fresh = executions.filter((execution) => !isKnown(execution));
    // Nothing that was booked is wrong: what is new is a fill like any other.
    if (fills.length === executions.length - fresh.length) {
      for (const execution of fresh) await recordExecution(context, tx, locked, execution, "RECONCILE");
      return false;
    }
    // Since a change of the symbol the book is under the new one, and so are the fills.
    const symbol = fills[0]?.symbol ?? order.symbol;
    const rewrite = () => rewriteFills(tx, { ...row, symbol }, fills, executions);
    await rebuildPositionBook(context, tx, account.id, symbol, rewrite);
    await correctProgress(context, tx, row, reported);
    await recordCorrection(context, tx, account, row, fills, executions);
    return true;
  });
}

async function rewriteFills(tx: Tx, order: Order, fills: Fill[], executions: BrokerExecution[]): Promise<void> {
  const unmatched = new Map(executions.map((execution) => [idOf(execution), execution]));
  for (const fill of fills) {
    const execution = unmatched.get(fill.executionId);
    if (!execution) await tx.fill.delete({ where: { id: fill.id } });
    else if (!isSame(fill, execution))
      await tx.fill.update({ where: { id: fill.id }, data: { qty: execution.qty, price: execution.price } });
    unmatched.delete(fill.executionId);
  }
  const { accountId, id: orderId, symbol, side } = order;
  await tx.fill.createMany({
    data: [...unmatched.values()].map((execution) => ({
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
async function correctProgress(context: Context, tx: Tx, order: Order, reported: BrokerOrder): Promise<void> {
  const fills = await tx.fill.findMany({ where: { orderId: order.id } });
  const qty = sum(fills.map((fill) => money(fill.qty)));
  const value = sum(fills.map(fillValue));
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
  await correctIntent(context, tx, order, status);
}

/** The decision follows its order out of FILLED, unless another order of the symbol and side is open by now. */
async function correctIntent(
  context: Context,
  tx: Tx,
  { accountId, symbol, side, intentId, parentId, clientOrderId }: Order,
  status: BrokerOrder["status"],
): Promise<void> {
  if (intentId === null || parentId !== null) return;
  const to = intentStatusOf(status);
  if (!mayBeCorrected("FILLED", to)) return;
  const rival =
    to === "LIVE" &&
    (await tx.intent.findFirst({
      where: { accountId, symbol, side, id: { not: intentId }, status: { in: [...IN_FLIGHT_INTENTS] } },
    }));
  if (rival) {
    const both = `${clientOrderId} and ${rival.clientOrderId}`;
    const why =
      rival.status === "LIVE"
        ? `two live orders to ${side} ${symbol}: ${both}`
        : `an order to ${side} ${symbol} is open again while another one is ${rival.status.toLowerCase()}: ${both}`;
    await haltAccount(context, tx, accountId, why);
    return;
  }
  await changeIntents(tx, { id: intentId, clientOrderId }, { from: ["FILLED"], to, isCorrection: true });
}

type Decimals = { qty: { toString(): string }; price: { toString(): string } };

const plain = (rows: Decimals[], priceOf: (price: string) => string = text) =>
  rows.map(({ qty, price }) => `${text(qty.toString())} at ${priceOf(price.toString())}`);

async function recordCorrection(
  context: Context,
  tx: Tx,
  account: Account,
  { clientOrderId, symbol, side }: Order,
  fills: Fill[],
  executions: BrokerExecution[],
): Promise<void> {
  const { id: accountId, userId } = account;
  const [before, after] = [plain(fills), plain(executions)];
  const listText = (rows: Decimals[]) => (rows.length === 0 ? "nothing" : plain(rows, priceText).join(", "));
  const message = `The broker corrected a ${side === "BUY" ? "purchase" : "sale"} of ${symbol}: ${listText(fills)} became ${listText(executions)}`;
  context.log.error("executions.corrected", { accountId, clientOrderId, symbol, side });
  const detail = { symbol, side, clientOrderId, before, after };
  // Users who were notified of the earlier figures are notified of the correction.
  const key = `corrected:${clientOrderId}:${after.join(",")}`;
  await recordEvent(context, tx, {
    level: "warn",
    message,
    userId,
    accountId,
    detail,
    alerts: [{ to: { userId }, key, subject: "The broker corrected a trade" }],
    audit: { eventType: "EXECUTION_CORRECTED", data: { accountId, ...detail } },
  });
}
