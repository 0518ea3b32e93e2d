"use client";
import Link from "next/link";
import { failureText } from "@/lib/client/failure-text.ts";
import { queueApi } from "@/lib/contracts/queue.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Time } from "../../_ui/time.tsx";
import type { QueueStatus } from "./queue-tab.tsx";

type Row = QueueStatus["deadLettered"][number];

/** Work that ended its worker three times in a row; nothing is shown while there is none. */
export function DeadLettered({ rows }: { rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  return (
    <Card title="Dead-lettered work">
      <p className="mb-3 text-muted">
        These jobs ended their worker three times in a row. Work of one account runs again once that account is resumed,
        other work after ten minutes, or before that with Retry.
      </p>
      <ul className="divide-y divide-line">
        {rows.map((row) => (
          <DeadLetter key={row.key} row={row} />
        ))}
      </ul>
    </Card>
  );
}

function DeadLetter({ row }: { row: Row }) {
  const retry = useAction(queueApi.retry, { refreshes: [queueApi.status] });
  const run = () => retry.run({ jobId: row.key });
  return (
    <li className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{row.type}</span>
        <span className="text-xs text-muted">
          <Time at={row.deadLetteredAt} />
        </span>
        {row.accountId === null ? (
          <Button
            tone="quiet"
            className="ml-auto"
            aria-label={`Retry ${row.type}`}
            onClick={run}
            disabled={retry.isBusy}
          >
            {retry.isBusy ? "Retrying..." : "Retry"}
          </Button>
        ) : (
          <Link href="/admin/operations" className="tap ml-auto font-medium text-accent hover:underline">
            Resume its account
          </Link>
        )}
      </div>
      {row.error !== null && <p className="wrap-anywhere text-loss">{row.error}</p>}
      {retry.failure !== null && <FailureNote {...failureText(retry.failure, "Failed to retry job")} onRetry={run} />}
    </li>
  );
}
