"use client";
import { useState } from "react";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Card } from "../../_ui/card.tsx";
import { EquityChart } from "../../_ui/equity-chart.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Segmented } from "../../_ui/segmented.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { Badges } from "./portfolio-cards.tsx";

const POLL_MS = 15_000;

type Environment = "PRACTICE" | "PAPER" | "LIVE";

/** Figures of different environments never share a curve: with more than one the reader chooses. */
export function EquityCard({ environments }: { environments: Environment[] }) {
  const [chosen, setChosen] = useState<Environment | null>(null);
  const environment = chosen !== null && environments.includes(chosen) ? chosen : environments[0];
  const equity = useEndpoint(portfolioApi.equity, environment === undefined ? {} : { environment }, {
    pollMs: POLL_MS,
  });
  const aside =
    environments.length > 1 && environment !== undefined ? (
      <Segmented
        label="Environment of the equity line"
        options={environments.map((each) => ({ value: each, label: each }))}
        value={environment}
        onChange={setChosen}
      />
    ) : (
      <Badges environments={environments} />
    );
  return (
    <Card title="Equity" aside={aside} className="lg:col-span-2">
      {equity.failure !== null && (
        <div className="mb-3">
          <FailureNote text="Failed to load the equity line" detail={equity.failure.message} onRetry={equity.retry} />
        </div>
      )}
      {equity.data !== undefined && (equity.failure === null || equity.data.points.length > 0) && (
        <EquityChart key={equity.data.environment} points={equity.data.points} />
      )}
      {equity.isLoading && <Skeleton className="h-72 w-full" />}
    </Card>
  );
}
