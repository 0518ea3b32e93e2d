"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { performanceApi } from "@/lib/contracts/performance.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { EnvironmentBadge } from "../../_ui/badge.tsx";
import { Card } from "../../_ui/card.tsx";
import { EquityChart } from "../../_ui/equity-chart.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Segmented } from "../../_ui/segmented.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";

const POLL_MS = 15_000;
const MARKERS_POLL_MS = 30_000;

type Environment = "PRACTICE" | "PAPER" | "LIVE";

/** Figures of different environments never share a curve: with more than one the reader chooses. */
export function EquityCard({ environments }: { environments: Environment[] }) {
  const router = useRouter();
  const [chosen, setChosen] = useState<Environment | null>(null);
  const environment = chosen !== null && environments.includes(chosen) ? chosen : environments[0];
  const input = environment === undefined ? {} : { environment };
  const equity = useEndpoint(portfolioApi.equity, input, { pollMs: POLL_MS });
  const markers = useEndpoint(performanceApi.markers, input, { pollMs: MARKERS_POLL_MS });
  const shown = equity.data;
  const aside =
    environments.length > 1 && environment !== undefined ? (
      <Segmented
        label="Environment of the equity line"
        options={environments.map((each) => ({ value: each, label: each }))}
        value={environment}
        onChange={setChosen}
      />
    ) : (
      environments.map((each) => <EnvironmentBadge key={each} environment={each} />)
    );
  return (
    <Card title="Equity" aside={aside} className="lg:col-span-2">
      {equity.failure !== null && (
        <div className="mb-3">
          <FailureNote text="Failed to load the equity line" detail={equity.failure.message} onRetry={equity.retry} />
        </div>
      )}
      {shown !== undefined && (equity.failure === null || shown.points.length > 0) && (
        <EquityChart
          key={shown.environment}
          points={shown.points}
          benchmark={shown.benchmark}
          markers={markers.data?.environment === shown.environment ? markers.data.markers : undefined}
          onOpenTrade={(id) => router.push(`/trade-history/${id}`)}
        />
      )}
      {equity.isLoading && <Skeleton className="h-96 w-full" />}
    </Card>
  );
}
