import type { AuditEventType } from "@/lib/domain/audit-events.ts";
import type { GateResult } from "@/lib/domain/engine/plan.ts";
import { text, type DecimalText } from "@/lib/domain/money.ts";
import { isTerminal } from "@/lib/domain/orders.ts";
import type { Account, Order } from "../../core/row-types.ts";
import type { Broker, BrokerOrder, ReplaceOutcome } from "../../broker/broker.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { inAccountQueue } from "../../core/account-queue.ts";
import { recordOrder } from "./record-order.ts";
import { readSwitches, refusalToSend } from "./refusal-to-send.ts";
import { firstFailing } from "./record-intent.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";

export type Raised =
  | { kind: "raised" }
  /** A switch or a gate forbids it: nothing was sent. */
  | { kind: "refused"; status: "HALTED" | "DENIED"; reason: string }
  /** The stop rests where it did, or the outcome is unknown: a later cycle retries. */
  | { kind: "kept"; reason: string }
  /** The broker does not replace this order: the pair is to be cancelled and placed anew. */
  | { kind: "not_replaceable"; reason: string };

interface StopRaise {
  stop: Order;
  stopPrice: DecimalText;
  epoch: number;
  gates: GateResult[];
  /** True where the owner asked for it: it is not a trailing stop, and is allowed wherever the owner may sell. */
  isByHand?: boolean;
}

/**
 * Raises one resting stop by the broker's replace in place: at every moment the old stop rests or the new one. What is
 * asked is committed before the call; a lost answer is harmless, because the order itself shows which one rests.
 */
export async function raiseStop(
  context: Context,
  account: Account,
  broker: Broker,
  { stop, stopPrice, epoch, gates, isByHand = false }: StopRaise,
): Promise<Raised> {
  const facts = {
    accountId: account.id,
    clientOrderId: stop.clientOrderId,
    symbol: stop.symbol,
    stopBefore: stop.stopPrice === null ? null : text(stop.stopPrice),
    stopPrice,
  };
  const subject = { context, userId: account.userId, facts };
  const refused = await inTransaction(context, async (tx): Promise<Raised | null> => {
    await lockAccount(tx, account.id);
    await tx.$queryRaw`select 1 from "SystemState" where "id" = 1 for share`;
    const refusal = refusalToSend(
      await readSwitches(tx, account.id, null),
      { side: "SELL", purpose: isByHand ? "MANUAL" : "PROTECT" },
      epoch,
    );
    if (refusal !== null) return { kind: "refused", status: "HALTED", reason: refusal };
    const failing = firstFailing(gates);
    if (failing) return { kind: "refused", status: "DENIED", reason: `${failing.code}: ${failing.detail}` };
    await auditRaise(tx, "STOP_RAISE_SENT", subject);
    return null;
  });
  if (refused !== null) return refused;
  // The trade updates of the replacement wait until it is known whose it is.
  return inAccountQueue(account.id, async () => {
    const outcome = await broker.replace(stop.brokerOrderId, { stopPrice });
    const { old, replacement } = await readOutcome(context, broker, stop, outcome);
    return inTransaction(context, async (tx): Promise<Raised> => {
      const locked = await lockAccount(tx, account.id);
      const parent = stop.parentId === null ? null : await tx.order.findUnique({ where: { id: stop.parentId } });
      if (old !== null) await recordOrder(context, tx, locked, old, { parent });
      if (replacement !== null) {
        const { order } = await recordOrder(context, tx, locked, replacement, { parent });
        await tx.order.update({
          where: { id: order.id },
          data: { reason: isByHand ? "protective_stop" : "trailing_stop" },
        });
      }
      if (replacement !== null && !isTerminal(replacement.status)) {
        await auditRaise(tx, "STOP_RAISED", subject);
        return { kind: "raised" };
      }
      const reason = reasonOf(outcome);
      await auditRaise(tx, "STOP_RAISE_FAILED", subject, reason);
      const stillRests = old !== null && !isTerminal(old.status);
      return { kind: outcome.kind === "rejected" && stillRests ? "not_replaceable" : "kept", reason };
    });
  });
}

async function auditRaise(
  tx: Tx,
  eventType: AuditEventType,
  { context, userId, facts }: { context: Context; userId: string; facts: Record<string, string | null> },
  reason: string | null = null,
): Promise<void> {
  await recordAudit(tx, {
    at: context.now(),
    eventType,
    actor: context.actor,
    subjectUserId: userId,
    requestId: context.request.id,
    data: { ...facts, reason },
  });
}

/** The old order as it stands, and what took its place. */
async function readOutcome(
  { log }: Context,
  broker: Broker,
  stop: Order,
  outcome: ReplaceOutcome,
): Promise<{ old: BrokerOrder | null; replacement: BrokerOrder | null }> {
  const { accountId, clientOrderId } = stop;
  const read = (id: string) =>
    broker.order(id).catch((error: unknown) => {
      log.warn("order.not-read", { accountId, clientOrderId, err: error });
      return null;
    });
  const old = await read(stop.brokerOrderId);
  const successor = old?.replacedById ?? null;
  if (successor === null) return { old, replacement: null };
  const promised = outcome.kind === "replaced" && outcome.order.id === successor ? outcome.order : null;
  return { old, replacement: (await read(successor)) ?? promised };
}

function reasonOf(outcome: ReplaceOutcome): string {
  switch (outcome.kind) {
    case "rejected":
      return `${outcome.code}: ${outcome.message}`;
    case "throttled":
      return "the broker asks to wait";
    case "unknown":
      return outcome.cause;
    case "replaced":
      return "the venue kept the old order";
  }
}
