"use client";
import Link from "next/link";
import { useState } from "react";
import { MARKET_LABEL } from "@/lib/domain/insight/market-text.ts";
import { Bar } from "../../_ui/bar.tsx";
import { Badge } from "../../_ui/badge.tsx";
import { Card } from "../../_ui/card.tsx";
import { Fold, FoldCard } from "../../_ui/fold.tsx";
import { Funnel } from "../../_ui/funnel.tsx";
import { GateList, PassedText } from "../../_ui/gate-list.tsx";
import { Recompute } from "../../_ui/recompute.tsx";
import { Segmented } from "../../_ui/segmented.tsx";
import { Time } from "../../_ui/time.tsx";
import { orderLabel, type TradeDetail } from "./labels.ts";

const REGIME = {
  risk_on: { tone: "gain", label: `${MARKET_LABEL.risk_on} market` },
  neutral: { tone: "warn", label: `${MARKET_LABEL.neutral} market` },
  risk_off: { tone: "loss", label: `${MARKET_LABEL.risk_off} market` },
} as const;

interface Scored {
  scores: NonNullable<NonNullable<TradeDetail["decision"]>["scores"]>;
  confidence: number | null;
}

/** The decision that the trade came of, and the symbol as that decision saw it. */
export function TradeWhy({ trade: { decision, isOwn, order, rotationPlanId } }: { trade: TradeDetail }) {
  if (decision === null) {
    return (
      <Card title="Why">
        <p className="text-muted">
          {order.origin === "EXTERNAL"
            ? "Tradewind did not decide this order: it was placed at the broker."
            : rotationPlanId !== null
              ? "It comes from a rotation plan, not from a decision for this account alone."
              : "It does not come from a look at the market: it protects or closes what is held."}
        </p>
      </Card>
    );
  }
  const regime = REGIME[decision.regime];
  return (
    <Card
      title="Why"
      aside={
        <span className="flex items-center gap-3">
          {isOwn && (
            <Link
              href={`/decisions/${decision.id}`}
              className="tap inline-flex min-h-6 items-center rounded-sm text-sm font-medium text-accent underline-offset-4 hover:underline"
            >
              Open the decision
            </Link>
          )}
          <Badge tone={regime.tone}>{regime.label}</Badge>
        </span>
      }
    >
      {isOwn ? (
        <Funnel counts={decision.funnel} hrefOf={(step) => `/decisions/${decision.id}?show=${step}`} />
      ) : (
        <p className="text-balance">{decision.line}</p>
      )}
      {decision.scores === null ? (
        <p className="mt-3 text-muted">The stock was not in the Top-50 when this was decided.</p>
      ) : (
        <Scores scores={decision.scores} confidence={decision.confidence} />
      )}
      {!isOwn && (
        <p className="mt-3 text-xs text-muted">
          Decision <code className="font-mono">{decision.id}</code>; only its owner can open it.
        </p>
      )}
    </Card>
  );
}

function Scores({ scores, confidence }: Scored) {
  const { rank, composite } = scores;
  return (
    <Fold
      className="mt-3 text-sm"
      summary={`Number ${rank} of the Top-50${composite === null ? "" : `, score ${composite.toFixed(1)}`}`}
    >
      <dl className="mt-2 grid grid-cols-2 gap-x-4 gap-y-3 @2xl:grid-cols-3">
        <Score label={`Score (rank ${rank})`} value={composite} />
        <Score label="Technical" value={scores.technical} />
        <Score label="Liquidity" value={scores.liquidity} />
        <Score label="Sentiment" value={scores.sentiment} />
        <Score label="Momentum" value={scores.momentum} />
        <Score label="Confidence" value={confidence === null ? null : 100 * confidence} />
      </dl>
    </Fold>
  );
}

/** By what it was decided, for those who want to check it. */
export function TradeProof({ trade: { decision, intent, isOwn } }: { trade: TradeDetail }) {
  if (decision === null) return null;
  return (
    <FoldCard title="Proof" note="the record behind this decision">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        <dt className="text-muted">Recorded</dt>
        <dd>{decision.line}</dd>
        <dt className="text-muted">Decided</dt>
        <dd>
          <Time at={decision.decidedAt} />
        </dd>
        {intent?.strategy != null && (
          <>
            <dt className="text-muted">Strategy</dt>
            <dd>{orderLabel(intent.strategy)}</dd>
          </>
        )}
        <dt className="text-muted">Policy</dt>
        <dd>{decision.policyVersion}</dd>
        <dt className="text-muted">Engine</dt>
        <dd>{decision.engineVersion}</dd>
      </dl>
      {isOwn && <Recompute decisionId={decision.id} />}
    </FoldCard>
  );
}

function Score({ label, value }: { label: string; value: number | null }) {
  return (
    <div>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="mt-1">
        {value === null ? (
          <span className="text-muted" title="The source was unavailable">
            —
          </span>
        ) : (
          <Bar label={label} fraction={value / 100} text={value.toFixed(1)} />
        )}
      </dd>
    </div>
  );
}

/** A warning refuses nothing, and is no pass either. */
function verdictText({ passed, gates }: TradeDetail["verdicts"][number]): string {
  if (!passed) return "Refused";
  return gates.every((gate) => gate.passed) ? "All passed" : "None refused";
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
    <FoldCard title="Rules" note={<PassedText gates={shown.gates} />}>
      <Segmented label="Moment" options={options} value={shown.phase} onChange={setPhase} />
      <p className="my-2 text-sm text-muted">
        {verdictText(shown)} under policy {shown.policyVersion}, <Time at={shown.at} />
      </p>
      <GateList gates={shown.gates} isOpen />
    </FoldCard>
  );
}
