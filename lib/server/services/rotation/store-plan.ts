import type { AccountEnvironment, MarketName } from "@/lib/domain/enums.ts";
import { counted } from "@/lib/domain/counted.ts";
import { dateText } from "@/lib/domain/format.ts";
import { text } from "@/lib/domain/money.ts";
import { environmentLabel } from "@/lib/domain/environments.ts";
import type { QaVerdict } from "@/lib/domain/qa/rule.ts";
import { tradedValue } from "@/lib/domain/rotation/approval.ts";
import type { RotationProposal } from "@/lib/domain/rotation/proposal.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Context } from "../../context.ts";
import { isUniqueViolation, type Prisma, type Tx } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { inTransaction } from "../../core/transaction.ts";
import { fingerprintOf, legRowOf } from "./fingerprint.ts";

interface PlanToStore {
  proposal: RotationProposal;
  environment: AccountEnvironment;
  snapshotId: string;
  verdicts: QaVerdict[];
  leftOut: { accountId: string; why: string }[];
}

/**
 * Stores a plan with its legs and its QA results, and takes the place of older ones that still wait: one plan for a market,
 * an environment and a session, however many workers make it. Null where another worker was first.
 */
export async function storePlan(context: Context, plan: PlanToStore): Promise<string | null> {
  try {
    return await inTransaction(context, async (tx) => {
      const { id } = await tx.rotationPlan.create({ data: rowOf(plan), select: { id: true } });
      await tx.rotationLeg.createMany({ data: plan.proposal.legs.map((leg) => ({ ...legRowOf(leg), planId: id })) });
      const at = new Date(plan.proposal.at);
      await tx.qaResult.createMany({ data: plan.verdicts.map((verdict) => ({ ...verdict, rotationPlanId: id, at })) });
      await supersedeOlder(context, tx, plan, id);
      await recordPlan(context, tx, plan, id);
      return id;
    });
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

function rowOf({ proposal, environment, snapshotId, leftOut }: PlanToStore) {
  const json = (value: unknown) => value as Prisma.InputJsonObject;
  return {
    market: proposal.market,
    environment,
    sessionDate: dateOf(proposal.sessionDate),
    policyVersion: proposal.policyVersion,
    snapshotId,
    isAdvisoryOnly: proposal.isAdvisoryOnly,
    fingerprint: fingerprintOf(proposal.legs),
    tradedUsd: text(tradedValue(proposal.legs)),
    accounts: json(proposal.accounts),
    leftOut: json(leftOut),
    actions: json(proposal.actions),
    metrics: json(proposal.metrics),
    kpiSnapshot: json(proposal.kpiSnapshot),
    plannedAt: new Date(proposal.at),
    expiresAt: new Date(proposal.expiresAt),
  };
}

/** A newer plan stands on newer books: what waits from before is no longer executed. */
async function supersedeOlder(context: Context, tx: Tx, { proposal, environment }: PlanToStore, id: string) {
  const { market } = proposal;
  await tx.rotationPlan.updateMany({
    where: { market, environment, id: { not: id }, approvalStatus: { in: ["PENDING", "APPROVED"] }, closedAs: null },
    data: { closedAs: "superseded", closedAt: context.now(), version: { increment: 1 } },
  });
}

/** A plan without orders is recorded alike; administrators are alerted where there is something to decide. */
async function recordPlan(context: Context, tx: Tx, plan: PlanToStore, planId: string): Promise<void> {
  const { proposal, environment } = plan;
  const { market, legs, metrics, sessionDate } = proposal;
  const accounts = new Set(legs.map(({ accountId }) => accountId)).size;
  const label = environmentLabel({ broker: market === "PRACTICE" ? "PRACTICE" : "ALPACA", environment });
  const what = `A rotation plan (${label}) waits for approval: ${counted(legs.length, "order")} in ${counted(accounts, "account")}, turnover ${metrics.turnover.turnoverPct.toFixed(1)}%.`;
  const isEmpty = legs.length === 0;
  const waiting = proposal.isAdvisoryOnly ? `${what} It is a preview and cannot be executed.` : what;
  await recordEvent(context, tx, {
    level: "info",
    message: isEmpty ? `Nothing to rotate on ${dateText(sessionDate)} (${label}).` : waiting,
    userId: null,
    marketAt: new Date(proposal.at),
    detail: { planId, market, sessionDate },
    alerts: isEmpty
      ? []
      : [{ to: "administrators", key: `rotation:${planId}`, subject: "A rotation plan waits for approval" }],
    audit: {
      eventType: "ROTATION_PLANNED",
      data: { planId, market, environment, sessionDate, legs: legs.length, policyVersion: proposal.policyVersion },
    },
  });
}

/** Closes expired plans: what was not approved in time is not executed later. Returns how many. */
export async function closeExpired(context: Context, market: MarketName, marketNow: Date): Promise<number> {
  const { count } = await context.db.rotationPlan.updateMany({
    where: { market, approvalStatus: { in: ["PENDING", "APPROVED"] }, closedAs: null, expiresAt: { lte: marketNow } },
    data: { closedAs: "expired", closedAt: context.now(), version: { increment: 1 } },
  });
  return count;
}
