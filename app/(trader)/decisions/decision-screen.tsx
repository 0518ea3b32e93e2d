"use client";
import Link from "next/link";
import { useState } from "react";
import { decisionsApi } from "@/lib/contracts/decisions.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import { countText, quantityText } from "@/lib/domain/format.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { BackLink } from "../../_ui/back-link.tsx";
import { Badge, EnvironmentBadge } from "../../_ui/badge.tsx";
import { Card } from "../../_ui/card.tsx";
import { FoldCard } from "../../_ui/fold.tsx";
import { FunnelBars } from "../../_ui/funnel.tsx";
import { ExplanationCard } from "../../_ui/explanation-card.tsx";
import { AmountsText, Money } from "../../_ui/money.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { ReadFailure } from "../../_ui/read-failure.tsx";
import { Recompute } from "../../_ui/recompute.tsx";
import { SkeletonCard, SkeletonRows } from "../../_ui/skeleton.tsx";
import { Stat } from "../../_ui/stat.tsx";
import { Time } from "../../_ui/time.tsx";
import { SymbolLink } from "../../_ui/symbol-link.tsx";
import { CandidatePanel } from "./candidate-parts.tsx";
import { Candidates } from "./candidates.tsx";
import { ClosestToBuying, ReasonGroups } from "./closest.tsx";
import { type Decision, REGIMES } from "./labels.ts";

/** While it is not known what became of an order. */
const POLL_MS = 5_000;

type Ordered = Decision["ordered"][number];

export function DecisionScreen({ id }: { id: string }) {
  const [isFollowed, setFollowed] = useState(false);
  const decision = useEndpoint(decisionsApi.read, { id }, isFollowed ? { pollMs: POLL_MS } : {});
  const hasOpen = decision.data?.ordered.some(isOpen) ?? false;
  if (hasOpen !== isFollowed) setFollowed(hasOpen);
  return (
    <div className="flex flex-col gap-4">
      <BackLink href="/decisions">All decisions</BackLink>
      <PageHead
        title="Decision"
        environment={decision.data && <EnvironmentBadge environment={decision.data.account.environmentLabel} />}
      >
        {decision.data && (
          <p className="text-muted">
            <Time at={decision.data.decidedAt} />
          </p>
        )}
      </PageHead>
      <ReadFailure
        noun="decision"
        absence="It may belong to another user or no longer be kept, or the address is incomplete."
        failure={decision.failure}
        onRetry={decision.retry}
      />
      {decision.isLoading && <Loading />}
      {decision.data && <Loaded decision={decision.data} />}
    </div>
  );
}

function Loading() {
  return (
    <>
      <SkeletonCard className="h-36" />
      <SkeletonCard className="h-56" />
      <div className="overflow-clip rounded-xl border border-line bg-surface">
        <SkeletonRows />
      </div>
    </>
  );
}

function Loaded({ decision }: { decision: Decision }) {
  const { values, change } = useUrlValues({ show: "", gate: "" });
  const { show } = values;
  return (
    <>
      <Card>
        <FunnelBars
          counts={decision}
          opened={show}
          onToggle={(step) => change({ show: step === show ? "" : step, gate: "" })}
        />
        <MarketLine decision={decision} />
      </Card>
      {show === "looked" && <Screened decision={decision} />}
      {show !== "" && show !== "looked" && <Candidates candidates={decision.candidates} />}
      <ExplanationCard
        endpoint={insightApi.decision}
        input={{ id: decision.id }}
        here={`/decisions/${decision.id}`}
        of={decision.ordered.map(({ status }) => status).join(" ")}
      />
      {decision.ordered.length > 0 && <Orders orders={decision.ordered} />}
      <ClosestToBuying decision={decision} />
      <ReasonGroups decision={decision} />
      <AccountThen account={decision.account} />
      <Proof decision={decision} />
      <CandidatePanel candidates={decision.candidates} />
    </>
  );
}

function MarketLine({ decision: { regime } }: { decision: Decision }) {
  const { label, text, tone } = REGIMES[regime.label];
  return (
    <p className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line pt-3 text-sm">
      <span>The market was {text}</span>
      <Badge tone={tone}>{label}</Badge>
      <span className="text-muted tabular-nums">VIX {regime.vix === null ? "not known" : regime.vix.toFixed(2)}</span>
    </p>
  );
}

/** The stocks that were looked at have no list of their own in the record: how they became fifty is said instead. */
function Screened({ decision: { screened, eligible, seated } }: { decision: Decision }) {
  return (
    <Card title="Looked at">
      <p className="max-w-prose">
        Tradewind looked at {countText(screened)} stocks. {countText(eligible)} of them had enough history, price and
        trading to be ranked, and {countText(seated)} of the best ranked are in the Top-50. A stock that is in it keeps
        its place until others are clearly better.
      </p>
    </Card>
  );
}

function AccountThen({ account }: Pick<Decision, "account">) {
  return (
    <Card title="The account at that moment">
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Stat label="Equity">
          <Money value={account.equity} />
        </Stat>
        <Stat label="Cash">
          <Money value={account.cash} />
        </Stat>
        <Stat label="Buying power">
          <Money value={account.buyingPower} />
        </Stat>
        <Stat label="Positions">{countText(account.positions)}</Stat>
      </dl>
      {[account.automationOff, account.haltReason].map(
        (reason) =>
          reason !== null && (
            <p key={reason} className="mt-3 text-warn">
              <AmountsText text={reason} />
            </p>
          ),
      )}
    </Card>
  );
}

/** What the decision was made on and by, for those who want to check it. */
function Proof({ decision }: { decision: Decision }) {
  return (
    <FoldCard title="Proof" note="make the decision again from its record">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        <dt className="text-muted">Recorded</dt>
        <dd>{decision.line}</dd>
        <dt className="text-muted">Policy</dt>
        <dd>{decision.policyVersion}</dd>
        <dt className="text-muted">Engine</dt>
        <dd>{decision.engineVersion}</dd>
        <dt className="text-muted">Input</dt>
        <dd title={decision.inputHash} className="truncate font-mono text-xs leading-5">
          {decision.inputHash}
        </dd>
        <dt className="text-muted">Output</dt>
        <dd title={decision.outputHash} className="truncate font-mono text-xs leading-5">
          {decision.outputHash}
        </dd>
      </dl>
      <Recompute decisionId={decision.id} />
    </FoldCard>
  );
}

const OPEN: Partial<Record<NonNullable<Ordered["status"]>, string>> = {
  SUBMITTING: "being sent",
  UNKNOWN: "outcome not known yet",
  PARKED: "waits for a person",
};
/** What may be at the broker without a trade here yet, and what is about to be sent. */
const isOpen = ({ status }: Ordered) =>
  status !== null && (OPEN[status] !== undefined || status === "PLANNED" || status === "GATED");

function SendingText({ order: { status, tradeId } }: { order: Ordered }) {
  const open = status === null ? undefined : OPEN[status];
  if (open !== undefined) return <span className="text-warn">{open}</span>;
  if (status === "REJECTED") return <span className="text-loss">rejected by the broker</span>;
  return tradeId === null && <span className="text-muted">not sent</span>;
}

function Orders({ orders }: { orders: Decision["ordered"] }) {
  return (
    <Card title="Ordered">
      <ul className="divide-y divide-line">
        {orders.map((order) => (
          <li key={order.leg} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
            <span className="flex items-center gap-3">
              <span className={`font-medium ${order.side === "BUY" ? "text-gain" : "text-loss"}`}>
                {order.side === "BUY" ? "Buy" : "Sell"}
              </span>
              <SymbolLink symbol={order.symbol} />
              <span className="text-muted">{order.reason}</span>
            </span>
            <span className="flex items-center gap-3 tabular-nums">
              <span>
                {quantityText(order.quantity)} at <Money value={order.decisionPrice} />
              </span>
              <SendingText order={order} />
              {order.tradeId !== null && (
                <Link
                  href={`/trade-history/${order.tradeId}`}
                  className="tap rounded-sm font-medium text-accent underline-offset-4 hover:underline"
                >
                  Open the trade
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
