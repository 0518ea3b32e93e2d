import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "@/lib/domain/failures.ts";
import { isTerminal } from "@/lib/domain/orders.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import { CLOSED_UNKNOWN } from "@/lib/domain/protocol/recorded-order.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Broker } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { reasonNeeded } from "../../core/account-for-operator.ts";
import { changeIntents } from "../orders/change-intents.ts";
import { positionDifferences } from "./compare-positions.ts";
import { reconcileAccount } from "./reconcile-account.ts";
import type { Account, Order } from "../../core/row-types.ts";
import { accountForAdministrator, asOnlyWriter } from "./adopt-broker-books.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";

/** A broker may be late with an order: a younger one is not missing yet. Wall time. */
const YOUNGEST_MS = 10 * MINUTE_MS;
const READINGS = 2;
const BETWEEN_READINGS_MS = 5_000;

export interface ClosedOrder {
  /** The order and its working legs, by client order id. */
  closed: string[];
}

/**
 * Closes an order that works by our records and that the broker does not know: neither on its list, nor by either of
 * its ids, in two readings, while positions agree. It counts as cancelled with what it had filled. Should the
 * broker report it again, the report counts.
 */
export async function closeUnknownOrder(
  context: Context,
  { accountId, clientOrderId, reason }: { accountId: string; clientOrderId: string; reason: string },
  { betweenReadingsMs = BETWEEN_READINGS_MS }: { betweenReadingsMs?: number } = {},
): Promise<ClosedOrder> {
  const why = reasonNeeded(reason);
  const account = await accountForAdministrator(context, accountId);
  return asOnlyWriter(context, account, async (broker) => {
    await reconcileAccount(context, accountId);
    const orders = await workingGroup(context, accountId, clientOrderId);
    for (let reading = 1; reading <= READINGS; reading += 1) {
      if (reading > 1) await delay(betweenReadingsMs);
      await refuseKnown(context, account, broker, orders);
    }
    const { now } = await broker.clock();
    const closed = await inTransaction(context, async (tx) => {
      await lockAccount(tx, accountId);
      const closing: Order[] = [];
      for (const order of orders) if (await close(tx, order, new Date(now))) closing.push(order);
      await recordClosures(context, tx, account, closing, why);
      return closing;
    });
    const closedIds = closed.map((order) => order.clientOrderId);
    context.log.warn("unknown-order.closed", { accountId, clientOrderId, reason: why, count: closedIds.length });
    await reconcileAccount(context, accountId);
    return { closed: closedIds };
  });
}

/** The order and those of its legs that still work. */
async function workingGroup({ db, now }: Context, accountId: string, clientOrderId: string): Promise<Order[]> {
  const found = await db.order.findFirst({ where: { accountId, clientOrderId }, include: { legs: true } });
  if (!found) throw new Failure("not_found", "Order not found.");
  const { legs, ...order } = found;
  if (isTerminal(order.status))
    throw new Failure("conflict", `The order is ${order.status.toLowerCase()} already: there is nothing to close.`);
  if (now().getTime() - order.createdAt.getTime() < YOUNGEST_MS)
    throw new Failure("conflict", "The order is younger than ten minutes: the broker may be late with it.");
  return [order, ...legs.filter((leg) => !isTerminal(leg.status))];
}

/** Throws where the broker knows one of them after all, or where positions speak for a fill that we do not know. */
async function refuseKnown(context: Context, account: Account, broker: Broker, orders: Order[]): Promise<void> {
  const firstMs = Math.min(...orders.map(({ submittedAt }) => submittedAt.getTime()));
  const listed = [
    ...(await broker.ordersSince(new Date(firstMs - MINUTE_MS).toISOString())),
    ...(await broker.openOrders()),
  ].flatMap((order) => [order, ...order.legs]);
  for (const { brokerOrderId, clientOrderId } of orders) {
    const found =
      listed.find((order) => order.id === brokerOrderId || order.clientOrderId === clientOrderId) ??
      (await broker.order(brokerOrderId)) ??
      (await broker.orderByClientId(clientOrderId));
    if (found)
      throw new Failure("conflict", `The broker knows the order ${clientOrderId}: it is ${found.brokerStatus} there.`);
  }
  const differences = await positionDifferences(context, account.id, await broker.positions());
  if (differences.length > 0) {
    const parts = differences.map(({ symbol, ours, theirs }) => `${symbol} ${ours} here, ${theirs} at the broker`);
    throw new Failure("conflict", `Positions differ, the order may have filled: ${parts.join("; ")}`);
  }
}

/** False where its report arrived meanwhile. */
async function close(tx: Tx, { id, intentId, parentId }: Order, at: Date): Promise<boolean> {
  const order = await tx.order.findUniqueOrThrow({ where: { id } });
  if (isTerminal(order.status)) return false;
  // `brokerUpdatedAt` stays: any report of the broker is newer than this change of ours.
  const data = { status: "CANCELED", brokerStatus: CLOSED_UNKNOWN, endedAt: at } as const;
  await tx.order.update({ where: { id }, data });
  if (intentId !== null && parentId === null)
    await changeIntents(tx, { id: intentId }, { from: ["LIVE", "PARKED"], to: "CANCELED", data: { nextAskAt: null } });
  return true;
}

async function recordClosures(context: Context, tx: Tx, account: Account, orders: Order[], why: string): Promise<void> {
  const { id: accountId, userId } = account;
  for (const { clientOrderId, brokerOrderId, symbol, side, qty, filledQty } of orders) {
    const message = `The order to ${side} ${symbol} (${clientOrderId}) is closed: the broker does not know it. Reason: ${why}`;
    const figures = { qty: qty?.toString() ?? null, filledQty: filledQty.toString() };
    await recordEvent(context, tx, {
      level: "warn",
      message,
      userId,
      accountId,
      audit: {
        eventType: "ORDER_CLOSED_UNKNOWN",
        data: { accountId, clientOrderId, brokerOrderId, symbol, side, ...figures },
        personal: { reason: why },
      },
    });
  }
}
