"use client";
import { counted } from "@/lib/domain/counted.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import { rotationApi } from "@/lib/contracts/rotation.ts";
import { ratioText } from "@/lib/domain/format.ts";
import { useEndpoint } from "../../../_hooks/use-endpoint.ts";
import { Banner } from "../../../_ui/banner.tsx";
import { Button } from "../../../_ui/button.tsx";
import { Card } from "../../../_ui/card.tsx";
import { Empty } from "../../../_ui/empty.tsx";
import { FailureNote } from "../../../_ui/failure-note.tsx";
import { ExplanationCard } from "../../../_ui/explanation-card.tsx";
import { Money } from "../../../_ui/money.tsx";
import { SkeletonRows } from "../../../_ui/skeleton.tsx";
import { Stat } from "../../../_ui/stat.tsx";
import { PlanAccounts } from "./plan-accounts.tsx";
import { PlanActs } from "./plan-acts.tsx";
import { PlanQa } from "./plan-qa.tsx";
import { PlanHead } from "./rotation-plan-card.tsx";
import { costText, isAtWork, outcomesText, percentText, type Plan } from "./labels.ts";

/** What becomes of the orders is seen as it happens. */
const POLL_MS = 5_000;

/** One plan whole, in an address of its own. */
export function RotationPlan({ planId, onClose }: { planId: string; onClose: () => void }) {
  const first = useEndpoint(rotationApi.readPlan, { planId }, { pollMs: POLL_MS });
  const { data, failure } = first;
  return (
    <div className="flex flex-col gap-4">
      <div>
        <Button tone="secondary" onClick={onClose}>
          All plans
        </Button>
      </div>
      {failure !== null &&
        (failure.status === 404 || failure.status === 400 ? (
          <Empty
            title="Rotation plan not found"
            hint="The address may be incomplete, or the plan was made by another installation."
          />
        ) : (
          <FailureNote text="Failed to load rotation data" detail={failure.message} onRetry={first.retry} />
        ))}
      {first.isLoading && <SkeletonRows />}
      {data !== undefined && (
        <>
          <Card>
            <div className="flex flex-col gap-4">
              <PlanHead plan={data.plan} />
              {data.plan.approvalStatus === "EXECUTED" && (
                <p role="status" className="text-sm">
                  {isAtWork(data.plan) ? "In progress: " : "Done: "}
                  {outcomesText(data.plan.outcomes)}
                </p>
              )}
              {data.plan.rejectReason !== null && <p className="wrap-anywhere">Rejected: {data.plan.rejectReason}</p>}
              <PlanActs plan={data.plan} />
            </div>
          </Card>
          <ExplanationCard
            endpoint={insightApi.rotation}
            input={{ planId }}
            here={`/admin?tab=rotation&plan=${data.plan.planId}`}
            of={`${data.plan.approvalStatus} ${data.plan.closedAs ?? ""}`}
          />
          <Guardrails plan={data.plan} />
          <BeforeAfter plan={data.plan} />
          <Kpis plan={data.plan} />
          <PlanQa results={data.qaResults} />
          <PlanAccounts detail={data} />
        </>
      )}
    </div>
  );
}

function Guardrails({ plan }: { plan: Plan }) {
  const { allChecksPassed, violations } = plan.metrics.guardrails;
  if (allChecksPassed) return <Banner kind="success">All guardrails hold.</Banner>;
  return (
    <Card title={`Guardrails: ${counted(violations.length, "violation")}`}>
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
        {violations.map((violation, place) => (
          <li key={place} className="wrap-anywhere">
            {violation}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The figures of all accounts of the plan together, side by side. They are of one environment. */
function BeforeAfter({ plan }: { plan: Plan }) {
  const { currentPortfolio: before, projectedPortfolio: after, turnover, costs } = plan.metrics;
  return (
    <Card
      title="Before and after"
      aside={
        <span className="text-xs text-muted tabular-nums">
          {`Turnover ${turnover.turnoverPct.toFixed(1)}%, cost ${costText(costs.estimatedCostsBps).toLowerCase()}`}
        </span>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Portfolio title="Before" view={before} />
        <Portfolio title="After" view={after} />
      </div>
    </Card>
  );
}

function Portfolio({ title, view }: { title: string; view: Plan["metrics"]["currentPortfolio"] }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-2 text-sm font-medium">{title}</h3>
      <dl className="grid grid-cols-2 gap-4">
        <Stat label="Total value">
          <Money value={view.totalValue} />
        </Stat>
        <Stat label="Positions">{view.positionCount}</Stat>
        <Stat label="Cash buffer">{percentText(view.cashBufferPct)}</Stat>
        <Stat label="Gross exposure">{percentText(view.grossExposurePct)}</Stat>
      </dl>
    </section>
  );
}

function Kpis({ plan }: { plan: Plan }) {
  const { avgWinToLoss, hitRate, timeStopRate, slippagePct } = plan.kpiSnapshot;
  const share = (value: number | null) => percentText(value === null ? null : 100 * value);
  return (
    <Card title="Closed round trips, 90 days before the plan">
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Stat label="Average win to loss">{avgWinToLoss === null ? "—" : ratioText(avgWinToLoss, 2)}</Stat>
        <Stat label="Hit rate">{share(hitRate)}</Stat>
        <Stat label="Closed by the time stop">{share(timeStopRate)}</Stat>
        <Stat label="Slippage">{slippagePct === null ? "—" : `${slippagePct.toFixed(3)}%`}</Stat>
      </dl>
    </Card>
  );
}
