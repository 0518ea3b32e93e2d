"use client";
import { Printer } from "lucide-react";
import { useRouter } from "next/navigation";
import { memo, useDeferredValue, useState } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { performanceApi } from "@/lib/contracts/performance.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import type { Environment } from "@/lib/domain/enums.ts";
import { newYorkInstant } from "@/lib/domain/time.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useEnvironment } from "../../_hooks/use-environment.ts";
import { useSession } from "../../_hooks/use-session.ts";
import { isBackwards, useTypedPeriod } from "../../_hooks/use-typed-period.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { EnvironmentBadge } from "../../_ui/badge.tsx";
import { Button } from "../../_ui/button.tsx";
import { ButtonLink } from "../../_ui/button-link.tsx";
import { Card } from "../../_ui/card.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { EnvironmentSwitch } from "../../_ui/environment-switch.tsx";
import { EquityChart } from "../../_ui/equity-chart.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { GreyWhileOld } from "../../_ui/grey-while-old.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { SidePanel } from "../../_ui/side-panel.tsx";
import { Skeleton, SkeletonCard } from "../../_ui/skeleton.tsx";
import { AnswerCard } from "./answer-card.tsx";
import { CalendarCard } from "./calendar-card.tsx";
import { ExposureCard } from "./exposure-card.tsx";
import { FigureCards } from "./figure-cards.tsx";
import { Groups } from "./groups.tsx";
import { MonthsTable } from "./months-table.tsx";
import { PeriodBar } from "./period-bar.tsx";
import { SessionRows } from "./session-rows.tsx";
import { StatementCard } from "./statement-card.tsx";
import { TripTable } from "./trip-table.tsx";
import { Trips, type TripFilter } from "./trips.tsx";
import { WeeksCard } from "./weeks-card.tsx";

const POLL_MS = 30_000;

export type Performance = Answer<typeof performanceApi.read>;
/** The rows behind a figure. */
export type Rows = { kind: "sessions"; title: string } | { kind: "trips"; title: string; filter: TripFilter };

export function PerformanceScreen() {
  const isAdmin = useSession().user?.role === "ADMIN";
  const { values, change } = useUrlValues({ from: "", to: "" });
  const { wanted } = useEnvironment();
  const period = useTypedPeriod(values.from, values.to);
  const performance = useEndpoint(performanceApi.read, inputOf(wanted, period.first, period.last), { pollMs: POLL_MS });
  const data = performance.data;
  const isEmpty = data !== undefined && data.asOf === null;
  // The figures, tables and charts of another period are drawn after the press that chose it shows.
  const [from, to] = [useDeferredValue(period.first), useDeferredValue(period.last)];

  return (
    <div className="flex flex-col gap-4">
      <PageHead
        title="Performance"
        environment={<EnvironmentSwitch of={data} />}
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
      {!isEmpty && <PeriodBar from={values.from} to={values.to} today={data?.newestDay ?? null} onChange={change} />}
      {performance.failure !== null && !isBackwards(values.from, values.to) && (
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
            <Empty
              title="No figures"
              hint="Administrators have no brokerage accounts, so there are no figures of your own."
            />
          ) : (
            <Empty title="No figures yet" hint="They begin with the first reading of a connected account.">
              <ButtonLink tone="secondary" href="/alpaca-keys">
                Connect an account
              </ButtonLink>
            </Empty>
          )}
        </Card>
      )}
      <GreyWhileOld
        isOld={performance.isOld}
        className={`flex flex-col gap-4 ${performance.isStale ? "text-muted grayscale" : ""}`}
      >
        <Report performance={isEmpty ? undefined : data} wanted={wanted} from={from} to={to} />
      </GreyWhileOld>
    </div>
  );
}

/** What the reading calls are asked for; without an environment the server chooses. */
const inputOf = (environment: Environment | undefined, from: string, to: string) => ({
  ...(environment === undefined ? {} : { environment }),
  ...(from === "" ? {} : { from }),
  ...(to === "" ? {} : { to }),
});

interface ReportProps {
  /** Undefined while there is none. */
  performance: Performance | undefined;
  wanted: Environment | undefined;
  from: string;
  to: string;
}

/** Everything below the head of the page: rendered again only for new figures or another period. */
const Report = memo(function Report({ performance: data, wanted, from: first, to: last }: ReportProps) {
  const router = useRouter();
  const [rows, setRows] = useState<Rows | null>(null);
  const equity = useEndpoint(portfolioApi.equity, inputOf(wanted, "", ""), { pollMs: POLL_MS });
  const markers = useEndpoint(performanceApi.markers, inputOf(wanted, first, last), { pollMs: POLL_MS });
  const openTrade = (id: string) => router.push(`/trade-history/${id}`);
  const environment = data?.environment ?? null;
  if (data === undefined || environment === null) return null;

  const from = first === "" ? "" : newYorkInstant(first, 0, 0);
  const until = last === "" ? "9999" : newYorkInstant(last, 23, 59, 59);
  const line = equity.data?.environment === environment ? equity.data : undefined;
  const before = line?.points.findLast(({ at }) => at < from) ?? null;
  const inside = line?.points.filter(({ at }) => at >= from && at <= until) ?? [];
  const filter = inputOf(environment, first, last);

  return (
    <>
      <AnswerCard performance={data} />
      <Card title="Equity">
        {equity.failure !== null && (
          <FailureNote text="Failed to load the equity line" detail={equity.failure.message} onRetry={equity.retry} />
        )}
        {equity.isLoading && <Skeleton className="h-96" />}
        {line !== undefined && (
          <EquityChart
            key={`${environment} ${first} ${last}`}
            points={before === null ? inside : [before, ...inside]}
            benchmark={line.benchmark}
            markers={markers.data?.environment === environment ? markers.data.markers : undefined}
            onOpenTrade={openTrade}
          />
        )}
      </Card>
      <div className="flex flex-col gap-4 *:later">
        <FigureCards performance={data} onRows={setRows} />
        <Card title="Returns by month">
          <MonthsTable years={data.years} />
        </Card>
        <CalendarCard key={environment} days={data.days} />
        <WeeksCard environment={environment} />
        <Groups performance={data} onRows={setRows} />
        <Extremes performance={data} />
        <ExposureCard exposure={data.exposure} />
        <StatementCard performance={data} />
        <Card title="All round trips">
          <Trips filter={filter} />
        </Card>
      </div>
      <SidePanel isOpen={rows !== null} onClose={() => setRows(null)} title={rows?.title ?? ""}>
        <div className="mb-3">
          <EnvironmentBadge environment={environment} />
        </div>
        {rows?.kind === "trips" && <Trips filter={{ ...filter, ...rows.filter }} isShort />}
        {rows?.kind === "sessions" && <SessionRows days={data.days} />}
      </SidePanel>
    </>
  );
});

/** The round trips that made and that lost the most. */
function Extremes({ performance: { trips, best, worst } }: { performance: Performance }) {
  if (trips.total === 0) return null;
  const lists = [
    { title: "Best round trips", rows: best, none: "No round trip won in this period." },
    { title: "Worst round trips", rows: worst, none: "No round trip lost in this period." },
  ];
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      {lists.map(({ title, rows, none }) => (
        <Card key={title} title={title}>
          {rows.length === 0 ? (
            <p className="text-sm text-muted">{none}</p>
          ) : (
            <TripTable caption={title} trips={rows} isShort />
          )}
        </Card>
      ))}
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
