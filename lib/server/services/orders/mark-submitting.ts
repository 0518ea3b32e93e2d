import type { GateResult } from "@/lib/domain/engine/plan.ts";
import type { Intent } from "./row-types.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { readSwitches, refusalToSend } from "./may-send.ts";
import { firstFailing } from "./record-intent.ts";
import { inTransaction, lockAccount } from "./transaction.ts";

/** Longer than the broker's request timeout: past it, nobody is waiting for an answer any more. */
export const SUBMIT_DEADLINE_MS = 15_000;

export type Mark =
  | { kind: "marked"; intent: Intent }
  | { kind: "refused"; status: "DENIED" | "HALTED"; reason: string }
  /** Somebody else took the step: this process must not send. */
  | { kind: "taken" };

/**
 * T2: the last look, and the mark that is committed before the call. The rows of the intent, the account
 * and the system's kill state are locked, so a switch thrown before the commit counts and one thrown after
 * it meets an order in flight. The compare-and-set alone makes sure of one sender; locks and epochs only
 * save work.
 */
export async function markSubmitting(
  context: Context,
  {
    intentId,
    epoch,
    gates,
    policyVersion,
  }: {
    intentId: string;
    epoch: number;
    /** The gates asked again just now, with fresh figures. */
    gates: GateResult[];
    policyVersion: string;
  },
): Promise<Mark> {
  return inTransaction(context, async (tx): Promise<Mark> => {
    const planned = await tx.intent.findUniqueOrThrow({ where: { id: intentId } });
    const account = await lockAccount(tx, planned.accountId);
    await tx.$queryRaw`select 1 from "SystemState" where "id" = 1 for share`;
    await tx.$queryRaw`select 1 from "User" where "id" = ${account.userId}::uuid for share`;
    await tx.$queryRaw`select 1 from "Intent" where "id" = ${intentId}::uuid for update`;
    const intent = await tx.intent.findUniqueOrThrow({ where: { id: intentId } });
    if (intent.status !== "GATED") return { kind: "taken" };

    const switches = await readSwitches(tx, account.id);
    const refusal = refusalToSend(switches, intent, epoch);
    const failing = firstFailing(gates);
    await tx.gateVerdict.create({
      data: {
        intentId,
        phase: "T2",
        passed: refusal === null && failing === undefined,
        results: gates as unknown as Prisma.InputJsonArray,
        inputs: {
          epoch,
          refusal,
          killState: account.killState,
          systemKillState: switches.systemKillState,
          status: account.status,
          isAutomationPaused: switches.isAutomationPaused,
          isPaperOnly: switches.isPaperOnly,
        },
        policyVersion,
        at: planned.decidedAt,
      },
    });
    const denial = failing ? `${failing.code}: ${failing.detail}`.slice(0, 500) : null;
    const stopped: Mark | null =
      refusal !== null
        ? { kind: "refused", status: "HALTED", reason: refusal }
        : denial !== null
          ? { kind: "refused", status: "DENIED", reason: denial }
          : null;
    const now = context.now();
    const marked = await tx.intent.updateMany({
      where: { id: intentId, status: "GATED" },
      data: stopped
        ? { status: stopped.status, lastError: stopped.reason }
        : {
            status: "SUBMITTING",
            submitEpoch: epoch,
            submittedAt: now,
            submitDeadline: new Date(now.getTime() + SUBMIT_DEADLINE_MS),
          },
    });
    if (marked.count !== 1) return { kind: "taken" };
    await recordAudit(tx, {
      at: now,
      eventType: stopped ? "ORDER_STOPPED" : "ORDER_SENT",
      actor: context.actor,
      subjectUserId: account.userId,
      requestId: context.request.id,
      data: { accountId: account.id, clientOrderId: intent.clientOrderId, epoch, reason: stopped?.reason ?? null },
    });
    return stopped ?? { kind: "marked", intent: await tx.intent.findUniqueOrThrow({ where: { id: intentId } }) };
  });
}

/**
 * Before the same id goes out again after the broker proved that it took nothing (429): the switches are
 * read again and the deadline moves. Null when the order may still go, else why not.
 */
export async function renewMark(context: Context, intentId: string, epoch: number): Promise<string | null> {
  return inTransaction(context, async (tx) => {
    const { accountId } = await tx.intent.findUniqueOrThrow({ where: { id: intentId } });
    await lockAccount(tx, accountId);
    await tx.$queryRaw`select 1 from "SystemState" where "id" = 1 for share`;
    const intent = await tx.intent.findUniqueOrThrow({ where: { id: intentId } });
    const refusal = refusalToSend(await readSwitches(tx, accountId), intent, epoch);
    if (refusal !== null) return refusal;
    const renewed = await tx.intent.updateMany({
      where: { id: intentId, status: "SUBMITTING", submitEpoch: epoch },
      data: { submitDeadline: new Date(context.now().getTime() + SUBMIT_DEADLINE_MS) },
    });
    return renewed.count === 1 ? null : "the order is being settled elsewhere";
  });
}
