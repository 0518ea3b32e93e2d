"use client";
import { consoleApi } from "@/lib/contracts/console.ts";
import { useCursorPages } from "../../_hooks/use-cursor-pages.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useEnvironment } from "../../_hooks/use-environment.ts";
import { Badge } from "../../_ui/badge.tsx";
import { EnvironmentSwitch } from "../../_ui/environment-switch.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { PAGE_ROWS } from "../../_ui/page-rows.ts";
import { SkeletonCard } from "../../_ui/skeleton.tsx";
import { Time } from "../../_ui/time.tsx";
import { ActivityCard } from "./activity-card.tsx";
import { OverviewCards } from "./overview-cards.tsx";
import { PracticeMarketCard } from "./practice-market-card.tsx";
import { ProvidersCard } from "./providers-card.tsx";
import { ReadinessCard } from "./readiness-card.tsx";
import { SuccessCard } from "./success-card.tsx";
import { UserHealthCard } from "./user-health-card.tsx";

const POLL_MS = 10_000;

export function OverviewTab() {
  const { input } = useEnvironment();
  const asked = { ...input, limit: PAGE_ROWS.userHealth };
  // One answer on the first page of users. On a later one the figures go on being read, whatever becomes of that page.
  const metrics = useEndpoint(consoleApi.metrics, asked, { pollMs: POLL_MS });
  const users = useCursorPages(consoleApi.metrics, asked, { pollMs: POLL_MS, pollsLaterPages: true });
  const { data } = metrics;
  const old = metrics.isStale ? "text-muted grayscale" : "";
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <EnvironmentSwitch of={data} />
        <p className="flex items-center gap-2 text-xs text-muted">
          {metrics.isStale && <Badge tone="warn">stale</Badge>}
          {data?.portfolioSummary.asOf != null && (
            <span>
              figures as of <Time at={data.portfolioSummary.asOf} isClock />
            </span>
          )}
        </p>
      </div>
      {metrics.failure !== null && (
        <FailureNote text="Failed to load metrics" detail={metrics.failure.message} onRetry={metrics.retry} />
      )}
      {data === undefined && metrics.isLoading && <Loading />}
      {data !== undefined && (
        <div className={old}>
          <OverviewCards metrics={data} />
        </div>
      )}
      <PracticeMarketCard />
      {data !== undefined && (
        <div className={`flex flex-col gap-4 ${old}`}>
          <div className="grid items-start gap-4 *:min-w-0 lg:grid-cols-3">
            <SuccessCard />
            <ActivityCard className="lg:col-span-2" />
          </div>
          <ProvidersCard providers={data.providers} apiMetrics={data.apiMetrics} />
          <ReadinessCard />
          <UserHealthCard pages={users} />
        </div>
      )}
    </div>
  );
}

function Loading() {
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      {["status", "users", "value", "queue"].map((card) => (
        <SkeletonCard key={card} className="h-32" />
      ))}
    </div>
  );
}
