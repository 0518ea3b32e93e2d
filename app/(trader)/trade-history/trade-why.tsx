"use client";
import Link from "next/link";
import { useState } from "react";
import { Bar } from "../../_ui/bar.tsx";
import { Badge } from "../../_ui/badge.tsx";
import { Card } from "../../_ui/card.tsx";
import { GateList } from "../../_ui/gate-list.tsx";
import { Recompute } from "../../_ui/recompute.tsx";
import { Segmented } from "../../_ui/segmented.tsx";
import { Time } from "../../_ui/time.tsx";
import { orderWord, type TradeDetail } from "./labels.ts";

const REGIME = {
  risk_on: { tone: "gain", label: "Risk on" },
  neutral: { tone: "warn", label: "Neutral" },
  risk_off: { tone: "loss", label: "Risk off" },
} as const;

/** The decision that the trade came of, and the symbol as that decision saw it. */
export function TradeWhy({ trade: { decision, intent, isOwn, order, rotationPlanId } }: { trade: TradeDetail }) {
  if (decision === null) {
    return (
      <Card title="Why">
        <p className="text-muted">
          {order.origin === "EXTERNAL"
            ? "Not decided here: there is no intent behind it."
            : rotationPlanId !== null
              ? "A rotation plan asked for it, not a decision of this account alone."
              : "It came of no decision of a cycle: it protects or closes what is held."}
        </p>
      </Card>
    );
  }
  const regime = REGIME[decision.regime];
  return (
    <Card title="Why" aside={<Badge tone={regime.tone}>{regime.label}</Badge>}>
      <p className="text-balance">{decision.line}</p>
      {decision.scores === null ? (
        <p className="mt-3 text-muted">The symbol had no seat in the Top-50 when this was decided.</p>
      ) : (
        <dl className="mt-4 grid grid-cols-2 gap-x-4 gap-y-3 @2xl:grid-cols-3">
          <Score label={`Score (rank ${decision.scores.rank})`} value={decision.scores.composite} />
          <Score label="Technical" value={decision.scores.technical} />
          <Score label="Liquidity" value={decision.scores.liquidity} />
          <Score label="Sentiment" value={decision.scores.sentiment} />
          <Score label="Momentum" value={decision.scores.momentum} />
          <Score label="Confidence" value={decision.confidence === null ? null : 100 * decision.confidence} />
        </dl>
      )}
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        <dt className="text-muted">Decided</dt>
        <dd>
          <Time at={decision.decidedAt} />
        </dd>
        {intent?.strategy != null && (
          <>
            <dt className="text-muted">Strategy</dt>
            <dd>{orderWord(intent.strategy)}</dd>
          </>
        )}
        <dt className="text-muted">Policy</dt>
        <dd>{decision.policyVersion}</dd>
        <dt className="text-muted">Engine</dt>
        <dd>{decision.engineVersion}</dd>
      </dl>
      {isOwn ? (
        <>
          <p className="mt-3">
            <Link
              href={`/decisions/${decision.id}`}
              className="tap inline-flex min-h-6 items-center rounded-sm font-medium text-accent underline-offset-4 hover:underline"
            >
              Open the decision
            </Link>
          </p>
          <Recompute decisionId={decision.id} />
        </>
      ) : (
        <p className="mt-3 text-xs text-muted">
          Decision <code className="font-mono">{decision.id}</code>; only its owner opens it.
        </p>
      )}
    </Card>
  );
}

function Score({ label, value }: { label: string; value: number | null }) {
  return (
    <div>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="mt-1">
        {value === null ? (
          <span className="text-muted" title="The source was away">
            —
          </span>
        ) : (
          <Bar label={label} fraction={value / 100} text={value.toFixed(1)} />
        )}
      </dd>
    </div>
  );
}

const PHASES = { T1: "When decided", T2: "Before sending" } as const;

/** The rules with their margins as they stood at both moments. */
export function TradeRules({ verdicts }: { verdicts: TradeDetail["verdicts"] }) {
  const [phase, setPhase] = useState<"T1" | "T2">("T1");
  if (verdicts.length === 0) return null;
  const options = (["T1", "T2"] as const)
    .filter((each) => verdicts.some((verdict) => verdict.phase === each))
    .map((value) => ({ value, label: PHASES[value] }));
  const shown = verdicts.findLast((verdict) => verdict.phase === phase) ?? verdicts[0];
  if (!shown) return null;
  return (
    <Card title="Rules" aside={<Segmented label="Moment" options={options} value={shown.phase} onChange={setPhase} />}>
      <p className="mb-2 text-sm text-muted">
        {shown.passed ? "All passed" : "Refused"} under policy {shown.policyVersion}, <Time at={shown.at} />
      </p>
      <GateList gates={shown.gates} />
    </Card>
  );
}
