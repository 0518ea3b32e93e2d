"use client";
import { ChevronLeft, ChevronRight } from "lucide-react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { performanceApi } from "@/lib/contracts/performance.ts";
import { dateText } from "@/lib/domain/format.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useEnvironment } from "../../_hooks/use-environment.ts";
import { BackLink } from "../../_ui/back-link.tsx";
import { Badge } from "../../_ui/badge.tsx";
import { ButtonLink } from "../../_ui/button-link.tsx";
import { Card } from "../../_ui/card.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { EnvironmentSwitch } from "../../_ui/environment-switch.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { ReadFailure } from "../../_ui/read-failure.tsx";
import { SkeletonCard } from "../../_ui/skeleton.tsx";
import { SentenceParts } from "../../_ui/sentence-text.tsx";
import { TripTable } from "./trip-table.tsx";
import { WeekFigures } from "./week-figures.tsx";
import { WeekHeld } from "./week-held.tsx";
import { WeekRefused } from "./week-refused.tsx";
import { WeekSessions } from "./week-sessions.tsx";

const POLL_MS = 30_000;

export type Week = Answer<typeof performanceApi.week>;

/** A week in review: what its mail says, and what that is made of. */
export function WeekScreen({ week }: { week: string }) {
  const { input } = useEnvironment();
  const read = useEndpoint(performanceApi.week, { week, ...input }, { pollMs: POLL_MS });
  const data = read.isOld ? undefined : read.data;
  return (
    <div className="flex flex-col gap-4">
      <BackLink href="/performance">Performance</BackLink>
      <PageHead
        title={data === undefined ? "Week" : `Week of ${dateText(data.monday)}`}
        environment={<EnvironmentSwitch of={data} />}
        asOf={data?.asOf ?? null}
        isStale={read.isStale}
      >
        {data && <Neighbours data={data} />}
      </PageHead>
      <ReadFailure
        noun="week"
        absence="A week is named by a date in it, such as 2026-11-16."
        failure={read.failure}
        onRetry={read.retry}
      />
      {read.failure === null && data === undefined && <Loading />}
      {data && <Loaded data={data} />}
    </div>
  );
}

/** The weeks before and after it, in the same environment. */
function Neighbours({ data: { previous, next, environment } }: { data: Week }) {
  const hrefOf = (monday: string) =>
    `/performance/week/${monday}${environment === null ? "" : `?env=${environment.toLowerCase()}`}`;
  return (
    <nav aria-label="Weeks" className="flex gap-2 print:hidden">
      {previous !== null && (
        <ButtonLink tone="secondary" href={hrefOf(previous)}>
          <ChevronLeft aria-hidden className="size-4" />
          Previous week
        </ButtonLink>
      )}
      {next !== null && (
        <ButtonLink tone="secondary" href={hrefOf(next)}>
          Next week
          <ChevronRight aria-hidden className="size-4" />
        </ButtonLink>
      )}
    </nav>
  );
}

function Loaded({ data }: { data: Week }) {
  if (data.figures === null)
    return (
      <Card>
        <Empty
          title={data.headline.map(({ text }) => text).join("")}
          hint="Figures begin with the first reading of a connected account, and end with the market's own week."
        />
      </Card>
    );
  return (
    <>
      <Card
        title={`Monday ${dateText(data.monday)} to Friday ${dateText(data.friday)}`}
        aside={data.isRunning ? <Badge>so far</Badge> : undefined}
      >
        <p className="text-xl font-semibold tracking-tight text-balance tabular-nums">
          <SentenceParts parts={data.headline} isToned />
        </p>
        <p className="mt-2 text-xs text-muted">
          Deposits and withdrawals do not count as gain or loss. SPY includes dividends, over the same sessions.
        </p>
      </Card>
      <WeekSessions data={data} besideSessions={data.figures.besideSessions} />
      <WeekFigures figures={data.figures} environment={data.environment} />
      <Card title="Round trips">
        {data.trips.length === 0 ? (
          <p className="text-sm text-muted">
            No round trip was closed{data.isRunning ? " so far" : ""}. One closes when a position is flat again.
          </p>
        ) : (
          <TripTable caption="Round trips closed in the week, latest exit first" trips={data.trips} isShort />
        )}
        {data.moreTrips > 0 && (
          <p className="mt-3 text-sm text-muted">
            {data.moreTrips} more {data.moreTrips === 1 ? "is" : "are"} on the Performance page.
          </p>
        )}
      </Card>
      <WeekRefused refusals={data.refusals} />
      <WeekHeld data={data} />
    </>
  );
}

function Loading() {
  return (
    <>
      <SkeletonCard className="h-32" />
      <SkeletonCard className="h-64" />
      <SkeletonCard className="h-64" />
    </>
  );
}
