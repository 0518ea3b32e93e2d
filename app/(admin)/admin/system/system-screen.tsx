"use client";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { systemApi } from "@/lib/contracts/system.ts";
import { bytesText, toneOfSkew } from "@/lib/domain/console.ts";
import { countText } from "@/lib/domain/format.ts";
import { useEndpoint } from "../../../_hooks/use-endpoint.ts";
import { Badge } from "../../../_ui/badge.tsx";
import { Card } from "../../../_ui/card.tsx";
import { FailureNote } from "../../../_ui/failure-note.tsx";
import { SkeletonCard } from "../../../_ui/skeleton.tsx";
import { Stat } from "../../../_ui/stat.tsx";
import { Time } from "../../../_ui/time.tsx";
import { ConsoleHead } from "../../console-head.tsx";
import { ProcessesCard } from "./processes-card.tsx";
import { QueueCard } from "./queue-card.tsx";
import { SchedulesCard } from "./schedules-card.tsx";
import { StreamsCard } from "./streams-card.tsx";

const POLL_MS = 10_000;

export type System = Answer<typeof systemApi.read>;

/** What an operator needs in an emergency, without a terminal. */
export function SystemScreen() {
  const { data, failure, isLoading, isStale, retry } = useEndpoint(systemApi.read, {}, { pollMs: POLL_MS });
  return (
    <div className="flex flex-col gap-4">
      <ConsoleHead title="System" asOf={data?.at ?? null} isStale={isStale} />
      {failure !== null && (
        <FailureNote text="Failed to load the state of the system" detail={failure.message} onRetry={retry} />
      )}
      {data === undefined ? (
        isLoading && ["runs", "queue", "schedules"].map((card) => <SkeletonCard key={card} className="h-48" />)
      ) : (
        <div className={`flex flex-col gap-4 ${isStale ? "text-muted grayscale" : ""}`}>
          <ProcessesCard system={data} />
          <div className="grid items-start gap-4 *:min-w-0 lg:grid-cols-3">
            <QueueCard system={data} />
            <ClockCard clock={data.clock} />
            <DatabaseCard database={data.database} />
          </div>
          <SchedulesCard system={data} />
          <StreamsCard streams={data.streams} />
        </div>
      )}
    </div>
  );
}

function ClockCard({ clock: { skewMs, at, note } }: Pick<System, "clock">) {
  return (
    <Card
      title="Clock"
      aside={skewMs !== null && <Badge tone={toneOfSkew(skewMs)}>{Math.abs(skewMs) > 5_000 ? "Wrong" : "Right"}</Badge>}
    >
      <p className="text-2xl font-semibold tracking-tight tabular-nums">
        {skewMs === null ? "—" : `${skewMs > 0 ? "+" : ""}${countText(skewMs)} ms`}
      </p>
      <p className="mt-1 text-sm text-muted">
        {note}{" "}
        {at !== null && (
          <>
            Measured <Time at={at} isClock />.
          </>
        )}
      </p>
    </Card>
  );
}

function DatabaseCard({ database }: Pick<System, "database">) {
  const { sizeBytes, connections, maxConnections, version } = database;
  const isFull = connections > 0.8 * maxConnections;
  return (
    <Card title="Database" aside={isFull && <Badge tone="warn">Few connections left</Badge>}>
      <dl className="grid grid-cols-2 gap-4">
        <Stat label="Size" note={`Postgres ${version}`}>
          {bytesText(sizeBytes)}
        </Stat>
        <Stat label="Connections" note={`of ${countText(maxConnections)}`}>
          {countText(connections)}
        </Stat>
      </dl>
    </Card>
  );
}
