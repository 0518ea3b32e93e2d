"use client";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { failureText } from "@/lib/client/failure-text.ts";
import { queueApi } from "@/lib/contracts/queue.ts";
import { countText } from "@/lib/domain/format.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Button, TextButton } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { SidePanel } from "../../_ui/side-panel.tsx";
import { Table, type Column } from "../../_ui/table.tsx";
import { Time } from "../../_ui/time.tsx";
import type { QueueStatus } from "./queue-tab.tsx";

type Job = QueueStatus["recentJobs"][number];

/** The failed jobs box shows this many. */
const FAILED_SHOWN = 5;
const ID_SHOWN = 8;

const TONES: Record<Job["status"], "neutral" | "accent" | "gain" | "loss"> = {
  pending: "neutral",
  processing: "accent",
  completed: "gain",
  failed: "loss",
};

/** Job ids are shown by their first eight characters. */
const shortId = (id: string) => id.slice(0, ID_SHOWN);

export function FailedJobs({ status }: { status: QueueStatus }) {
  const failed = status.recentJobs.filter((job) => job.status === "failed");
  const retryAll = useAction(queueApi.retry, { refreshes: [queueApi.status] });
  const run = () => retryAll.run({ all: true });
  return (
    <Card
      title="Failed jobs"
      aside={
        failed.length > 0 && (
          <Button tone="secondary" onClick={run} disabled={retryAll.isBusy}>
            <RotateCcw aria-hidden className="size-4" />
            {retryAll.isBusy ? "Retrying..." : `Retry all (${countText(status.failedJobs ?? failed.length)})`}
          </Button>
        )
      }
    >
      {retryAll.failure !== null && (
        <FailureNote {...failureText(retryAll.failure, "Failed to retry all failed jobs")} onRetry={run} />
      )}
      {failed.length === 0 ? (
        <p className="text-muted">No failed jobs</p>
      ) : (
        <ul className="divide-y divide-line">
          {failed.slice(0, FAILED_SHOWN).map((job) => (
            <FailedJob key={job.id} job={job} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function FailedJob({ job }: { job: Job }) {
  const retry = useAction(queueApi.retry, { refreshes: [queueApi.status] });
  const run = () => retry.run({ jobId: job.id });
  return (
    <li className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{job.type}</span>
        <span className="font-mono text-xs text-muted" title={job.id}>
          {shortId(job.id)}
        </span>
        <span className="text-xs text-muted">
          <Time at={job.completedAt ?? job.createdAt} />
        </span>
        <RetryButton job={job} isBusy={retry.isBusy} onRetry={run} className="ml-auto" />
      </div>
      {job.error !== null && <p className="line-clamp-3 wrap-anywhere text-loss">{job.error}</p>}
      {retry.failure !== null && <FailureNote {...failureText(retry.failure, "Failed to retry job")} onRetry={run} />}
    </li>
  );
}

interface RetryButtonProps {
  job: Job;
  isBusy: boolean;
  onRetry: () => void;
  className?: string;
}

function RetryButton({ job, isBusy, onRetry, className = "" }: RetryButtonProps) {
  return (
    <Button
      tone="quiet"
      className={className}
      aria-label={`Retry ${job.type} ${shortId(job.id)}`}
      onClick={onRetry}
      disabled={isBusy}
    >
      <RotateCcw aria-hidden className="size-4" />
      {isBusy ? "Retrying..." : "Retry"}
    </Button>
  );
}

export function RecentJobs({ jobs }: { jobs: readonly Job[] }) {
  const [openId, setOpen] = useState<string | null>(null);
  const open = jobs.find(({ id }) => id === openId);
  const openLink = (job: Job) => (
    <TextButton className="font-mono text-xs" title={job.id} onClick={() => setOpen(job.id)}>
      {shortId(job.id)}
    </TextButton>
  );
  const columns: Column<Job>[] = [
    { key: "id", title: "Job", cell: openLink },
    { key: "type", title: "Type", cell: ({ type }) => type },
    { key: "status", title: "Status", cell: ({ status }) => <Badge tone={TONES[status]}>{status}</Badge> },
    { key: "retries", title: "Retries", isNumber: true, cell: retriesText },
    { key: "created", title: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
    { key: "duration", title: "Duration", isNumber: true, cell: durationText },
  ];
  return (
    <Card title="Recent jobs">
      {jobs.length === 0 ? (
        <Empty title="No jobs" hint="Finished jobs are kept for a while. None has run since the queue was emptied." />
      ) : (
        <Table
          caption="Recent jobs"
          columns={columns}
          rows={jobs}
          rowKey={({ id }) => id}
          onOpen={({ id }) => setOpen(id)}
          card={(job) => (
            <div className="flex flex-col gap-1">
              <p className="flex items-center justify-between gap-3">
                <span className="font-medium">{job.type}</span>
                <Badge tone={TONES[job.status]}>{job.status}</Badge>
              </p>
              <p className="flex items-center justify-between gap-3 text-xs text-muted">
                {openLink(job)}
                <Time at={job.createdAt} />
              </p>
            </div>
          )}
        />
      )}
      {open !== undefined && <JobPanel job={open} onClose={() => setOpen(null)} />}
    </Card>
  );
}

const retriesText = ({ retryCount, maxRetries }: Job) => `${retryCount} of ${maxRetries}`;

function durationText({ startedAt, completedAt }: Job): string {
  if (startedAt === null || completedAt === null) return "—";
  return `${countText(Date.parse(completedAt) - Date.parse(startedAt))} ms`;
}

function JobPanel({ job, onClose }: { job: Job; onClose: () => void }) {
  const retry = useAction(queueApi.retry, { refreshes: [queueApi.status] });
  const run = () => retry.run({ jobId: job.id });
  const facts = [
    [
      "Job id",
      <span key="id" className="font-mono text-xs wrap-anywhere">
        {job.id}
      </span>,
    ],
    ["Status", job.status],
    ["Retries", retriesText(job)],
    ["Created", <Time key="created" at={job.createdAt} />],
    ["Started", job.startedAt === null ? "—" : <Time key="started" at={job.startedAt} />],
    ["Completed", job.completedAt === null ? "—" : <Time key="completed" at={job.completedAt} />],
    ["Duration", durationText(job)],
    ["Error", job.error ?? "—"],
  ] as const;
  return (
    <SidePanel isOpen title={job.type} onClose={onClose}>
      {job.status === "failed" && (
        <div className="mb-4 flex">
          <RetryButton job={job} isBusy={retry.isBusy} onRetry={run} />
        </div>
      )}
      {retry.failure !== null && (
        <div className="mb-4">
          <FailureNote {...failureText(retry.failure, "Failed to retry job")} onRetry={run} />
        </div>
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-3">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <h3 className="mt-6 mb-2 text-sm font-medium text-muted">Data</h3>
      <pre className="overflow-x-auto rounded-lg bg-sunken p-3 text-xs">{JSON.stringify(job.data, null, 2)}</pre>
    </SidePanel>
  );
}
