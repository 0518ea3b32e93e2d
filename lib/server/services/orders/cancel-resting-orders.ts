import { setTimeout as delay } from "node:timers/promises";
import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { releaseStep } from "@/lib/domain/protocol/report.ts";
import { least, money, sum, text, ZERO, type DecimalText, type Money } from "@/lib/domain/money.ts";
import type { Account, Order } from "../../core/row-types.ts";
import type { Broker, BrokerOrder } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { crashPoint } from "../../crash-point.ts";
import { importExecution, fetchExecutionsSince } from "./import-execution.ts";
import { recordOrder } from "./record-order.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";

const CANCEL_TIMEOUT_MS = 10_000;
const POLL_MS = 100;

/** Shares of a symbol at the broker: `free` of those `held` are bound by no order, and may be sold now. */
export async function fetchSellable(broker: Broker, symbol: string): Promise<{ held: Money; free: Money }> {
  const position = (await broker.positions()).find((held) => held.symbol === symbol);
  return position ? { held: money(position.qty), free: money(position.qtyAvailable) } : { held: ZERO, free: ZERO };
}

interface Owed {
  reason: string;
  planId: string | null;
  /** The level of the stop that takes the place of those cancelled, where it is higher. USD per share. */
  raisedTo?: DecimalText | null;
}

/**
 * Before a sale: cancels our own resting orders of the symbol (stop and target legs hold the shares), waits
 * until each is final, books what filled meanwhile, and answers what is left to sell, and how many orders had
 * bound it. Null when an order did not become final in time: nothing may be sold then.
 */
export async function cancelRestingOrders(
  context: Context,
  account: Account,
  broker: Broker,
  symbol: string,
  owed: Owed,
  timeoutMs = CANCEL_TIMEOUT_MS,
): Promise<{ held: Money; free: Money; cancelled: number } | null> {
  const resting = await context.db.order.findMany({
    where: { accountId: account.id, symbol, origin: "OURS", status: { in: [...WORKING_STATUSES] } },
    orderBy: { submittedAt: "asc" },
  });
  await recordOwedStops(context, account.id, symbol, owed, resting);
  const giveUpAt = performance.now() + timeoutMs;
  for (const { brokerOrderId } of resting) {
    const outcome = await broker.cancel(brokerOrderId);
    crashPoint("after-release-cancel");
    if (outcome.kind === "failed") context.log.warn("cancel.failed", { accountId: account.id, symbol, outcome });
  }
  for (const { brokerOrderId } of resting) {
    const final = await waitUntilFinal(broker, brokerOrderId, giveUpAt);
    if (final === null) return null;
    await inTransaction(context, async (tx) => recordOrder(context, tx, await lockAccount(tx, account.id), final));
    crashPoint("after-release");
  }
  const ids = new Set(resting.map((order) => order.brokerOrderId));
  if (ids.size > 0) {
    for (const execution of await fetchExecutionsSince(broker, account.activityWatermark))
      if (ids.has(execution.orderId)) await importExecution(context, account, broker, execution, "RECONCILE");
  }
  return { ...(await fetchSellable(broker, symbol)), cancelled: resting.length };
}

/** Committed before the first cancel: a process that finds the shares without their stop reads here which stop is owed. */
async function recordOwedStops(
  context: Context,
  accountId: string,
  symbol: string,
  { reason, planId, raisedTo = null }: Owed,
  resting: Order[],
): Promise<void> {
  const stops = resting.filter(({ side, role }) => side === "SELL" && role === "STOP");
  if (stops.length === 0) return;
  await inTransaction(context, async (tx) => {
    await lockAccount(tx, accountId);
    const qty = text(sum(stops.map((stop) => money(stop.qty ?? 0).minus(money(stop.filledQty)))));
    if (money(qty).lte(0)) return;
    const lowest = stops.flatMap(({ stopPrice }) => (stopPrice === null ? [] : [money(stopPrice)]));
    const stopPrice = lowest.length === 0 ? null : text(least(lowest[0]!, ...lowest.slice(1)));
    const data = { accountId, symbol, qty, stopPrice, reason, planId };
    await tx.owedStop.createMany({ data: [data], skipDuplicates: true });
    if (raisedTo === null) return;
    const isLower = { OR: [{ stopPrice: null }, { stopPrice: { lt: raisedTo } }] };
    await tx.position.updateMany({ where: { accountId, symbol, ...isLower }, data: { stopPrice: raisedTo } });
  });
}

async function waitUntilFinal(broker: Broker, orderId: string, giveUpAt: number): Promise<BrokerOrder | null> {
  for (;;) {
    const order = await broker.order(orderId);
    const step = releaseStep(order?.status ?? null, performance.now() >= giveUpAt);
    if (step === "give_up") return null;
    if (step === "released") return order;
    await delay(POLL_MS);
  }
}
