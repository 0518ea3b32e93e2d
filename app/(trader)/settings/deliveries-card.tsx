"use client";
import { channelsApi } from "@/lib/contracts/channels.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Banner } from "../../_ui/banner.tsx";
import { Card } from "../../_ui/card.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { TextButton } from "../../_ui/button.tsx";
import { AmountsText } from "../../_ui/money.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { Table, type Column } from "../../_ui/table.tsx";
import { Time } from "../../_ui/time.tsx";

type Delivery = Answer<typeof channelsApi.deliveries>["deliveries"][number];

const POLL_MS = 5_000;

const STATES = {
  WAITING: { tone: "warn", label: "Waiting" },
  DELIVERED: { tone: "gain", label: "Delivered" },
  FAILED: { tone: "loss", label: "Failed" },
} as const;

export function DeliveriesCard() {
  const read = useEndpoint(channelsApi.deliveries, {}, { pollMs: POLL_MS });
  const retrying = useAction(channelsApi.retryDelivery, { refreshes: [channelsApi.deliveries] });
  const rows = read.data?.deliveries;
  const retry = (row: Delivery) =>
    row.canRetry && (
      <TextButton
        disabled={retrying.isBusy}
        aria-label={`Send again: ${row.title}`}
        onClick={() => retrying.run({ id: row.id })}
      >
        Send again
      </TextButton>
    );
  const columns: Column<Delivery>[] = [
    { key: "at", title: "Time", cell: ({ createdAt }) => <Time at={createdAt} /> },
    { key: "what", title: "Event", cell: (row) => <Event {...row} /> },
    { key: "state", title: "Status", cell: (row) => <Outcome {...row} /> },
    { key: "attempts", title: "Attempts", isNumber: true, cell: ({ attempts }) => attempts },
    { key: "again", title: "Action", isScreenOnly: true, cell: retry },
  ];
  return (
    <Card title="Deliveries">
      <p className="mb-3 text-sm text-muted">
        The last 50 to your webhook and browsers. They are deleted after 30 days.
      </p>
      {read.failure !== null && (
        <FailureNote text="Failed to load the deliveries" detail={read.failure.message} onRetry={read.retry} />
      )}
      {retrying.failure !== null && <Banner kind="failure">{retrying.failure.message}</Banner>}
      {read.isLoading && <Skeleton className="h-24" />}
      {rows?.length === 0 && (
        <Empty title="Nothing sent yet" hint="What goes to your webhook and browsers is listed here." />
      )}
      {rows !== undefined && rows.length > 0 && (
        <div className="-mx-4 sm:-mx-5">
          <Table
            caption="Deliveries"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            card={(row) => (
              <div className="flex flex-col gap-1.5">
                <Event {...row} />
                <Outcome {...row} />
                <p className="flex flex-wrap items-center justify-between gap-2 text-sm text-muted">
                  <Time at={row.createdAt} />
                  {retry(row)}
                </p>
              </div>
            )}
          />
        </div>
      )}
    </Card>
  );
}

function Event({ title, target }: Delivery) {
  return (
    <div className="min-w-40">
      <p className="font-medium wrap-anywhere">
        <AmountsText text={title} />
      </p>
      <p className="text-sm text-muted wrap-anywhere">to {target}</p>
    </div>
  );
}

function Outcome({ state, deliveredAt, nextAt, attempts, lastError }: Delivery) {
  const { tone, label } = STATES[state];
  return (
    <div className="flex flex-col items-start gap-1 text-sm">
      <Badge tone={tone}>{label}</Badge>
      {deliveredAt !== null && <Time at={deliveredAt} />}
      {lastError !== null && <span className="text-muted wrap-anywhere">{lastError}</span>}
      {nextAt !== null && (
        <span className="text-muted">
          {attempts === 0 ? "Goes out" : "Next try"} <Time at={nextAt} />
        </span>
      )}
    </div>
  );
}
