import type { GateResult } from "@/lib/domain/engine/plan.ts";
import { markStep, refusalToRenew } from "@/lib/domain/protocol/mark.ts";
import { ORDER_PROTOCOL, SUBMIT_DEADLINE_MS } from "@/lib/domain/protocol/settings.ts";
import { asJson } from "../../core/json.ts";
import type { Intent } from "../../core/row-types.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { crashPoint } from "../../crash-point.ts";
import type { Tx } from "../../db.ts";
import { changeIntent, lockToSend } from "./change-intents.ts";
import { readSwitches, refusalToSend } from "./refusal-to-send.ts";
import { raiseOrderProtocol } from "./order-protocol.ts";
import { failingReason, firstFailing } from "./record-intent.ts";
import { inTransaction } from "../../core/transaction.ts";

export type Mark =
  | { kind: "marked"; intent: Intent }
  | { kind: "refused"; status: "DENIED" | "HALTED"; reason: string }
  /** Another process took the step: this one must not send. */
  | { kind: "taken" };

/**
 * T2: the last look, and the mark that is committed before the call. The rows of the intent, the account, its owner
 * and the system's kill state (whose lock guards the symbols' switches, too) are locked, so a switch thrown before the
 * commit counts and one thrown after it meets an order in flight. The compare-and-set alone makes sure of one sender; locks and epochs only
 * save work.
 */
export async function markSubmitting(
  context: Context,
  {
    intent: { id: intentId, accountId },
    epoch,
    isProtective,
    gates,
    policyVersion,
  }: {
    intent: Pick<Intent, "id" | "accountId">;
    epoch: number;
    /** As `refusalToSend` says. */
    isProtective: boolean;
    /** The gates asked again just now, with fresh figures. */
    gates: GateResult[];
    policyVersion: string;
  },
): Promise<Mark> {
  await raiseOrderProtocol(context.db, intentId);
  return inTransaction(context, async (tx): Promise<Mark> => {
    const intent = await lockToSend(tx, { id: intentId, accountId });
    const switches = await readSwitches(tx, accountId, intent.symbol);
    const refusal = refusalToSend(switches, intent, epoch, isProtective);
    const failing = firstFailing(gates);
    const step = markStep(intent.status, refusal, failing !== undefined);
    if (step === "leave") return { kind: "taken" };
    await tx.gateVerdict.create({
      data: {
        intentId,
        phase: "T2",
        passed: step === "mark",
        results: asJson(gates),
        inputs: {
          epoch,
          refusal,
          orderProtocol: ORDER_PROTOCOL,
          isProtective,
          killState: switches.account.killState,
          systemKillState: switches.systemKillState,
          userKillState: switches.userKillState,
          isSymbolStopped: switches.isSymbolStopped,
          status: switches.account.status,
          isAutomationPaused: switches.isAutomationPaused,
          isSwitchedOff: switches.isSwitchedOff,
          isUserDisabled: switches.isUserDisabled,
          isPaperOnly: switches.isPaperOnly,
        },
        policyVersion,
        at: intent.decidedAt,
      },
    });
    const stopped = refusedMark(step, refusal, gates);
    const now = context.now();
    const marked = await moveOn(tx, intentId, { epoch, now, stopped });
    if (marked === null) return { kind: "taken" };
    crashPoint("inside-mark");
    await recordAudit(tx, {
      at: now,
      eventType: stopped ? "ORDER_STOPPED" : "ORDER_SENT",
      actor: context.actor,
      subjectUserId: intent.userId,
      requestId: context.request.id,
      data: { accountId, clientOrderId: intent.clientOrderId, epoch, reason: stopped?.reason ?? null },
    });
    return stopped ?? { kind: "marked", intent: marked };
  });
}

type RefusedMark = Extract<Mark, { kind: "refused" }>;

function refusedMark(
  step: Exclude<ReturnType<typeof markStep>, "leave">,
  refusal: string | null,
  gates: GateResult[],
): RefusedMark | null {
  switch (step) {
    case "halt":
      return { kind: "refused", status: "HALTED", reason: refusal ?? "" };
    case "deny":
      return { kind: "refused", status: "DENIED", reason: failingReason(gates) ?? "" };
    case "mark":
      return null;
  }
}

/** The compare-and-set from GATED: null for every caller but the one that made the step. */
function moveOn(
  tx: Tx,
  intentId: string,
  { epoch, now, stopped }: { epoch: number; now: Date; stopped: RefusedMark | null },
): Promise<Intent | null> {
  const deadline = new Date(now.getTime() + SUBMIT_DEADLINE_MS);
  return changeIntent(tx, intentId, {
    from: ["GATED"],
    to: stopped?.status ?? "SUBMITTING",
    data: stopped ? { lastError: stopped.reason } : { submitEpoch: epoch, submittedAt: now, submitDeadline: deadline },
  });
}

/** A mark that was taken again, or why it could not be. */
export type Renewal = { kind: "renewed"; intent: Intent } | { kind: "refused"; reason: string };

/**
 * Before the same id goes out again after the broker proved that it took nothing (429): the switches are
 * read again, and the deadline and the settle window begin anew.
 */
export async function renewMark(
  context: Context,
  { id: intentId, accountId }: Pick<Intent, "id" | "accountId">,
  { epoch, isProtective }: { epoch: number; isProtective: boolean },
): Promise<Renewal> {
  return inTransaction(context, async (tx): Promise<Renewal> => {
    const { status, submitEpoch, ...leg } = await lockToSend(tx, { id: intentId, accountId });
    const refusal = refusalToSend(await readSwitches(tx, accountId, leg.symbol), leg, epoch, isProtective);
    const reason = refusalToRenew(status, submitEpoch, epoch, refusal);
    if (reason !== null) return { kind: "refused", reason };
    const now = context.now();
    const intent = await changeIntent(tx, intentId, {
      from: ["SUBMITTING"],
      to: "SUBMITTING",
      data: { submittedAt: now, submitDeadline: new Date(now.getTime() + SUBMIT_DEADLINE_MS) },
    });
    return intent === null
      ? { kind: "refused", reason: "the order is being settled elsewhere" }
      : { kind: "renewed", intent };
  });
}
