"use client";
import { consoleApi } from "@/lib/contracts/console.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { ReadinessState } from "@/lib/domain/readiness.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Card } from "../../_ui/card.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { SkeletonRows } from "../../_ui/skeleton.tsx";

const POLL_MS = 60_000;

const BADGES = {
  ready: { tone: "gain", label: "Ready" },
  reduced: { tone: "warn", label: "Reduced" },
  missing: { tone: "loss", label: "Missing" },
} as const satisfies Record<ReadinessState, { tone: string; label: string }>;

type Need = Answer<typeof consoleApi.readiness>["needs"][number];

/** What the US market has of what the engine needs. The practice market brings everything along. */
export function ReadinessCard() {
  const readiness = useEndpoint(consoleApi.readiness, {}, { pollMs: POLL_MS });
  const { data, failure } = readiness;
  return (
    <Card
      title="US market readiness"
      aside={
        data?.lastScreening && (
          <span className="text-xs text-muted">
            {data.lastScreening.seats} of {data.lastScreening.of} seats at the screening of {data.lastScreening.session}
          </span>
        )
      }
    >
      {failure !== null && (
        <FailureNote text="Failed to load the readiness" detail={failure.message} onRetry={readiness.retry} />
      )}
      {data === undefined ? (
        failure === null && <SkeletonRows />
      ) : (
        <ul className="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-5">
          {data.needs.map((need) => (
            <NeedItem key={need.need} {...need} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function NeedItem({ need, state, says, cost, remedy }: Need) {
  const { tone, label } = BADGES[state];
  return (
    <li className="min-w-0">
      <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
        {need} <Badge tone={tone}>{label}</Badge>
      </p>
      <p className="mt-1 text-xs wrap-anywhere text-muted">{says}</p>
      {cost !== null && <p className="mt-1 text-xs wrap-anywhere">{cost}</p>}
      {remedy !== null && <p className="mt-1 text-xs wrap-anywhere text-muted">{remedy}</p>}
    </li>
  );
}
