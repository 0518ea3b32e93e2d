import type { Intent } from "./row-types.ts";
import type { BrokerOrder, SubmitOutcome } from "../../broker/broker.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { crashPoint } from "../../crash-point.ts";
import { applyOrder } from "./apply-order.ts";
import { haltAccount, inTransaction, lockAccount } from "./transaction.ts";

/** How long after one question the next one is asked. */
export const ASK_AFTER_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000] as const;

/** What became of a sent intent. `found` is an order that a lookup by our client id answered. */
export type Answer =
  | Exclude<SubmitOutcome, { kind: "duplicate" }>
  | { kind: "found"; order: BrokerOrder }
  /** Taken back between the mark and the call: nothing was sent. */
  | { kind: "withdrawn"; reason: string };

type Written = { status: Intent["status"]; reason: string | null };

/**
 * T3: what the broker answered, in one transaction. Whatever is not a plain yes or a coded no is UNKNOWN:
 * it is asked for, never sent again. An intent that the trade updates settled meanwhile keeps its state.
 */
export async function recordOutcome(context: Context, intentId: string, answer: Answer): Promise<Written> {
  crashPoint("before-record");
  return inTransaction(context, async (tx): Promise<Written> => {
    const { accountId } = await tx.intent.findUniqueOrThrow({ where: { id: intentId } });
    const account = await lockAccount(tx, accountId);
    const intent = await tx.intent.findUniqueOrThrow({ where: { id: intentId } });
    const isOpen = intent.status === "SUBMITTING" || intent.status === "UNKNOWN";
    const set = (data: { status: Intent["status"]; lastError?: string; nextAskAt?: Date; askCount?: number }) =>
      isOpen ? tx.intent.update({ where: { id: intentId }, data }) : Promise.resolve(intent);

    if (answer.kind === "accepted" || answer.kind === "found") {
      if (answer.order.clientOrderId === intent.clientOrderId) {
        await applyOrder(context, tx, account, answer.order);
      } else {
        // An answer about some other order says nothing about this one.
        await set({ status: "UNKNOWN", lastError: "the answer is about another order", nextAskAt: askAt(context, 0) });
      }
    } else if (answer.kind === "unknown") {
      await set({
        status: "UNKNOWN",
        lastError: answer.cause.slice(0, 500),
        nextAskAt: askAt(context, 0),
        askCount: 0,
      });
    } else if (answer.kind === "withdrawn") {
      await set({ status: "HALTED", lastError: answer.reason.slice(0, 500) });
    } else if (answer.kind === "throttled") {
      await set({ status: "REJECTED", lastError: "the broker kept asking to wait" });
    } else {
      const code = answer.kind === "rejected" ? answer.code : "keys";
      await set({ status: "REJECTED", lastError: `${code}: ${answer.message}`.slice(0, 500) });
      if (answer.kind === "keys_refused")
        await haltAccount(context, tx, accountId, "The broker refused the keys of this account.");
    }
    const after = await tx.intent.findUniqueOrThrow({ where: { id: intentId } });
    await recordAudit(tx, {
      at: context.now(),
      eventType: "ORDER_ANSWERED",
      actor: context.actor,
      subjectUserId: account.userId,
      requestId: context.request.id,
      data: {
        accountId,
        clientOrderId: intent.clientOrderId,
        answer: answer.kind,
        status: after.status,
        reason: after.lastError,
      },
    });
    crashPoint("inside-record");
    return { status: after.status, reason: after.lastError };
  });
}

/** When to ask next, after `askCount` questions. */
export function askAt(context: Pick<Context, "now">, askCount: number): Date {
  return new Date(context.now().getTime() + (ASK_AFTER_MS[askCount] ?? 60_000));
}
