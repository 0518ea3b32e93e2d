"use client";
import { useState } from "react";
import { failureText } from "@/lib/client/failure-text.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { queueApi } from "@/lib/contracts/queue.ts";
import { queueHealth, toneOfQueueHealth } from "@/lib/domain/console.ts";
import { countText } from "@/lib/domain/format.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { SkeletonRows } from "../../_ui/skeleton.tsx";
import { Stat } from "../../_ui/stat.tsx";
import { SwitchField } from "../../_ui/switch-field.tsx";
import { Time } from "../../_ui/time.tsx";
import { DeadLettered } from "./dead-lettered.tsx";
import { FailedJobs, RecentJobs } from "./queue-jobs.tsx";
import { QueueSwitchDialog } from "./queue-switch-dialog.tsx";

export type QueueStatus = Answer<typeof queueApi.status>;

const POLL_MS = 5_000;

export function QueueTab() {
  const [isPolling, setPolling] = useState(true);
  const status = useEndpoint(queueApi.status, {}, isPolling ? { pollMs: POLL_MS } : {});
  const { data } = status;
  return (
    <div className="flex flex-col gap-4">
      {status.failure !== null && (
        <FailureNote {...failureText(status.failure, "Failed to load queue status")} onRetry={status.retry} />
      )}
      {data?.unreachable != null && (
        <Banner kind="warning" detail="Until it answers again, the workers run what is due from the schedule.">
          {data.unreachable}
        </Banner>
      )}
      <Card
        title="Queue"
        aside={
          <div className="w-56">
            <SwitchField label="Auto-refresh (5 s)" isOn={isPolling} onChange={setPolling} />
          </div>
        }
      >
        {status.isLoading && <SkeletonRows />}
        {data !== undefined && <QueueFigures status={data} />}
      </Card>
      {data !== undefined && <DeadLettered rows={data.deadLettered} />}
      {/* Of a queue that does not answer no job is known: not that there is none. */}
      {data?.unreachable === null && (
        <>
          <FailedJobs status={data} />
          <RecentJobs jobs={data.recentJobs} />
        </>
      )}
    </div>
  );
}

const shown = (count: number | null) => (count === null ? "—" : countText(count));

function QueueFigures({ status }: { status: QueueStatus }) {
  const [isSwitching, setSwitching] = useState(false);
  const toggle = useAction(queueApi.toggle, { refreshes: [queueApi.status] });
  const { failedJobs, totalJobs } = status;
  const health = failedJobs === null || totalJobs === null ? null : queueHealth(failedJobs, totalJobs);
  const activate = () => toggle.run({ active: true });
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-3">
        <Badge tone={status.active ? "gain" : "loss"}>{status.active ? "Active" : "Inactive"}</Badge>
        {health !== null && <Badge tone={toneOfQueueHealth(health)}>{`Health: ${health}`}</Badge>}
        <span className="text-xs text-muted">
          last check <Time at={status.lastCheck} isClock />
        </span>
        <Button
          tone={status.active ? "danger" : "primary"}
          className="ml-auto"
          disabled={toggle.isBusy}
          onClick={() => (status.active ? setSwitching(true) : activate())}
        >
          {status.active ? "Deactivate queue" : "Activate queue"}
        </Button>
      </div>
      {toggle.failure !== null && (
        <FailureNote {...failureText(toggle.failure, "Failed to toggle queue")} onRetry={activate} />
      )}
      <dl className="grid grid-cols-2 gap-5 sm:grid-cols-3 lg:grid-cols-6">
        <Stat label="Pending">{shown(status.pendingJobs)}</Stat>
        <Stat label="Processing">{shown(status.processingJobs)}</Stat>
        <Stat label="Completed">{shown(status.completedJobs)}</Stat>
        <Stat label="Failed">{shown(failedJobs)}</Stat>
        <Stat label="Total" note="finished jobs are kept up to 500 of a kind">
          {shown(totalJobs)}
        </Stat>
        <Stat label="Average processing time" note="of the last completed jobs">
          {status.averageProcessingTime === null ? "—" : `${status.averageProcessingTime.toFixed(1)} ms`}
        </Stat>
      </dl>
      {isSwitching && <QueueSwitchDialog onClose={() => setSwitching(false)} />}
    </div>
  );
}
