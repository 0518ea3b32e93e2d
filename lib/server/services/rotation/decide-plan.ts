import type { Received } from "@/lib/contracts/endpoint.ts";
import type { rotationApi } from "@/lib/contracts/rotation.ts";
import { refusalToDecide } from "@/lib/domain/rotation/approval.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Context } from "../../context.ts";
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
    await recordEvent(context, tx, {
      level: "info",
      message,
      userId: null,
      detail: { planId },
      audit: {
        eventType: reason === null ? "ROTATION_APPROVED" : "ROTATION_REJECTED",
        data: { planId, version: row.version, fingerprint: plan.fingerprint },
        ...(reason === null ? {} : { personal: { reason } }),
      },
    });
    return (await viewPlans(tx, context, [row]))[0]!;
  });
}
