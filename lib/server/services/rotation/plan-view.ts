import type { Given } from "@/lib/contracts/endpoint.ts";
import type { rotationApi } from "@/lib/contracts/rotation.ts";
import { LEG_OUTCOMES, type LegOutcome } from "@/lib/domain/rotation/leg-outcome.ts";
import { money } from "@/lib/domain/money.ts";
import { needsSecondAdministrator } from "@/lib/domain/rotation/approval.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { proposalOf } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import type { Prisma, Tx } from "../../db.ts";
import { environmentLabel, sessionOf } from "../../rows.ts";

export type PlanRow = Prisma.RotationPlanGetPayload<object>;
export type PlanView = Given<typeof rotationApi.approvePlan>;

type Counts = PlanView["outcomes"];
const noLegs = (): Counts => Object.fromEntries(LEG_OUTCOMES.map((outcome) => [outcome, 0])) as Counts;

/** Plans as the console shows them, in the order given. */
export async function viewPlans(
  db: Context["db"] | Tx,
  { now }: Pick<Context, "now">,
  rows: readonly PlanRow[],
): Promise<PlanView[]> {
  const ids = rows.map(({ id }) => id);
  const counted = await db.rotationLeg.groupBy({
    by: ["planId", "outcome"],
    where: { planId: { in: ids } },
    _count: { _all: true },
  });
  const traded = await db.$queryRaw<{ planId: string; accounts: number }[]>`
    select "planId"::text as "planId", count(distinct "accountId")::int as "accounts"
    from "RotationLeg" where "planId" = any(${ids}::uuid[]) group by 1`;
  const pending = await db.pendingApproval.findMany({
    where: { kind: "EXECUTE_ROTATION", subject: { in: ids }, expiresAt: { gt: now() } },
  });
  const policy = await activePolicy({ db, now });
  const counts = new Map(ids.map((id) => [id, noLegs()]));
  for (const { planId, outcome, _count } of counted) counts.get(planId)![outcome as LegOutcome] = _count._all;
  const tradedOf = new Map(traded.map(({ planId, accounts }) => [planId, accounts]));
  const asked = new Map(pending.map(({ subject, expiresAt }) => [subject, expiresAt]));
  return rows.map((row) =>
    viewOf(row, {
      outcomes: counts.get(row.id)!,
      tradedAccountCount: tradedOf.get(row.id) ?? 0,
      secondNeededUntil: asked.get(row.id) ?? null,
      needsSecond: needsSecondAdministrator(row, policy),
    }),
  );
}

type Read = Pick<PlanView, "outcomes" | "tradedAccountCount" | "needsSecond"> & { secondNeededUntil: Date | null };

function viewOf(row: PlanRow, { outcomes, tradedAccountCount, secondNeededUntil, needsSecond }: Read): PlanView {
  const { id, market, environment, approvalStatus, version, isAdvisoryOnly, policyVersion } = row;
  const { accounts, actions, metrics, kpiSnapshot } = proposalOf(row);
  const { plannedAt, expiresAt, createdAt, decidedAt, rejectReason, executedAt } = row;
  return {
    planId: id,
    market,
    environment: environmentLabel({ broker: market === "PRACTICE" ? "PRACTICE" : "ALPACA", environment }),
    approvalStatus,
    closedAs: row.closedAs as PlanView["closedAs"],
    version,
    isAdvisoryOnly,
    sessionDate: sessionOf(row.sessionDate),
    policyVersion,
    plannedAt,
    expiresAt,
    createdAt,
    decidedAt,
    rejectReason,
    executedAt,
    secondNeededUntil: approvalStatus === "APPROVED" && row.closedAs === null ? secondNeededUntil : null,
    needsSecond,
    tradedUsd: money(row.tradedUsd),
    actions,
    metrics,
    kpiSnapshot,
    accountCount: accounts.length,
    tradedAccountCount,
    outcomes,
  };
}
