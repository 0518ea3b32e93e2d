"use client";
import { useRouter } from "next/navigation";
import { useMemo } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { performanceApi } from "@/lib/contracts/performance.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import type { Environment } from "@/lib/domain/enums.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { ofEnvironment, useEnvironment } from "../../_hooks/use-environment.ts";
import { Card } from "../../_ui/card.tsx";
import { EquityChart } from "../../_ui/equity-chart.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";

const POLL_MS = 30_000;
const MARKERS_POLL_MS = 60_000;

type Figures = Answer<typeof portfolioApi.summary>;
type Points = Answer<typeof portfolioApi.equity>["points"];

interface EquityCardProps {
  /** Of the page: undefined while it is not known, null without an account. */
  environment: Environment | null | undefined;
  /** Whether the page says already that it could not be read: then the line of before stands without a banner of its own. */
  isFailureShown: boolean;
  /** The page's amounts, which are read more often than the line. */
  latest: Figures | undefined;
}

/** The line ends where the page's amounts stand: one equity on one screen. */
function upTo(points: Points, { asOf, accounts, totalValue, pnlSinceAdded }: Figures): Points {
  const last = points.at(-1);
  if (
    last === undefined ||
    points.length < 2 ||
    asOf === null ||
    asOf <= last.at ||
    !accounts.every(({ isInSums }) => isInSums)
  )
    return points;
  return [...points, { at: asOf, equity: totalValue, netDeposits: totalValue - pnlSinceAdded }];
}

/** The equity line of the page's environment. */
export function EquityCard({ environment, isFailureShown, latest }: EquityCardProps) {
  const router = useRouter();
  const { input } = useEnvironment();
  const equity = useEndpoint(portfolioApi.equity, input, { pollMs: POLL_MS });
  const markers = useEndpoint(performanceApi.markers, input, { pollMs: MARKERS_POLL_MS });
  const shown = ofEnvironment(equity.data, environment);
  const drawn = ofEnvironment(latest, environment);
  const points = useMemo(
    () => shown && (drawn === undefined ? shown.points : upTo(shown.points, drawn)),
    [shown, drawn],
  );
  return (
    <Card title="Equity" className="max-lg:order-3 lg:order-first">
      {equity.failure !== null && isFailureShown && shown === undefined && <p className="text-muted">Not loaded.</p>}
      {equity.failure !== null && !isFailureShown && (
        <div className="mb-3">
          <FailureNote text="Failed to load the equity line" detail={equity.failure.message} onRetry={equity.retry} />
        </div>
      )}
      {shown !== undefined && points !== undefined && (equity.failure === null || shown.points.length > 0) && (
        <EquityChart
          key={shown.environment}
          points={points}
          benchmark={shown.benchmark}
          markers={markers.data?.environment === shown.environment ? markers.data.markers : undefined}
          onOpenTrade={(id) => router.push(`/trade-history/${id}`)}
        />
      )}
      {(equity.isLoading || (equity.data !== undefined && shown === undefined)) && <Skeleton className="h-96 w-full" />}
    </Card>
  );
}
