import { newYork, addDays, type Instant } from "@/lib/domain/time.ts";
import { money } from "@/lib/domain/money.ts";
import { isRecorded } from "@/lib/domain/protocol/recorded-order.ts";
import type { Account, Order } from "../../core/row-types.ts";
import type { Broker, BrokerAccount, BrokerOrder } from "../../broker/broker.ts";
import { moneyOf } from "../../broker/other-assets.ts";
import type { Context } from "../../context.ts";
import { crashPoint } from "../../crash-point.ts";
import { recordOrder } from "../orders/record-order.ts";
import { readKnownOrders } from "../orders/known-orders.ts";
import { postActivities } from "./post-activities.ts";
import { beforeWatermark, isOfStock } from "../orders/import-execution.ts";
import { comparePositions, lastingDifferences, type PositionDifference } from "./compare-positions.ts";
import { correctExecutions } from "./correct-executions.ts";
import { resumeAcceptedKeys, isRefusal, haltForRefusedKeys, refuseOtherAccount } from "./key-halts.ts";
import { postBalances } from "../ledger/post-balances.ts";
import { notifyOtherAssets } from "./notify-other-assets.ts";
import { haltAccount } from "../../core/halt-account.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";

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
  /** Orders whose executions the broker changed or took back. */
  corrections: number;
  flows: number;
  splits: number;
  /** Working orders of ours that the broker does not know. */
  missingOrders: string[];
  differences: PositionDifference[];
  balances: BrokerAccount;
  haltReason: string | null;
}

interface ReconcileOptions {
  /** Reads at least from here on, though the watermarks are later. */
  from?: Instant | null;
  /** The row, where the caller has just read it. */
  account?: Account;
}

/**
 * Reads the broker's facts and takes them over: orders, executions, money and splits since the
 * watermarks (or since `from`, when that is earlier), then positions and balances. Idempotent; safe beside
 * the trade updates and beside itself. Where positions still differ nothing is mended: the account halts
 * with both quantities named. Keys that the broker refuses stop the account, visibly.
 */
export async function reconcileAccount(
  context: Context,
  accountId: string,
  { from = null, account }: ReconcileOptions = {},
): Promise<ReconcileReport> {
  try {
    const known = account ?? (await context.db.account.findUniqueOrThrow({ where: { id: accountId } }));
    return await reconcile(context, known, from);
  } catch (error) {
    if (isRefusal(error)) await haltForRefusedKeys(context, accountId);
    throw error;
  }
}

async function reconcile(context: Context, account: Account, from: Instant | null): Promise<ReconcileReport> {
  const accountId = account.id;
  const broker = context.brokers.forAccount(account);
  await refuseOtherAccount(context, account, broker);
  const { now } = await broker.clock();
  const ordersSince = earlier(beforeWatermark(account.orderWatermark), from);
  const { changed, missingOrders, isLongMissing, shrunk } = await importOrders(context, account, broker, ordersSince);
  crashPoint("after-sync");
  const since = earlier(beforeWatermark(account.activityWatermark), from);
  const [listed, activities] = await Promise.all([
    broker.executionsSince(since),
    broker.activitiesSince(since === null ? null : addDays(newYork(since).date, -ACTIVITY_OVERLAP_DAYS)),
  ]);
  // Before anything is added: an execution whose quantity was corrected is reported again under another id.
  const executions = listed.filter(isOfStock);
  const others = listed.filter((execution) => !isOfStock(execution)).map(moneyOf);
  const { corrections, plain } = await correctExecutions(context, account, broker, {
    executions,
    since,
    suspects: shrunk,
  });
  const booked = await postActivities(context, account, broker, plain, [...activities, ...others]);
  // A split changes what is open at the broker.
  if (booked.splits > 0) await importOrders(context, account, broker, ordersSince);
  const { positions, differences, lateExecutions, lateCorrections } = await comparePositions(context, account, broker);
  const balances = await broker.account();
  const isBehind = new Set(differences.map(({ symbol }) => symbol));
  const otherAssets = broker.otherAssets?.() ?? { orders: [], positions: [] };
  await postBalances(context, account, balances, positions, now, { isBehind, otherAssets });
  await notifyOtherAssets(context, account, otherAssets, others.length);
  const lasting = await lastingDifferences(context, accountId, differences);
  crashPoint("before-watermark");
  const { haltReason } = await inTransaction(context, async (tx) => {
    const locked = await lockAccount(tx, accountId);
    await resumeAcceptedKeys(context, tx, locked);
    if (lasting.length > 0) {
      const parts = lasting.map(({ symbol, ours, theirs }) => `${symbol} ${ours} here, ${theirs} at the broker`);
      await haltAccount(context, tx, accountId, `Positions differ: ${parts.join("; ")}`);
    }
    if (isLongMissing)
      await haltAccount(context, tx, accountId, `The broker does not know our orders: ${missingOrders.join(", ")}`);
    if (balances.isBlocked) await haltAccount(context, tx, accountId, "The broker blocked trading for this account.");
    if (balances.status !== "ACTIVE")
      await haltAccount(context, tx, accountId, `The broker says that the account is ${balances.status}.`);
    const [at, readAt] = [new Date(now), context.now()];
    return tx.account.update({
      where: { id: accountId },
      data: { orderWatermark: at, activityWatermark: at, reconciledAt: readAt, readWholeAt: readAt },
    });
  });
  return {
    accountId,
    at: now,
    orders: changed,
    executions: booked.executions + lateExecutions,
    corrections: corrections + lateCorrections,
    flows: booked.flows,
    splits: booked.splits,
    missingOrders,
    differences,
    balances,
    haltReason,
  };
}

/** Null stands for the beginning of time. */
function earlier(since: Instant | null, from: Instant | null): Instant | null {
  return since === null || from === null || since < from ? since : from;
}

/** Orders since then and every order that we believe to be working, asked one by one where the list lacks it. */
async function importOrders(context: Context, account: Account, broker: Broker, since: Instant | null) {
  const listed = new Map(
    [...(await broker.ordersSince(since)), ...(await broker.openOrders())].map((order) => [order.id, order]),
  );
  const { known, working, intents } = await readKnownOrders(context.db, [account.id], [...listed.values()]);
  const seen = new Set<string>();
  /** Orders of which less is filled than before: the broker took an execution back. */
  const shrunk: string[] = [];
  let changed = 0;
  const apply = async (reported: BrokerOrder) => {
    for (const { id } of [reported, ...reported.legs]) seen.add(id);
    const row = known.get(reported.id);
    // Most reports say nothing new. One that is overtaken by another process meanwhile is older, and changes nothing either.
    const isKnown = isRecorded(
      reported,
      (id) => known.get(id),
      (id) => intents.get(id),
    );
    const applied =
      row !== undefined && isKnown
        ? { order: row, isChanged: false }
        : await inTransaction(context, async (tx) =>
            recordOrder(context, tx, await lockAccount(tx, account.id), reported),
          );
    if (applied.isChanged) changed += 1;
    const { filledQty, brokerUpdatedAt } = applied.order;
    const isLatest = brokerUpdatedAt.getTime() <= Date.parse(reported.updatedAt);
    if (isLatest && money(reported.filledQty).lt(money(filledQty))) shrunk.push(reported.id);
  };
  for (const reported of listed.values()) await apply(reported);
  const missingOrders: string[] = [];
  for (const order of working) {
    if (seen.has(order.brokerOrderId)) continue;
    // One question about a group answers for all of its legs.
    const parent =
      order.parentId === null ? null : await context.db.order.findUnique({ where: { id: order.parentId } });
    const group = parent ? await broker.order(parent.brokerOrderId) : null;
    if (group) await apply(group);
    if (seen.has(order.brokerOrderId)) continue;
    const reported = await broker.order(order.brokerOrderId);
    if (reported) await apply(reported);
    else missingOrders.push(order.clientOrderId);
  }
  if (missingOrders.length > 0) context.log.warn("orders.missing", { accountId: account.id, missingOrders });
  const isLongMissing = await markMissing(context, working, new Set(missingOrders));
  return { changed, missingOrders, isLongMissing, shrunk };
}

/**
 * Writes down since when each working order has been missing: a single list or answer may leave one out. Answers whether one of them has
 * been missing in every reading for too long.
 */
async function markMissing({ db, now }: Context, working: Order[], missing: ReadonlySet<string>): Promise<boolean> {
  const at = now();
  const mark = async (orders: Order[], missingSince: Date | null) => {
    if (orders.length === 0) return;
    await db.order.updateMany({ where: { id: { in: orders.map(({ id }) => id) } }, data: { missingSince } });
  };
  const isMissing = (order: Order) => missing.has(order.clientOrderId);
  await mark(
    working.filter((order) => order.missingSince !== null && !isMissing(order)),
    null,
  );
  await mark(
    working.filter((order) => order.missingSince === null && isMissing(order)),
    at,
  );
  return working.some(
    (order) => isMissing(order) && at.getTime() - (order.missingSince ?? at).getTime() >= MISSING_ORDER_MS,
  );
}
