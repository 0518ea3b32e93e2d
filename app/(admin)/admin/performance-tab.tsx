"use client";
import { consoleApi } from "@/lib/contracts/console.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { providerLabel, TIME_RANGES, toneOfProviderLabel, type TimeRange } from "@/lib/domain/console.ts";
import { countText, shareText } from "@/lib/domain/format.ts";
import { CALL_FAULT_TEXT, type CallFault } from "@/lib/domain/providers.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Card } from "../../_ui/card.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Segmented } from "../../_ui/segmented.tsx";
import { SkeletonRows } from "../../_ui/skeleton.tsx";
import { Table, type Column } from "../../_ui/table.tsx";
import { Time } from "../../_ui/time.tsx";
import { PutAsideCard } from "./put-aside-card.tsx";

const POLL_MS = 10_000;
const RANGES = TIME_RANGES.map((value) => ({ value, label: value }));

type Provider = Answer<typeof consoleApi.providerPerformance>["providers"][number];

const Label = ({ provider }: { provider: Provider }) => {
  const label = providerLabel(provider.successRate);
  return <Badge tone={toneOfProviderLabel(label)}>{label}</Badge>;
};

const timeText = (ms: number | null) => (ms === null ? "—" : `${countText(Math.round(ms))} ms`);

const COLUMNS: Column<Provider>[] = [
  { key: "provider", title: "Provider", cell: (row) => <Name provider={row} /> },
  { key: "label", title: "Rating", cell: (row) => <Label provider={row} /> },
  {
    key: "successRate",
    title: "Success Rate",
    isNumber: true,
    cell: ({ successRate }) => (successRate === null ? "—" : shareText(successRate)),
  },
  {
    key: "averageResponseTime",
    title: "Avg Response Time",
    isNumber: true,
    cell: ({ averageResponseTime }) => timeText(averageResponseTime),
  },
  { key: "totalRequests", title: "Total Requests", isNumber: true, cell: (row) => countText(row.totalRequests) },
  { key: "errorCount", title: "Errors", isNumber: true, cell: (row) => countText(row.errorCount) },
  { key: "agreement", title: "Agreed", cell: (row) => <Agreement provider={row} /> },
  {
    key: "lastCheck",
    title: "Last Call",
    cell: ({ lastCheck }) => (lastCheck === null ? "—" : <Time at={lastCheck} />),
  },
];

export function PerformanceTab() {
  const { values, change } = useUrlValues({ range: "24h" });
  const range: TimeRange = TIME_RANGES.find((each) => each === values.range) ?? "24h";
  const performance = useEndpoint(consoleApi.providerPerformance, { range }, { pollMs: POLL_MS });
  const { data, failure } = performance;
  return (
    <div className="flex flex-col gap-4">
      <Card
        title="Provider Performance"
        aside={
          <Segmented label="Time range" options={RANGES} value={range} onChange={(next) => change({ range: next })} />
        }
      >
        {failure !== null && (
          <FailureNote
            text="Failed to load provider performance data"
            detail={failure.message}
            onRetry={performance.retry}
          />
        )}
        {data === undefined ? (
          failure === null && <SkeletonRows />
        ) : (
          <>
            <p className="mb-3 flex flex-wrap items-center gap-2 text-xs text-muted">
              {performance.isStale && <Badge tone="warn">stale</Badge>}
              <span>
                Calls of all processes since <Time at={data.since} />.
              </span>
            </p>
            <div className={`-mx-4 sm:-mx-5 ${performance.isOld || performance.isStale ? "text-muted grayscale" : ""}`}>
              <Table
                caption="Provider performance"
                columns={COLUMNS}
                rows={data.providers}
                rowKey={({ provider }) => provider}
                card={(row) => <ProviderCard provider={row} />}
              />
            </div>
          </>
        )}
      </Card>
      {data !== undefined && <PutAsideCard {...data} />}
    </div>
  );
}

const agreedText = ({ agreed, compared }: NonNullable<Provider["agreement"]>) =>
  `${shareText(agreed / compared)} of ${countText(compared)}`;

/** How often it agreed with the other sources, and what it disagreed about last. */
function Agreement({ provider: { agreement, lastDisagreement } }: { provider: Provider }) {
  return (
    <>
      <span className="block whitespace-nowrap tabular-nums">
        {agreement === null || agreement.compared === 0 ? "—" : agreedText(agreement)}
      </span>
      {lastDisagreement !== null && (
        <span className="block text-xs text-muted">
          last not: {lastDisagreement.symbol}, <Time at={lastDisagreement.foundAt} />
        </span>
      )}
    </>
  );
}

function Name({ provider }: { provider: Provider }) {
  return (
    <>
      <span className="block font-medium">{provider.provider}</span>
      {!provider.configured && <span className="block text-xs text-muted">not configured</span>}
      {provider.faults.map(({ operation, error, status, count }) => (
        <span key={`${operation}${error}${status}`} className="block text-xs text-muted">
          {operation}: {faultText(error)}
          {status === null ? "" : ` (${status})`}, {countText(count)}×
        </span>
      ))}
    </>
  );
}

const faultText = (error: string) => CALL_FAULT_TEXT[error as CallFault] ?? error;

function ProviderCard({ provider }: { provider: Provider }) {
  return (
    <div className="flex flex-col gap-1 text-sm">
      <div className="flex items-start justify-between gap-3">
        <span className="min-w-0">
          <Name provider={provider} />
        </span>
        <Label provider={provider} />
      </div>
      <p className="text-xs text-muted tabular-nums">
        {provider.successRate === null
          ? "no calls in this range"
          : `${shareText(provider.successRate)} of ${countText(provider.totalRequests)} calls, ${timeText(provider.averageResponseTime)} on average`}
      </p>
      {provider.agreement !== null && provider.agreement.compared > 0 && (
        <p className="text-xs text-muted tabular-nums">agreed: {agreedText(provider.agreement)} compared</p>
      )}
    </div>
  );
}
