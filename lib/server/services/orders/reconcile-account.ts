import { newYork, newYorkInstant, addDays, type Instant } from "@/lib/domain/time.ts";
import { money } from "@/lib/domain/money.ts";
import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import type { Account } from "./row-types.ts";
import type { Broker, BrokerActivity, BrokerExecution, BrokerOrder } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { applyOrder } from "./apply-order.ts";
import { applySplit } from "./apply-split.ts";
import { bookActivity } from "./book-activity.ts";
import { beforeWatermark, bookExecution, executionsSince } from "./book-execution.ts";
import { comparePositions, type PositionDifference } from "./compare-positions.ts";
import { protectedQuantity } from "./protected-quantity.ts";
import { recordFigures } from "./record-figures.ts";
import { haltAccount, inTransaction, lockAccount } from "./transaction.ts";

/** Dividends and fees may be dated days before they are listed. */
const ACTIVITY_OVERLAP_DAYS = 7;
/** A working order that the broker has not named for this long is not a late answer. Wall time. */
const MISSING_ORDER_MS = 10 * 60_000;

export interface ReconcileReport {
  accountId: string;
  /** Market time of the reading. */
  at: Instant;
  orders: number;
  executions: number;
  flows: number;
  splits: number;
  /** Working orders of ours that the broker does not know. */
  missingOrders: string[];
  differences: PositionDifference[];
  /** Held quantities that no live stop covers. */
  unprotected: { symbol: string; qty: string; protectedQty: string }[];
  haltReason: string | null;
}

/**
 * Reads the broker's facts and takes them over: orders, executions, money and splits since the
 * watermarks, then positions and balances. Idempotent; safe beside the trade updates and beside itself.
 * Where positions still differ nothing is mended: the account halts with both quantities named.
 */
export async function reconcileAccount(context: Context, accountId: string): Promise<ReconcileReport> {
  const account = await context.db.account.findUniqueOrThrow({ where: { id: accountId } });
  const broker = context.brokers.forAccount(account);
  const { now } = await broker.clock();
  const { changed, missingOrders } = await syncOrders(context, account, broker);
  const since = account.activityWatermark;
  const [executions, activities] = await Promise.all([
    executionsSince(broker, since),
    broker.activitiesSince(since === null ? null : addDays(newYork(since).date, -ACTIVITY_OVERLAP_DAYS)),
  ]);
  const booked = await bookInOrder(context, account, broker, executions, activities);
  // A split changes what is open at the broker.
  if (booked.splits > 0) await syncOrders(context, account, broker);
  const { positions, differences, lateExecutions } = await comparePositions(context, account, broker);
  await recordFigures(context, account, await broker.account(), positions, now);
  const isMissing = await hasLongMissing(context, missingOrders);
  await inTransaction(context, async (tx) => {
    await lockAccount(tx, accountId);
    const at = new Date(now);
    await tx.account.update({
      where: { id: accountId },
      data: { orderWatermark: at, activityWatermark: at, reconciledAt: context.now() },
    });
    if (differences.length > 0) {
      const words = differences.map(({ symbol, ours, theirs }) => `${symbol} ${ours} here, ${theirs} at the broker`);
      await haltAccount(context, tx, accountId, `Positions differ: ${words.join("; ")}`);
    }
    if (isMissing)
      await haltAccount(context, tx, accountId, `The broker does not know our orders: ${missingOrders.join(", ")}`);
  });
  const covered = await protectedQuantity(context.db, accountId);
  const { haltReason } = await context.db.account.findUniqueOrThrow({ where: { id: accountId } });
  return {
    accountId,
    at: now,
    orders: changed,
    executions: booked.executions + lateExecutions,
    flows: booked.flows,
    splits: booked.splits,
    missingOrders,
    differences,
    unprotected: positions
      .filter(({ symbol, qty }) => money(qty).gt(covered.get(symbol) ?? 0))
      .map(({ symbol, qty }) => ({ symbol, qty, protectedQty: covered.get(symbol)?.toFixed() ?? "0" })),
    haltReason,
  };
}

/** Orders since the watermark and every order that we believe to be working, asked one by one where the list lacks it. */
async function syncOrders(context: Context, account: Account, broker: Broker) {
  const listed = [
    ...(await broker.ordersSince(beforeWatermark(account.orderWatermark))),
    ...(await broker.openOrders()),
  ];
  const seen = new Set<string>();
  let changed = 0;
  const apply = async (reported: BrokerOrder) => {
    for (const { id } of [reported, ...reported.legs]) seen.add(id);
    const applied = await inTransaction(context, async (tx) =>
      applyOrder(context, tx, await lockAccount(tx, account.id), reported),
    );
    if (applied.isChanged) changed += 1;
  };
  for (const reported of listed.filter(({ id }, index) => listed.findIndex((other) => other.id === id) === index))
    await apply(reported);
  const working = await context.db.order.findMany({
    where: { accountId: account.id, status: { in: [...WORKING_STATUSES] } },
    // Parents first: their answer carries the legs.
    orderBy: [{ parentId: { sort: "desc", nulls: "first" } }, { submittedAt: "asc" }],
  });
  const missingOrders: string[] = [];
  for (const order of working) {
    if (seen.has(order.brokerOrderId)) continue;
    const reported = await broker.order(order.brokerOrderId);
    if (reported) await apply(reported);
    else missingOrders.push(order.clientOrderId);
  }
  if (missingOrders.length > 0)
    context.log.warn({ accountId: account.id, missingOrders }, "the broker does not know working orders");
  return { changed, missingOrders };
}

async function hasLongMissing({ db, now }: Context, clientOrderIds: string[]): Promise<boolean> {
  if (clientOrderIds.length === 0) return false;
  const before = new Date(now().getTime() - MISSING_ORDER_MS);
  return (await db.order.count({ where: { clientOrderId: { in: clientOrderIds }, createdAt: { lt: before } } })) > 0;
}

/** Executions and splits in market order, a split before the first execution of its date; money in any order. */
async function bookInOrder(
  context: Context,
  account: Account,
  broker: Broker,
  executions: BrokerExecution[],
  activities: BrokerActivity[],
) {
  const counts = { executions: 0, flows: 0, splits: 0 };
  const splits = new Map<string, BrokerActivity[]>();
  for (const activity of activities) {
    if (await bookActivity(context, account, activity)) counts.flows += 1;
    if (activity.qty === null || activity.symbol === null) continue;
    const key = `${activity.date} ${activity.symbol}`;
    splits.set(key, [...(splits.get(key) ?? []), activity]);
  }
  const steps = [
    ...[...splits.values()].flatMap((legs) =>
      legs[0] ? [{ at: Date.parse(newYorkInstant(legs[0].date, 0, 0)), split: legs, execution: null }] : [],
    ),
    ...executions.map((execution) => ({ at: Date.parse(execution.at), split: null, execution })),
  ].sort((a, b) => a.at - b.at);
  for (const { split, execution } of steps) {
    if (split && (await applySplit(context, account, split))) counts.splits += 1;
    if (execution && (await bookExecution(context, account, broker, execution, "RECONCILE"))) counts.executions += 1;
  }
  return counts;
}
