"use client";
import { useState } from "react";
import { easternDayText } from "@/lib/domain/format.ts";
import { newYorkInstant } from "@/lib/domain/time.ts";
import { Card } from "../../_ui/card.tsx";
import { ShowMore } from "../../_ui/show-more.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { TimelineLine } from "../../_ui/timeline-line.tsx";
import type { TodayAnswer } from "./today.tsx";

/** The newest lines; the others on demand. A phone shows the newest alone. */
const LINES = 8;

/** The day in lines, the newest first, each with the page of its record. */
export function TimelineCard({ today }: { today: TodayAnswer | undefined }) {
  const [isWhole, setIsWhole] = useState(false);
  const lines = today?.timeline.toReversed() ?? [];
  const shown = isWhole ? lines : lines.slice(0, LINES);
  const day = today?.session == null ? "" : easternDayText(newYorkInstant(today.session, 12, 0));
  return (
    <Card title="Timeline" aside={<span className="text-xs text-muted">{day}</span>} className="max-lg:order-1">
      {today === undefined && <Skeleton className="h-8 w-full lg:h-48" />}
      {today !== undefined && lines.length === 0 && <p className="text-muted">Nothing happened so far.</p>}
      {lines.length > 0 && (
        <ol className="flex flex-col">
          {shown.map((entry, index) => (
            <TimelineLine
              key={lines.length - index}
              entry={entry}
              className={!isWhole && index > 0 ? "max-sm:hidden" : ""}
            />
          ))}
        </ol>
      )}
      {lines.length > 1 && (
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
