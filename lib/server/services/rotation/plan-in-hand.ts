import { Failure } from "@/lib/domain/failures.ts";
import type { PlanInHand } from "@/lib/domain/rotation/approval.ts";
import type { Instant } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import type { PlanRow } from "./plan-view.ts";

/** The time of a plan's market. Without it the plan cannot be judged. */
export async function marketNowOf(context: Context, planId: string): Promise<Instant> {
  const row = await context.db.rotationPlan.findUnique({ where: { id: planId }, select: { market: true } });
  if (!row) throw new Failure("not_found", "Rotation plan not found.");
  try {
    return (await context.marketData(row.market).clock()).now;
  } catch (error) {
    throw new Failure("unavailable", "The market's clock cannot be read: try again in a moment.", { cause: error });
  }
}

/** The plan's row, locked until the transaction ends. */
export async function lockPlan(tx: Tx, planId: string): Promise<PlanRow> {
  await tx.$queryRaw`select 1 from "RotationPlan" where "id" = ${planId}::uuid for update`;
  const row = await tx.rotationPlan.findUnique({ where: { id: planId } });
  if (!row) throw new Failure("not_found", "Rotation plan not found.");
  return row;
}

export function inHand({ approvalStatus, closedAs, version, isAdvisoryOnly, expiresAt }: PlanRow): PlanInHand {
  return { approvalStatus, closedAs, version, isAdvisoryOnly, expiresAt: expiresAt.toISOString() };
}

/** @throws conflict with the reason, where there is one */
export function refuseWith(reason: string | null): void {
  if (reason !== null) throw new Failure("conflict", reason);
}
