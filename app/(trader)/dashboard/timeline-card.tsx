"use client";
import { useState } from "react";
import { easternDayText } from "@/lib/domain/format.ts";
import { newYorkInstant } from "@/lib/domain/time.ts";
import { Card } from "../../_ui/card.tsx";
import { ShowMore } from "../../_ui/show-more.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { TimelineLine } from "../../_ui/timeline-line.tsx";
import type { TodayAnswer } from "./today.tsx";

/** The newest lines; the others on demand. */
const LINES = 8;
/** A phone shows so many, purchases and sales before all else; where there are none, the newest line. */
const PHONE_FILLS = 3;

/** What a phone shows before it is asked for the whole day. */
function onPhone(lines: TodayAnswer["timeline"]): TodayAnswer["timeline"] {
  const fills = lines.filter(({ kind }) => kind === "BOUGHT" || kind === "SOLD");
  return (fills.length > 0 ? fills.slice(0, PHONE_FILLS) : lines.slice(0, 1)) as TodayAnswer["timeline"];
}

interface TimelineCardProps {
  today: TodayAnswer | undefined;
  /** Whether it could not be read: then none is under way. */
  hasFailed: boolean;
}

/** The day in lines, the newest first, each with the page of its record. */
export function TimelineCard({ today, hasFailed }: TimelineCardProps) {
  const [isWhole, setIsWhole] = useState(false);
  const lines = today?.timeline.toReversed() ?? [];
  const first = new Set(onPhone(lines));
  const day = today?.session == null ? "" : easternDayText(newYorkInstant(today.session, 12, 0));
  return (
    <Card title="Timeline" aside={<span className="text-xs text-muted">{day}</span>} className="max-lg:order-1">
      {today === undefined && hasFailed && <p className="text-muted">Not loaded.</p>}
      {today === undefined && !hasFailed && <Skeleton className="h-8 w-full lg:h-48" />}
      {today !== undefined && lines.length === 0 && (
        <p className="text-muted">
          {today.environment === null ? "No account is connected." : "Nothing happened so far."}
        </p>
      )}
      {lines.length > 0 && (
        <ol className="flex flex-col">
          {lines.map((entry, index) => {
            const isOnPhone = isWhole || first.has(entry);
            const isOnDesk = isWhole || index < LINES;
            if (!isOnPhone && !isOnDesk) return null;
            const className = `${isOnPhone ? "" : "max-sm:hidden"} ${isOnDesk ? "" : "sm:hidden"}`;
            return <TimelineLine key={lines.length - index} entry={entry} className={className} />;
          })}
        </ol>
      )}
      {lines.length > first.size && (
        <ShowMore
          isWhole={isWhole}
          onToggle={() => setIsWhole(!isWhole)}
          text={"Show the whole day"}
          className={lines.length > LINES ? "sm:min-h-6" : "sm:hidden"}
        />
      )}
    </Card>
  );
}
