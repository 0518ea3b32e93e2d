"use client";
import type { logsApi } from "@/lib/contracts/logs.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { countText, easternDayText } from "@/lib/domain/format.ts";
import { METRICS } from "@/lib/domain/metrics-registry.ts";
import { newYorkInstant } from "@/lib/domain/time.ts";
import { Card } from "../../_ui/card.tsx";
import { Definition } from "../../_ui/definition.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { Stat } from "../../_ui/stat.tsx";
import { Freshness, type Reading } from "./freshness.tsx";

type Review = Answer<typeof logsApi.dailyReview>;

const COUNTERS = [
  { label: "Reviewed Today", figure: "reviewed", metric: "stocksReviewed" },
  { label: "Executed Today", figure: "executed", metric: "ordersExecuted" },
] as const;

type Figure = (typeof COUNTERS)[number]["figure"];

const definitionOf = (id: string) => METRICS.find((metric) => metric.id === id)?.definition;

/** The day of a market, at noon: on the same date whatever the offset. */
const dayText = (date: string) => easternDayText(newYorkInstant(date, 12, 0));

interface DayCountersProps {
  review: Reading & { data: Review | undefined };
  isAdmin: boolean;
}

/** What the automation did on the day of the market. */
export function DayCounters({ review, isAdmin }: DayCountersProps) {
  const { data } = review;
  return (
    <Card
      title={isAdmin ? "Today, all users" : "Today"}
      aside={review.isStale || review.failure !== null ? <Freshness reading={review} /> : undefined}
    >
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-[repeat(2,14rem)]">
        {COUNTERS.map(({ label, figure, metric }) => (
          <Stat
            key={figure}
            label={
              <span className="inline-flex items-center gap-1.5">
                {label}
                <Definition of={label}>{definitionOf(metric)}</Definition>
              </span>
            }
            note={<Note review={review} figure={figure} />}
          >
            {data !== undefined && countText(data[figure])}
            {data === undefined && (review.failure === null ? <Skeleton className="h-7 w-20" /> : "—")}
          </Stat>
        ))}
      </dl>
    </Card>
  );
}

function Note({ review: { data, failure }, figure }: { review: DayCountersProps["review"]; figure: Figure }) {
  if (data !== undefined) return noteOf(data, figure);
  return failure === null ? <Skeleton className="h-8 w-32 sm:h-4" /> : null;
}

function noteOf({ sessionDate, decisions, executed, environment }: Review, figure: Figure): string {
  if (environment === null) return "No account yet";
  if (sessionDate === null) return "The market's clock cannot be read";
  const counted =
    figure === "reviewed"
      ? `${countText(decisions)} ${decisions === 1 ? "decision" : "decisions"}`
      : executed === 1
        ? "order"
        : "orders";
  return `${counted} on ${dayText(sessionDate)}`;
}
