import type { Received } from "@/lib/contracts/endpoint.ts";
import type { rotationApi } from "@/lib/contracts/rotation.ts";
import { refusalToDecide } from "@/lib/domain/rotation/approval.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { noteEvents } from "../../core/note-event.ts";
import { inTransaction } from "../../core/transaction.ts";
import { inHand, lockPlan, marketNowOf, refuseWith } from "./plan-in-hand.ts";
import { type PlanView, viewPlans } from "./plan-view.ts";

/** Approves a pending plan; it is executed by a call of its own. */
export async function approvePlan(
  context: Context<"admin">,
  input: Received<typeof rotationApi.approvePlan>,
): Promise<PlanView> {
  return decide(context, { ...input, reason: null });
}

/** Rejects a pending plan for good, with the reason. */
export async function rejectPlan(
  context: Context<"admin">,
  input: Received<typeof rotationApi.rejectPlan>,
): Promise<PlanView> {
  return decide(context, input);
}

async function decide(
  context: Context<"admin">,
  { planId, version = null, reason }: { planId: string; version?: number | null | undefined; reason: string | null },
): Promise<PlanView> {
  const { userId } = context.actor;
  const marketNow = await marketNowOf(context, planId);
  return inTransaction(context, async (tx) => {
    const plan = await lockPlan(tx, planId);
    refuseWith(refusalToDecide(inHand(plan), { version, marketNow }));
    const row = await tx.rotationPlan.update({
      where: { id: planId },
      data: {
        approvalStatus: reason === null ? "APPROVED" : "REJECTED",
        version: { increment: 1 },
        decidedAt: context.now(),
        decidedById: userId,
        rejectReason: reason,
      },
    });
    const message = reason === null ? "A rotation plan was approved." : `A rotation plan was rejected: ${reason}`;
    await noteEvents(tx, [{ level: "info", message, userId: null, marketAt: null, context: { planId } }]);
    await recordAudit(tx, {
      at: context.now(),
      eventType: reason === null ? "ROTATION_APPROVED" : "ROTATION_REJECTED",
      actor: context.actor,
      ipAddress: context.request.ipAddress,
      requestId: context.request.id,
      data: { planId, version: row.version, fingerprint: plan.fingerprint },
      ...(reason === null ? {} : { personal: { reason } }),
    });
    return (await viewPlans(tx, context, [row]))[0]!;
  });
}
