import { randomUUID } from "node:crypto";
import { clientOrderId } from "@/lib/domain/ids.ts";
import type { GateResult, PlannedOrder } from "@/lib/domain/engine/plan.ts";
import { GATE_OF } from "@/lib/domain/gates/gates.ts";
import { text } from "@/lib/domain/money.ts";
import { blocksNewOrder } from "@/lib/domain/protocol/intent-states.ts";
import type { Instant } from "@/lib/domain/time.ts";
import { asJson } from "../../core/json.ts";
import type { Account, Intent } from "../../core/row-types.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { crashPoint } from "../../crash-point.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";
import { isUniqueViolation, type Tx } from "../../db.ts";

/** One leg of a plan on its way out: what `decide` or a rotation planned, and where it comes from. */
export interface LegToSend {
  /** The decision record or the rotation plan. */
  planId: string;
  decisionId: string | null;
  rotationLegId: string | null;
  attempt: number;
  policyVersion: string;
  /** Market time. */
  decidedAt: Instant;
  purpose: PlannedOrder["purpose"] | "MANUAL";
  order: Omit<PlannedOrder, "purpose">;
}

/** A leg that no rotation planned. It is attempted once; a leg of a rotation may be attempted again. */
export const firstAttempt = (leg: Omit<LegToSend, "rotationLegId" | "attempt">): LegToSend => ({
  ...leg,
  rotationLegId: null,
  attempt: 1,
});

export const firstFailing = (gates: GateResult[]): GateResult | undefined =>
  gates.find((gate) => !gate.passed && !gate.isWarning);

/** Why the first gate that refuses does so: "buying power: $5,704.49, room for $120.00". */
export const failingReason = (gates: GateResult[]): string | null => {
  const failing = firstFailing(gates);
  return failing ? `${GATE_OF[failing.code].label}: ${failing.detail}`.slice(0, 500) : null;
};

export type RecordedIntent =
  | { kind: "recorded"; intent: Intent; isNew: boolean }
  /** Another order of this symbol and side is in flight: the database allows one. */
  | { kind: "in_flight" };

/**
 * T1: the decision to send, its gates and the audit row, in one transaction, before the broker receives
 * it. A leg that was recorded before is answered as it stands. `halted` records a leg that will not be
 * sent, with the reason.
 */
export async function recordIntent(
  context: Context,
  account: Account,
  leg: LegToSend,
  { halted = null, isProtective = false }: { halted?: string | null; isProtective?: boolean } = {},
): Promise<RecordedIntent> {
  const id = clientOrderId(leg.planId, account.id, leg.order.leg, leg.attempt);
  const existing = await context.db.intent.findUnique({ where: { clientOrderId: id } });
  if (existing) return { kind: "recorded", intent: existing, isNew: false };
  try {
    const intent = await inTransaction(context, async (tx) => {
      await lockAccount(tx, account.id);
      const { order } = leg;
      if (await isBlocked(tx, account.id, order, isProtective)) return null;
      const failing = failingReason(order.gates);
      const intentId = randomUUID();
      const verdictId = randomUUID();
      // The intent points at its verdict and the verdict at its intent: the constraint is checked at commit.
      const created = await tx.intent.create({
        data: {
          ...fieldsOf(leg),
          id: intentId,
          accountId: account.id,
          clientOrderId: id,
          status: failing !== null ? "DENIED" : halted !== null ? "HALTED" : "GATED",
          gateVerdictId: failing === null ? verdictId : null,
          lastError: failing ?? halted,
        },
      });
      await tx.gateVerdict.create({
        data: {
          id: verdictId,
          intentId,
          phase: "T1",
          passed: failing === null,
          results: asJson(order.gates),
          inputs: { planId: leg.planId, leg: order.leg, decisionPrice: order.decisionPrice, qty: order.qty },
          policyVersion: leg.policyVersion,
          at: new Date(leg.decidedAt),
        },
      });
      await recordAudit(tx, {
        at: context.now(),
        eventType: "ORDER_DECIDED",
        actor: context.actor,
        subjectUserId: account.userId,
        requestId: context.request.id,
        data: {
          accountId: account.id,
          clientOrderId: id,
          symbol: order.symbol,
          side: order.side,
          qty: order.qty,
          purpose: leg.purpose,
          reason: order.reason,
          status: created.status,
        },
      });
      crashPoint("inside-intent");
      return created;
    });
    return intent ? { kind: "recorded", intent, isNew: true } : { kind: "in_flight" };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const other = await context.db.intent.findUnique({ where: { clientOrderId: id } });
    return other ? { kind: "recorded", intent: other, isNew: false } : { kind: "in_flight" };
  }
}

/** What an intent's row keeps of its leg. */
function fieldsOf({ order, ...leg }: LegToSend) {
  return {
    decisionId: leg.decisionId,
    rotationLegId: leg.rotationLegId,
    planId: leg.planId,
    leg: order.leg,
    attempt: leg.attempt,
    purpose: leg.purpose,
    reason: order.reason,
    strategy: order.strategy,
    symbol: order.symbol,
    side: order.side,
    orderClass: order.orderClass,
    type: order.type,
    timeInForce: order.timeInForce,
    qty: text(order.qty),
    limitPrice: order.limitPrice,
    stopPrice: order.stopPrice,
    takeProfitPrice: order.takeProfitPrice,
    stopLossPrice: order.stopLossPrice,
    decisionPrice: order.decisionPrice,
    atr: order.atr,
    decidedAt: new Date(leg.decidedAt),
  };
}

/** An order of this symbol and side is open, or may still turn up: a parked one too, which the index lets pass. */
async function isBlocked(
  tx: Tx,
  accountId: string,
  { symbol, side }: LegToSend["order"],
  isProtective: boolean,
): Promise<boolean> {
  const others = await tx.intent.findMany({ where: { accountId, symbol, side }, select: { status: true } });
  return others.some(({ status }) => blocksNewOrder(status, isProtective && side === "SELL"));
}
