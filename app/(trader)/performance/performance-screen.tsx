"use client";
import { Printer } from "lucide-react";
import { useRouter } from "next/navigation";
import { useDeferredValue, useState } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { performanceApi } from "@/lib/contracts/performance.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { newYorkInstant } from "@/lib/domain/time.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useSession } from "../../_hooks/use-session.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { EnvironmentBadge } from "../../_ui/badge.tsx";
import { Button } from "../../_ui/button.tsx";
import { ButtonLink } from "../../_ui/button-link.tsx";
import { Card } from "../../_ui/card.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { EquityChart } from "../../_ui/equity-chart.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { Segmented } from "../../_ui/segmented.tsx";
import { SidePanel } from "../../_ui/side-panel.tsx";
import { Skeleton, SkeletonCard } from "../../_ui/skeleton.tsx";
import { AnswerCard } from "./answer-card.tsx";
import { FigureCards } from "./figure-cards.tsx";
import { Groups } from "./groups.tsx";
import { MonthsTable } from "./months-table.tsx";
import { PeriodBar } from "./period-bar.tsx";
import { SessionRows } from "./session-rows.tsx";
import { StatementCard } from "./statement-card.tsx";
import { TripTable } from "./trip-table.tsx";
import { Trips, type TripFilter } from "./trips.tsx";

const POLL_MS = 30_000;

export type Performance = Answer<typeof performanceApi.read>;
type Environment = Performance["environments"][number];
/** The rows behind a figure. */
export type Rows = { kind: "sessions"; title: string } | { kind: "trips"; title: string; filter: TripFilter };

/** An address may carry anything: only what exists counts. */
const known = (name: string): { environment?: Environment } =>
  name === "PRACTICE" || name === "PAPER" || name === "LIVE" ? { environment: name } : {};

export function PerformanceScreen() {
  const router = useRouter();
  const isAdmin = useSession().user?.role === "ADMIN";
  const { values, change } = useUrlValues({ environment: "", from: "", to: "" });
  const [rows, setRows] = useState<Rows | null>(null);
  const chosen = known(values.environment);
  const period = {
    ...(values.from === "" ? {} : { from: values.from }),
    ...(values.to === "" ? {} : { to: values.to }),
  };
  const input = { ...chosen, ...period };
  const performance = useEndpoint(performanceApi.read, input, { pollMs: POLL_MS });
  const equity = useEndpoint(portfolioApi.equity, chosen, { pollMs: POLL_MS });
  const markers = useEndpoint(performanceApi.markers, input, { pollMs: POLL_MS });
  const data = performance.data;
  const environment = data?.environment ?? null;
  const openTrade = (id: string) => router.push(`/trade-history/${id}`);
  // A chart of another period is drawn anew: the press shows first.
  const [first, last] = [useDeferredValue(values.from), useDeferredValue(values.to)];
  const [from, before] = [
    first === "" ? "" : newYorkInstant(first, 0, 0),
    last === "" ? "9999" : newYorkInstant(last, 23, 59, 59),
  ];
  const line = equity.data?.environment === environment ? equity.data : undefined;
  const base = line?.points.findLast(({ at }) => at < from)?.at ?? "";
  const points = line?.points.filter(({ at }) => at >= base && at <= before) ?? [];
  const isEmpty = data !== undefined && data.asOf === null;

  return (
    <div className="flex flex-col gap-4">
      <PageHead
        title="Performance"
        environments={environment === null ? [] : [environment]}
        asOf={data?.asOf ?? null}
        isStale={performance.isStale}
      >
        <span className="print:hidden">
          <Button tone="secondary" onClick={printLight} disabled={data === undefined || isEmpty}>
            <Printer aria-hidden className="size-4" />
            Print
          </Button>
        </span>
      </PageHead>
      {data !== undefined && data.environments.length > 1 && (
        <div className="flex flex-wrap items-center gap-3 print:hidden">
          <Segmented
            label="Environment"
            options={data.environments.map((each) => ({ value: each, label: each }))}
            value={environment ?? "PRACTICE"}
            onChange={(next) => change({ environment: next === data.environments[0] ? "" : next })}
          />
          <p className="text-xs text-muted">Figures of different environments are never added up.</p>
        </div>
      )}
      {!isEmpty && <PeriodBar from={values.from} to={values.to} asOf={data?.asOf ?? null} onChange={change} />}
      {performance.failure !== null && (
        <FailureNote
          text="Failed to load the performance"
          detail={performance.failure.message}
          onRetry={performance.retry}
        />
      )}
      {performance.isLoading && <Loading />}
      {isEmpty && (
        <Card>
          {isAdmin ? (
            <Empty title="No figures" hint="Accounts belong to traders, and so do their figures." />
          ) : (
            <Empty title="No figures yet" hint="They begin with the first reading of a connected account.">
              <ButtonLink tone="secondary" href="/alpaca-keys">
                Connect an account
              </ButtonLink>
            </Empty>
          )}
        </Card>
      )}
      {data !== undefined && environment !== null && !isEmpty && (
        <>
          <AnswerCard performance={data} environment={environment} />
          <Card title="Equity" aside={<EnvironmentBadge environment={environment} />}>
            {equity.failure !== null && (
              <FailureNote
                text="Failed to load the equity line"
                detail={equity.failure.message}
                onRetry={equity.retry}
              />
            )}
            {equity.isLoading && <Skeleton className="h-96" />}
            {line !== undefined && (
              <EquityChart
                key={`${environment} ${first} ${last}`}
                points={points}
                benchmark={line.benchmark}
                markers={markers.data?.environment === environment ? markers.data.markers : undefined}
                onOpenTrade={openTrade}
              />
            )}
          </Card>
          <FigureCards performance={data} environment={environment} onRows={setRows} />
          <Card title="Returns by month" aside={<EnvironmentBadge environment={environment} />}>
            <MonthsTable years={data.years} />
          </Card>
          <Groups performance={data} environment={environment} onRows={setRows} />
          {data.trips.total > 0 && (
            <div className="grid gap-4 xl:grid-cols-2">
              {[
                { title: "Best round trips", trips: data.best, none: "No round trip won in this period." },
                { title: "Worst round trips", trips: data.worst, none: "No round trip lost in this period." },
              ].map(({ title, trips, none }) => (
                <Card key={title} title={title} aside={<EnvironmentBadge environment={environment} />}>
                  {trips.length === 0 ? (
                    <p className="text-sm text-muted">{none}</p>
                  ) : (
                    <TripTable caption={title} trips={trips} isShort />
                  )}
                </Card>
              ))}
            </div>
          )}
          <StatementCard performance={data} environment={environment} />
          <Card title="All round trips" aside={<EnvironmentBadge environment={environment} />}>
            <Trips filter={{ environment, ...period }} />
          </Card>
          <SidePanel isOpen={rows !== null} onClose={() => setRows(null)} title={rows?.title ?? ""}>
            <div className="mb-3">
              <EnvironmentBadge environment={environment} />
            </div>
            {rows?.kind === "trips" && <Trips filter={{ environment, ...period, ...rows.filter }} isShort />}
            {rows?.kind === "sessions" && <SessionRows points={points} />}
          </SidePanel>
        </>
      )}
    </div>
  );
}

/** Paper is light: the chart is drawn in the light colours before the page goes to print, and in its own after it. */
function printLight() {
  const { classList } = document.documentElement;
  const isDark = classList.contains("dark");
  classList.remove("dark");
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      window.print();
      if (isDark) classList.add("dark");
    }),
  );
}

function Loading() {
  return (
    <>
      <SkeletonCard className="h-36" />
      <SkeletonCard className="h-120" />
      <SkeletonCard className="h-64" />
    </>
  );
}
