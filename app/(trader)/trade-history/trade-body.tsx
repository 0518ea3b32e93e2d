"use client";
import Link from "next/link";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import { quantityText } from "@/lib/domain/format.ts";
import type { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Banner } from "../../_ui/banner.tsx";
import { EnvironmentBadge } from "../../_ui/badge.tsx";
import { Card } from "../../_ui/card.tsx";
import { FoldGroup } from "../../_ui/fold.tsx";
import { ExplanationCard } from "../../_ui/explanation-card.tsx";
import { Money } from "../../_ui/money.tsx";
import { ReadFailure } from "../../_ui/read-failure.tsx";
import { SkeletonCard } from "../../_ui/skeleton.tsx";
import { Stat } from "../../_ui/stat.tsx";
import { Time } from "../../_ui/time.tsx";
import { SymbolLink } from "../../_ui/symbol-link.tsx";
import { OrderFacts } from "./order-facts.tsx";
import { Slippage } from "./slippage.tsx";
import { StatusBadge } from "../../_ui/status-badge.tsx";
import { Owner, Side } from "./trade-parts.tsx";
import { TradeFills } from "./trade-fills.tsx";
import { TradeTimeline } from "./trade-timeline.tsx";
import { TradeParts, TripCard } from "./trade-trip.tsx";
import { TradeProof, TradeRules, TradeWhy } from "./trade-why.tsx";

type Trade = Answer<typeof tradesApi.read>;

/** Everything about one trade; wide where there is room. */
export function TradeBody({ trade }: { trade: ReturnType<typeof useEndpoint<(typeof tradesApi)["read"]>> }) {
  const { data, failure } = trade;
  return (
    <div className="@container flex flex-col gap-4">
      <ReadFailure
        noun="trade"
        absence="It may belong to another user, or the address is incomplete."
        failure={failure}
        onRetry={trade.retry}
      />
      {trade.isLoading && <Loading />}
      {data && <TradeStory trade={data} />}
    </div>
  );
}

function Loading() {
  return (
    <>
      <SkeletonCard className="h-44" />
      <div className="grid items-start gap-4 @4xl:grid-cols-2">
        <SkeletonCard className="h-96" />
        <SkeletonCard className="h-96" />
      </div>
    </>
  );
}

function TradeStory({ trade }: { trade: Trade }) {
  return (
    <>
      <TradeHead trade={trade} />
      {trade.order.origin === "EXTERNAL" && (
        <Banner
          kind="warning"
          detail="It was placed at the broker, outside Tradewind. There is no decision and no rule behind it; it counts in your figures like any other trade."
        >
          Not placed by Tradewind
        </Banner>
      )}
      <div className="grid items-start gap-4 @4xl:grid-cols-2">
        <TradeTimeline steps={trade.timeline} />
        <div className="flex flex-col gap-4">
          {trade.trip !== null && <TripCard trip={trade.trip} tradeId={trade.id} />}
          <TradeWhy trade={trade} />
        </div>
      </div>
      {trade.isOwn && (
        <ExplanationCard
          endpoint={insightApi.trade}
          input={{ id: trade.id }}
          here={`/trade-history/${trade.id}`}
          of={shownOf(trade)}
        />
      )}
      <FoldGroup>
        <TradeRules verdicts={trade.verdicts} />
        <TradeParts trade={trade} />
        <TradeFills trade={trade} />
        <OrderFacts trade={trade} />
        <TradeProof trade={trade} />
      </FoldGroup>
      {trade.rotationPlanId !== null && <RotationNote planId={trade.rotationPlanId} isOwn={trade.isOwn} />}
    </>
  );
}

/** What changes a trade's words while its page is open. */
function shownOf({ status, filledQuantity, timeline, trip, legs }: Trade): string {
  const raisedTo = legs.findLast(({ isRaised }) => isRaised)?.stopPrice ?? "";
  return `${status} ${filledQuantity} ${timeline.length} ${trip?.closedAt ?? ""} ${raisedTo}`;
}

function TradeHead({ trade }: { trade: Trade }) {
  return (
    <Card>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lg font-medium tabular-nums">
        <Side side={trade.side} />
        <span>
          {quantityText(trade.filledQuantity)}
          {trade.quantity !== null &&
            trade.quantity !== trade.filledQuantity &&
            ` of ${quantityText(trade.quantity)}`}{" "}
          <SymbolLink symbol={trade.symbol} />
        </span>
        {trade.averagePrice !== null && (
          <span>
            at <Money value={trade.averagePrice} />
          </span>
        )}
        <StatusBadge status={trade.status} />
        <EnvironmentBadge environment={trade.account.environmentLabel} />
      </p>
      <p className="mt-1 text-muted">
        {trade.reason !== null && `${trade.reason}, `}
        <Time at={trade.createdAt} />
        {`, ${trade.account.name}`}
      </p>
      {!trade.isOwn && (
        <div className="mt-3">
          <Owner account={trade.account} />
        </div>
      )}
      <dl className="mt-4 grid grid-cols-2 gap-4 @2xl:grid-cols-4">
        <Stat label="Total Value">
          <Money value={trade.totalValue} />
        </Stat>
        <Slippage trade={trade} />
        {trade.order.fees !== 0 && (
          <Stat label="Fees">
            <Money value={trade.order.fees} />
          </Stat>
        )}
        <Stat
          label="Realized P&L"
          note={trade.side === "BUY" ? "on what was sold of it since" : "on the lots that it closed"}
        >
          <Money value={trade.realizedPnl} isChange />
        </Stat>
      </dl>
    </Card>
  );
}

function RotationNote({ planId, isOwn }: { planId: string; isOwn: boolean }) {
  return (
    <p className="text-sm text-muted">
      A leg of rotation plan <code className="font-mono text-xs">{planId.slice(-8)}</code>
      {isOwn ? "" : ", see "}
      {!isOwn && (
        <Link
          href={`/admin?tab=rotation&plan=${planId}`}
          className="font-medium text-accent underline-offset-4 hover:underline"
        >
          the admin console
        </Link>
      )}
      .
    </p>
  );
}
