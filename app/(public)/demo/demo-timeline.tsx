"use client";
import { useState } from "react";
import { easternDayText } from "@/lib/domain/format.ts";
import { newYorkInstant } from "@/lib/domain/time.ts";
import { Card } from "../../_ui/card.tsx";
import { ShowMore } from "../../_ui/show-more.tsx";
import { TimelineLine } from "../../_ui/timeline-line.tsx";
import type { Demo } from "./demo-screen.tsx";

const LINES = 8;

/** The demo trader's day, the newest first. */
export function DemoTimeline({ timeline, session }: Pick<Demo, "timeline" | "session">) {
  const [isWhole, setIsWhole] = useState(false);
  const lines = timeline.toReversed();
  return (
    <Card
      title="Timeline"
      aside={
        <span className="text-xs text-muted">
          {session === null ? "" : easternDayText(newYorkInstant(session, 12, 0))}
        </span>
      }
    >
      {lines.length === 0 && <p className="text-muted">Nothing happened so far.</p>}
      <ol className="flex flex-col">
        {lines.slice(0, isWhole ? lines.length : LINES).map((entry, index) => (
          <TimelineLine key={lines.length - index} entry={entry} />
        ))}
      </ol>
      {lines.length > LINES && (
        <ShowMore isWhole={isWhole} onToggle={() => setIsWhole(!isWhole)} text="Show the whole day" className="" />
      )}
    </Card>
  );
}
