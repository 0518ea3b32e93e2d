"use client";
import { counted } from "@/lib/domain/counted.ts";
import { dateText, quantityText } from "@/lib/domain/format.ts";
import { Badge, EnvironmentBadge } from "../../../_ui/badge.tsx";
import { TextButton } from "../../../_ui/button.tsx";
import { Money } from "../../../_ui/money.tsx";
import { Stat } from "../../../_ui/stat.tsx";
import { Time } from "../../../_ui/time.tsx";
import { PlanActs } from "./plan-acts.tsx";
import { costText, isOpen, outcomesText, type Plan, statusOf } from "./labels.ts";

const ACTIONS_SHOWN = 6;

/** One plan of the list: what it is, what it would trade, and what can be done with it now. */
export function RotationPlanCard({ plan, onOpen }: { plan: Plan; onOpen: () => void }) {
  const { guardrails } = plan.metrics;
  return (
    <article className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 sm:p-5">
      <PlanHead plan={plan} />
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Stat label="Traded">
          <Money value={plan.tradedUsd} />
        </Stat>
        <Stat label="Turnover">{plan.metrics.turnover.turnoverPct.toFixed(1)}%</Stat>
        <Stat label="Estimated cost">{costText(plan.metrics.costs.estimatedCostsBps)}</Stat>
        <Stat label="Guardrails">
          {guardrails.allChecksPassed ? "Passed" : counted(guardrails.violations.length, "violation")}
        </Stat>
      </dl>
      <p className="text-sm">
        {plan.actions.length === 0
          ? "Nothing to trade."
          : plan.actions
              .slice(0, ACTIONS_SHOWN)
              .map(
                ({ type, symbol, changeShares }) =>
                  `${type === "BUY" ? "Buy" : "Sell"} ${quantityText(Math.abs(changeShares))} ${symbol}`,
              )
              .join(", ")}
        {plan.actions.length > ACTIONS_SHOWN && ` and ${plan.actions.length - ACTIONS_SHOWN} more`}
      </p>
      {plan.approvalStatus === "EXECUTED" && <p className="text-sm text-muted">{outcomesText(plan.outcomes)}</p>}
      {plan.rejectReason !== null && <p className="text-sm wrap-anywhere">Rejected: {plan.rejectReason}</p>}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <PlanActs plan={plan} />
        <TextButton onClick={onOpen}>Open the plan</TextButton>
      </div>
    </article>
  );
}

/** Session, environment, status and until when the plan holds. */
export function PlanHead({ plan }: { plan: Plan }) {
  const { label, tone } = statusOf(plan);
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <h3 className="font-semibold">{`Session of ${dateText(plan.sessionDate)}`}</h3>
      <EnvironmentBadge environment={plan.environment} />
      <Badge tone={tone}>{label}</Badge>
      {plan.isAdvisoryOnly && <Badge>Preview Only</Badge>}
      <span className="text-xs text-muted">
        {plan.executedAt !== null ? (
          <>
            Executed <Time at={plan.executedAt} />
          </>
        ) : isOpen(plan) ? (
          <>
            Expires <Time at={plan.expiresAt} /> market time
          </>
        ) : (
          <>
            Planned <Time at={plan.plannedAt} /> market time
          </>
        )}
      </span>
    </header>
  );
}
