"use client";
import Link from "next/link";
import { performanceApi } from "@/lib/contracts/performance.ts";
import type { Environment } from "@/lib/domain/enums.ts";
import { dateText, signedPercentText } from "@/lib/domain/format.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Card } from "../../_ui/card.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Money } from "../../_ui/money.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";

const POLL_MS = 60_000;

/** The latest weeks, each with its result and the way to its review. */
export function WeeksCard({ environment }: { environment: Environment }) {
  const { data, isLoading, failure, retry } = useEndpoint(
    performanceApi.weeks,
    { environment, limit: 8 },
    { pollMs: POLL_MS },
  );
  return (
    <Card title="Weeks">
      {failure !== null && <FailureNote text="Failed to load the weeks" detail={failure.message} onRetry={retry} />}
      {isLoading && <Skeleton className="h-48" />}
      {data?.weeks.length === 0 && <p className="text-sm text-muted">No session has ended or runs yet.</p>}
      <ul className="grid gap-x-8 text-sm sm:grid-cols-2">
        {data?.weeks.map(({ monday, pnl, value, isRunning }) => (
          <li key={monday} className="flex items-baseline justify-between gap-3 border-b border-line py-2">
            <Link
              href={`/performance/week/${monday}?env=${environment.toLowerCase()}`}
              className="tap inline-flex min-h-6 items-center rounded-sm font-medium text-accent underline-offset-4 hover:underline"
            >
              Week of {dateText(monday)}
              {isRunning ? ", so far" : ""}
            </Link>
            <span className="text-right tabular-nums">
              <Money value={pnl} isChange />{" "}
              {value !== null && <span className="text-xs text-muted">{signedPercentText(100 * value)}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
