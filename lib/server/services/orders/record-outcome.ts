import { ACCESS_TEXT } from "@/lib/domain/account-access.ts";
import { afterAnswer } from "@/lib/domain/protocol/answer.ts";
import { nextAskAtMs } from "@/lib/domain/protocol/lookup.ts";
import type { Intent } from "../../core/row-types.ts";
import type { BrokerOrder, SubmitOutcome } from "../../broker/broker.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { crashPoint } from "../../crash-point.ts";
import { notifyRefusal } from "./notify-order.ts";
import { recordOrder } from "./record-order.ts";
import { changeIntents, lockIntent } from "./change-intents.ts";
import { haltAccount } from "../../core/halt-account.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";

/** What became of a sent intent. `found` is an order that a lookup by our client id answered. */
export type Answer =
  | Exclude<SubmitOutcome, { kind: "duplicate" }>
  | { kind: "found"; order: BrokerOrder }
  /** Taken back between the mark and the call: nothing was sent. */
  | { kind: "withdrawn"; reason: string };

type Written = { status: Intent["status"]; reason: string | null };

const KEPT_WAITING = "the broker kept asking to wait";
const KEYS = "keys: ";

/** True where the broker refused the order itself: false where it only throttled the request or refused the keys. */
export const isRefusalOfOrder = (lastError: string | null): boolean =>
  lastError !== KEPT_WAITING && !(lastError?.startsWith(KEYS) ?? false);

/** Why the intent is what it became, where no order of its own speaks for it. */
function reasonOf(answer: Answer): string {
  switch (answer.kind) {
    case "accepted":
    case "found":
      return "the answer is about another order";
    case "unknown":
      return answer.cause;
    case "withdrawn":
      return answer.reason;
    case "throttled":
      return KEPT_WAITING;
    case "rejected":
      return `${answer.code}: ${answer.message}`;
    case "keys_refused":
      return `${KEYS}${answer.message}`;
  }
}

/**
 * T3: what the broker answered, in one transaction. Whatever is not a plain yes or a coded no is UNKNOWN:
 * it is asked for, never sent again. An intent that the trade updates settled meanwhile keeps its state.
 * `epoch` is the sender's: what is refused to one sender proves nothing once another one has sent.
 */
export async function recordOutcome(
  context: Context,
  { id: intentId, accountId }: Pick<Intent, "id" | "accountId">,
  answer: Answer,
  epoch: number | null = null,
): Promise<Written> {
  crashPoint("before-record");
  return inTransaction(context, async (tx): Promise<Written> => {
    const account = await lockAccount(tx, accountId);
    const intent = await lockIntent(tx, intentId);
    const order = answer.kind === "accepted" || answer.kind === "found" ? answer.order : null;
    const isSameOrder = order?.clientOrderId === intent.clientOrderId;
    const step = afterAnswer(answer.kind, intent.status, isSameOrder, intent.submitEpoch === epoch);
    if (step.status === "FOLLOW" && order !== null) {
      const { needsPerson } = await recordOrder(context, tx, account, order, { intent });
      // Found, and not taken over: the question has its answer, and waits for a person.
      if (intent.status === "PARKED" && needsPerson)
        await changeIntents(tx, { id: intentId }, { from: ["PARKED"], to: "PARKED", data: { nextAskAt: null } });
    } else if (step.status !== "FOLLOW" && step.status !== "KEEP") {
      const asks = step.status === "UNKNOWN" ? { nextAskAt: askAt(context, 0), askCount: 0 } : {};
      const lastError = reasonOf(answer).slice(0, 500);
      const data = { lastError, ...asks };
      await changeIntents(tx, { id: intentId }, { from: [intent.status], to: step.status, data });
      if (step.status === "REJECTED") await notifyRefusal(context, tx, account, intent, lastError);
    }
    if (step.halts) await haltAccount(context, tx, accountId, ACCESS_TEXT[account.access].refused);
    const after = await tx.intent.findUniqueOrThrow({
      where: { id: intentId },
      select: { status: true, lastError: true },
    });
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
export function askAt(context: Pick<Context, "now">, askCount: number, endOfWindowMs?: number): Date {
  return new Date(nextAskAtMs(context.now().getTime(), askCount, endOfWindowMs));
}
