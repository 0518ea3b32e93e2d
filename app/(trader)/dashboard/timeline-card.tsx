"use client";
import Link from "next/link";
import { useState } from "react";
import type { TodayEventName } from "@/lib/domain/enums.ts";
import { easternDayText } from "@/lib/domain/format.ts";
import { clockText, newYorkInstant } from "@/lib/domain/time.ts";
import { Card } from "../../_ui/card.tsx";
import { ShowMore } from "../../_ui/show-more.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { ToldParts } from "../../_ui/told-text.tsx";
import type { TodayAnswer } from "./today.tsx";

/** The newest lines; the others on demand. A phone shows the newest alone. */
const LINES = 8;

type Entry = TodayAnswer["timeline"][number];

const DOTS: Record<TodayEventName, string> = {
  LOOKED: "border border-line-strong bg-surface",
  BOUGHT: "bg-gain",
  SOLD: "bg-loss",
  STOP_RAISED: "bg-accent",
  REFUSED: "bg-amber-400",
};

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
            <Line key={lines.length - index} entry={entry} isFolded={!isWhole && index > 0} />
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

function Line({ entry: { kind, at, until, parts, href }, isFolded }: { entry: Entry; isFolded: boolean }) {
  return (
    <li className={`relative flex gap-3 pb-3 last:pb-0 ${isFolded ? "max-sm:hidden" : ""}`}>
      <span aria-hidden className={`mt-1.5 size-2 shrink-0 rounded-full ${DOTS[kind]}`} />
      <p className="min-w-0">
        <span className="text-xs text-muted tabular-nums">
          <time dateTime={at}>{clockText(at)}</time>
          {until !== null && (
            <>
              –<time dateTime={until}>{clockText(until)}</time>
            </>
          )}{" "}
        </span>
        <Link href={href} className={`underline-offset-4 hover:underline ${kind === "LOOKED" ? "text-muted" : ""}`}>
          <ToldParts parts={parts} isToned={kind === "SOLD"} />
        </Link>
      </p>
    </li>
  );
}
