"use client";
import Link from "next/link";
import { decisionsApi } from "@/lib/contracts/decisions.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import { countText, quantityText } from "@/lib/domain/format.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { BackLink } from "../../_ui/back-link.tsx";
import { Badge, EnvironmentBadge } from "../../_ui/badge.tsx";
import { Card } from "../../_ui/card.tsx";
import { InWords } from "../../_ui/in-words.tsx";
import { AmountsText, Money } from "../../_ui/money.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { ReadFailure } from "../../_ui/read-failure.tsx";
import { Recompute } from "../../_ui/recompute.tsx";
import { SkeletonCard, SkeletonRows } from "../../_ui/skeleton.tsx";
import { Stat } from "../../_ui/stat.tsx";
import { Time } from "../../_ui/time.tsx";
import { Candidates } from "./candidates.tsx";
import { REGIMES, withoutClock } from "./labels.ts";

type Decision = Answer<typeof decisionsApi.read>;

export function DecisionScreen({ id }: { id: string }) {
  const decision = useEndpoint(decisionsApi.read, { id });
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
        absence="It may belong to another sign-in, or the address is incomplete."
        failure={decision.failure}
        onRetry={decision.retry}
      />
      {decision.isLoading && <Loading />}
      {decision.data && <Told decision={decision.data} />}
    </div>
  );
}

function Loading() {
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-3">
        <SkeletonCard className="h-56" />
        <SkeletonCard className="h-56" />
        <SkeletonCard className="h-56" />
      </div>
      <div className="overflow-clip rounded-xl border border-line bg-surface">
        <SkeletonRows />
      </div>
    </>
  );
}

function Told({ decision }: { decision: Decision }) {
  const regime = REGIMES[decision.regime.label];
  return (
    <>
      <p className="text-lg font-medium text-balance">{withoutClock(decision.line)}</p>
      <InWords endpoint={insightApi.decision} input={{ id: decision.id }} here={`/decisions/${decision.id}`} />
      <div className="grid gap-4 lg:grid-cols-3">
        <Card title="What it looked at">
          <dl className="grid grid-cols-2 gap-4">
            <Stat label="Screened">{countText(decision.screened)}</Stat>
            <Stat label="Seated">{countText(decision.seated)}</Stat>
            <Stat label="Signals">{countText(decision.signals)}</Stat>
            <Stat label="Orders">{countText(decision.orders)}</Stat>
            <Stat label="Market regime">
              <Badge tone={regime.tone}>{regime.label}</Badge>
            </Stat>
            <Stat label="VIX">{decision.regime.vix === null ? "—" : decision.regime.vix.toFixed(2)}</Stat>
          </dl>
        </Card>
        <Card title="The account at that moment">
          <dl className="grid grid-cols-2 gap-4">
            <Stat label="Equity">
              <Money value={decision.account.equity} />
            </Stat>
            <Stat label="Cash">
              <Money value={decision.account.cash} />
            </Stat>
            <Stat label="Buying power">
              <Money value={decision.account.buyingPower} />
            </Stat>
            <Stat label="Positions">{countText(decision.account.positions)}</Stat>
          </dl>
          {[decision.account.automationOff, decision.account.haltReason].map(
            (reason) =>
              reason !== null && (
                <p key={reason} className="mt-3 text-warn">
                  <AmountsText text={reason} />
                </p>
              ),
          )}
        </Card>
        <Card title="Proof">
          <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
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
        </Card>
      </div>
      {decision.ordered.length > 0 && <Orders orders={decision.ordered} />}
      <Candidates candidates={decision.candidates} />
    </>
  );
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
              <span className="font-semibold">{order.symbol}</span>
              <span className="text-muted">{order.reason}</span>
            </span>
            <span className="flex items-center gap-3 tabular-nums">
              <span>
                {quantityText(order.quantity)} at <Money value={order.decisionPrice} />
              </span>
              {order.tradeId === null ? (
                <span className="text-muted">not sent</span>
              ) : (
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
