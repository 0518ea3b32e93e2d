import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "@/lib/domain/failures.ts";
import { identityMismatch, isTerminal } from "@/lib/domain/orders.ts";
import { canStillTurnUp } from "@/lib/domain/protocol/lookup.ts";
import { closeParked } from "@/lib/domain/protocol/parked.ts";
import { RESOLVED_BY_PERSON } from "../orders/unsent.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Broker, BrokerOrder } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { inAccountQueue } from "../../core/account-queue.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import { recordOrder } from "../orders/record-order.ts";
import { changeIntents } from "../orders/change-intents.ts";
import { isSessionOver, lookUpOrder, waitedMs } from "../orders/look-up-order.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { recordOutcome } from "../orders/record-outcome.ts";
import { activePolicy } from "../../core/active-policy.ts";
import type { Intent } from "../../core/row-types.ts";
import { reasonNeeded, accountForOperator } from "../../core/account-for-operator.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";

const WRITER_WAIT_MS = 20_000;
const CANCEL_TIMEOUT_MS = 10_000;
const POLL_MS = 100;

/** adopt: what the broker has counts as it stands. give_up: it is cancelled where it still works, and the leg is closed. */
export type Resolution = "adopt" | "give_up";

export interface Resolved {
  clientOrderId: string;
  status: Intent["status"];
  /** The broker's order: ours, a foreign one with our id, or none. */
  order: "ours" | "external" | "none";
}

/**
 * A person says what becomes of a parked order. An order at the broker that is the one we decided is taken
 * over as ours; one that differs from it stays as an external order, and our decision is closed. Where the
 * broker knows none, giving up is the only way, once the order can no longer turn up.
 */
export async function resolveParked(
  context: Context,
  { clientOrderId, resolution, reason }: { clientOrderId: string; resolution: Resolution; reason: string },
): Promise<Resolved> {
  const why = reasonNeeded(reason);
  const intent = await context.db.intent.findUnique({ where: { clientOrderId } });
  if (!intent) throw new Failure("not_found", "Order not found.");
  const account = await accountForOperator(context, intent.accountId);
  if (intent.status !== "PARKED")
    throw new Failure("conflict", `The order is not parked: it is ${intent.status.toLowerCase()}.`);
  const broker = context.brokers.forAccount(account);
  const work = () => resolve(context, broker, intent, { resolution, why, userId: account.userId });
  const resolved = await withAccountWriter(context, account.id, work, { waitMs: WRITER_WAIT_MS });
  if (resolved === null) throw new Failure("unavailable", "The account is busy. Try again in a moment.");
  const { status, order } = resolved;
  context.log.warn("parked-order.resolved", {
    accountId: account.id,
    clientOrderId,
    kind: order,
    status,
    reason: why,
  });
  return resolved;
}

interface Verdict {
  resolution: Resolution;
  why: string;
  userId: string;
}

async function resolve(context: Context, broker: Broker, intent: Intent, verdict: Verdict): Promise<Resolved> {
  const found = await lookUpOrder(broker, intent);
  if (found === null) {
    if (verdict.resolution === "adopt")
      throw new Failure("conflict", "The broker does not know the order: there is nothing to adopt.");
    const closing = closeParked({
      status: intent.status,
      order: null,
      canStillTurnUp: await canTurnUp(context, broker, intent),
      wasSwept: true,
    });
    if ("refusal" in closing) throw new Failure("conflict", `This cannot be closed yet: ${closing.refusal}.`);
    return close(context, intent, verdict, { status: closing.status, order: "none" });
  }
  const final = verdict.resolution === "give_up" ? await end(broker, found) : found;
  const decided = { ...intent, qty: intent.qty.toString() };
  if (identityMismatch(decided, final) === null) {
    await inAccountQueue(intent.accountId, () => recordOutcome(context, intent, { kind: "found", order: final }));
    await reconcileAccount(context, intent.accountId);
    const { status } = await context.db.intent.findUniqueOrThrow({ where: { id: intent.id } });
    if (status === "PARKED")
      throw new Failure("conflict", "Another order for this symbol and side is still open. Abandon one of them.");
    return close(context, intent, verdict, { status, order: "ours" });
  }
  await inTransaction(context, async (tx) => recordOrder(context, tx, await lockAccount(tx, intent.accountId), final));
  await reconcileAccount(context, intent.accountId);
  return close(context, intent, verdict, { status: "CANCELED", order: "external" });
}

/** The same rule by which resolve-unknown-orders.ts expires such an order. */
async function canTurnUp(context: Context, broker: Broker, intent: Intent): Promise<boolean> {
  const isOver = await isSessionOver(broker, intent);
  const { orders_execution } = await activePolicy(context);
  return canStillTurnUp(isOver, waitedMs(context, intent), orders_execution.settle_window_seconds * 1000);
}

/** Cancels the order and waits until the broker will no longer change it. */
async function end(broker: Broker, found: BrokerOrder): Promise<BrokerOrder> {
  if (isTerminal(found.status)) return found;
  await broker.cancel(found.id);
  const giveUpAt = performance.now() + CANCEL_TIMEOUT_MS;
  for (;;) {
    const order = await broker.order(found.id);
    if (order !== null && isTerminal(order.status)) return order;
    if (performance.now() >= giveUpAt)
      throw new Failure("broker_unavailable", "The broker has not cancelled the order yet. Try again in a moment.");
    await delay(POLL_MS);
  }
}

async function close(
  context: Context,
  intent: Intent,
  { resolution, why, userId }: Verdict,
  { status, order }: Pick<Resolved, "status" | "order">,
): Promise<Resolved> {
  const { accountId, clientOrderId, symbol, side } = intent;
  await inTransaction(context, async (tx) => {
    await lockAccount(tx, accountId);
    // Only what is still parked is closed here: an order of ours has told its own end already.
    const data = { lastError: `${RESOLVED_BY_PERSON}: ${why}`, nextAskAt: null };
    await changeIntents(tx, { id: intent.id }, { from: ["PARKED"], to: status, data });
    const what =
      order === "none"
        ? "the broker never had it"
        : `the broker's order counts as ${order === "ours" ? "ours" : "an external one"}`;
    const message = `Parked order to ${side === "BUY" ? "buy" : "sell"} ${symbol} resolved: ${what}. Reason: ${why}`;
    await recordEvent(context, tx, {
      level: "warn",
      message,
      userId,
      accountId,
      audit: {
        eventType: "ORDER_RESOLVED",
        data: { accountId, clientOrderId, resolution, status, order },
        personal: { reason: why },
      },
    });
  });
  return { clientOrderId, status, order };
}
