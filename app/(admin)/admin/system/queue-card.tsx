"use client";
import { queueHealth, toneOfQueueHealth } from "@/lib/domain/console.ts";
import { countText } from "@/lib/domain/format.ts";
import { Badge } from "../../../_ui/badge.tsx";
import { Card } from "../../../_ui/card.tsx";
import { Stat } from "../../../_ui/stat.tsx";
import { DepthLine } from "./depth-line.tsx";
import type { System } from "./system-screen.tsx";

export function QueueCard({ system: { queue, isQueueActive, queueDepth, newestQueueDepth } }: { system: System }) {
  const total = queue === null ? 0 : queue.pending + queue.processing + queue.completed + queue.failed;
  const health = queueHealth(queue?.failed ?? 0, total);
  return (
    <Card
      title="Queue"
      aside={
        queue === null ? (
          <Badge tone="warn">Unavailable</Badge>
        ) : isQueueActive ? (
          <Badge tone={toneOfQueueHealth(health)}>{health}</Badge>
        ) : (
          <Badge tone="warn">Paused</Badge>
        )
      }
    >
      {queue === null ? (
        <p className="text-sm text-muted">
          The job queue does not answer. Meanwhile the worker runs what is due from the schedule.
        </p>
      ) : (
        <dl className="grid grid-cols-3 gap-4">
          <Stat label="Pending">{countText(queue.pending)}</Stat>
          <Stat label="Processing">{countText(queue.processing)}</Stat>
          <Stat label="Failed">{countText(queue.failed)}</Stat>
        </dl>
      )}
      <DepthLine points={queueDepth} newest={newestQueueDepth} />
    </Card>
  );
}
