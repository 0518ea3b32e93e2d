import { jobs } from "@/lib/contracts/jobs.ts";
import type { Received } from "@/lib/contracts/endpoint.ts";
import type { rotationApi } from "@/lib/contracts/rotation.ts";
import { counted } from "@/lib/domain/counted.ts";
import { type ExecutionSwitches, needsSecondAdministrator, refusalToExecute } from "@/lib/domain/rotation/approval.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { requestSecondApproval, type SecondApproval } from "../approvals/request-second-approval.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { logUserEvents } from "../../core/log-user-events.ts";
import { inTransaction } from "../../core/transaction.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { readConfigRow } from "./config-row.ts";
import { fingerprintOf, legOf } from "./fingerprint.ts";
import { inHand, lockPlan, marketNowOf, refuseWith } from "./plan-in-hand.ts";
import { type PlanRow, type PlanView, viewPlans } from "./plan-view.ts";

/**
 * Claims an approved plan, once however often it is asked: under the lock of its row its status goes from APPROVED to
 * EXECUTED, in one transaction with the audit row. The worker sends the legs; what became of them is read from the plan.
 */
export async function executePlan(
  context: Context<"admin">,
  { planId, version }: Received<typeof rotationApi.executePlan>,
): Promise<PlanView> {
  const { userId } = context.actor;
  const marketNow = await marketNowOf(context, planId);
  const [policy, isAutomationOn] = await Promise.all([activePolicy(context), isFlagOn(context, "automation_enabled")]);
  const { view, isClaimed } = await inTransaction(context, async (tx) => {
    const plan = await lockPlan(tx, planId);
    const { switches, legCount } = await readExecution(tx, plan, isAutomationOn);
    refuseWith(refusalToExecute(inHand(plan), { version: version ?? null, marketNow }, switches));
    const second = await secondOpinion(context, tx, plan, policy);
    if (second !== null && !second.isGranted) {
      await audit(context, tx, plan, "ROTATION_SECOND_NEEDED", { tradedUsd: plan.tradedUsd.toFixed() });
      return { view: (await viewPlans(tx, context, [plan]))[0]!, isClaimed: false };
    }
    const claimed = await tx.rotationPlan.updateMany({
      where: { id: planId, approvalStatus: "APPROVED", version: plan.version, executedAt: null },
      data: {
        approvalStatus: "EXECUTED",
        version: { increment: 1 },
        executedAt: context.now(),
        executedById: userId,
        secondId: second?.firstId ?? null,
      },
    });
    if (claimed.count !== 1) refuseWith("This plan was executed already.");
    const message = `A rotation plan is executed: ${counted(legCount, "order")}.`;
    await logUserEvents(tx, [{ level: "info", message, userId: null, marketAt: null, context: { planId } }]);
    await audit(context, tx, plan, "ROTATION_EXECUTED", { legs: legCount, firstId: second?.firstId ?? null });
    const row = await tx.rotationPlan.findUniqueOrThrow({ where: { id: planId } });
    return { view: (await viewPlans(tx, context, [row]))[0]!, isClaimed: true };
  });
  // Only a wake-up: the schedule looks every two seconds by itself.
  if (isClaimed) await context.queue.enqueue(jobs.rotationExecution, {});
  return view;
}

/** Everything that stands between an approved plan and its execution, read under the plan's lock. */
async function readExecution(
  tx: Tx,
  plan: PlanRow,
  isAutomationOn: boolean,
): Promise<{ switches: ExecutionSwitches; legCount: number }> {
  // Shared with the order protocol: a kill switch that is thrown meanwhile waits for this claim, or this claim for it.
  await tx.$queryRaw`select 1 from "SystemState" where "id" = 1 for share`;
  const system = await tx.systemState.findUniqueOrThrow({ where: { id: 1 } });
  const config = await readConfigRow(tx);
  const legs = await tx.rotationLeg.findMany({ where: { planId: plan.id } });
  const qa = await tx.qaResult.findMany({ where: { rotationPlanId: plan.id }, orderBy: { ruleId: "asc" } });
  return {
    legCount: legs.length,
    switches: {
      isEnabled: config.enabled,
      isAdvisoryNow: config.advisoryOnly,
      isAutomationOn,
      isQueueActive: system.isQueueActive,
      killState: system.killState,
      isAsPlanned: fingerprintOf(legs.map(legOf)) === plan.fingerprint,
      hasPurchases: legs.some(({ side }) => side === "BUY"),
      qa,
    },
  };
}

/** Null where one administrator is enough. */
async function secondOpinion(
  context: Context<"admin">,
  tx: Tx,
  plan: PlanRow,
  policy: Policy,
): Promise<SecondApproval | null> {
  if (!needsSecondAdministrator(plan, policy)) return null;
  const fingerprint = `${plan.fingerprint}:${plan.version}`;
  return requestSecondApproval(context, tx, { kind: "EXECUTE_ROTATION", subject: plan.id, fingerprint });
}

async function audit(
  context: Context,
  tx: Tx,
  { id, version, fingerprint }: PlanRow,
  eventType: "ROTATION_EXECUTED" | "ROTATION_SECOND_NEEDED",
  data: Record<string, string | number | null>,
): Promise<void> {
  await recordAudit(tx, {
    at: context.now(),
    eventType,
    ...callFacts(context),
    data: { planId: id, version, fingerprint, ...data },
  });
}
