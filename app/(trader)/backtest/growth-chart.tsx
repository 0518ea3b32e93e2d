"use client";
import { useState, type PointerEvent } from "react";
import { dateText, signedPercentText } from "@/lib/domain/format.ts";
import { AmountsText } from "../../_ui/money.tsx";
import { styled } from "../../_ui/styled.ts";

export interface GrowthLine {
  letter: string;
  name: string;
  /** Ascending; `growth` is a fraction since the start. */
  points: readonly { session: string; growth: number }[];
}

/** Never colour alone: each line has a stroke of its own and its letter. */
const STROKES = [
  { color: "var(--accent)", dash: "none" },
  { color: "var(--warn)", dash: "7 4" },
  { color: "var(--ink)", dash: "2 3" },
  { color: "var(--muted)", dash: "12 3 2 3" },
] as const;

const WIDTH = 1000;
const HEIGHT = 300;

/** Steps of 1, 2 or 5 that make about four lines. */
function gridOf(low: number, high: number): number[] {
  const rough = (high - low) / 4 || 0.01;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = size * ([1, 2, 5, 10].find((factor) => factor * size >= rough) ?? 10);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.max(1, Math.floor(high / step) - first + 1) }, (_, i) => (first + i) * step);
}

const dayOf = (session: string) => Date.parse(`${session}T00:00:00.000Z`);

/** The last point at or before a day. */
const pointAt = ({ points }: GrowthLine, day: number) =>
  points.findLast(({ session }) => dayOf(session) <= day) ?? null;

interface Plane {
  /** Days as times, in ms. */
  first: number;
  last: number;
  low: number;
  high: number;
  x: (day: number) => number;
  y: (value: number) => number;
}

/** The bounds of all lines, and where a day and a growth lie between them; null without a point. */
function planeOf(lines: readonly GrowthLine[]): Plane | null {
  const days = lines.flatMap(({ points }) => points.map(({ session }) => dayOf(session)));
  const values = [0, ...lines.flatMap(({ points }) => points.map(({ growth }) => growth))];
  if (days.length === 0) return null;
  const [first, last] = [Math.min(...days), Math.max(...days)];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (at: number) => (last === first ? WIDTH / 2 : ((at - first) / (last - first)) * WIDTH);
  const y = (value: number) => HEIGHT - ((value - low) / (high - low || 1)) * HEIGHT;
  return { first, last, low, high, x, y };
}

/** Up to four runs over one axis of dates, each from the same starting point. */
export function GrowthChart({ lines }: { lines: readonly GrowthLine[] }) {
  const [day, setDay] = useState<number | null>(null);
  const plane = planeOf(lines);
  if (plane === null) return null;
  const { first, last, low, high, y } = plane;
  const follow = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    setDay(first + share * (last - first));
  };
  return (
    <div>
      <Legend lines={lines} day={day ?? last} />
      <div className="relative mt-3 mr-14 h-56 sm:h-72" onPointerMove={follow} onPointerLeave={() => setDay(null)}>
        <Curves lines={lines} plane={plane} day={day} />
        {gridOf(low, high).map((value) => (
          <span
            key={value}
            aria-hidden
            className="absolute left-full ml-2 -translate-y-1/2 text-xs text-muted tabular-nums"
            ref={styled({ top: `${(y(value) / HEIGHT) * 100}%` })}
          >
            {`${(value * 100).toFixed(Math.abs(high - low) < 0.04 ? 1 : 0)}%`}
          </span>
        ))}
      </div>
      <p aria-hidden className="mt-1 mr-14 flex justify-between text-xs text-muted tabular-nums">
        <span>{dateText(new Date(first).toISOString().slice(0, 10))}</span>
        <span>{dateText(new Date(last).toISOString().slice(0, 10))}</span>
      </p>
    </div>
  );
}

function Legend({ lines, day }: { lines: readonly GrowthLine[]; day: number }) {
  return (
    <ul className="flex flex-wrap gap-x-6 gap-y-1 text-sm" aria-label="Growth at the end of the lines">
      {lines.map((line, i) => (
        <li key={line.letter} className="flex min-w-0 items-center gap-2">
          <svg aria-hidden width="28" height="8" className="shrink-0">
            <line x1="0" y1="4" x2="28" y2="4" strokeWidth="2.5" ref={styled(strokeOf(i))} />
          </svg>
          <span className="font-medium">{line.letter}</span>
          <span className="max-w-56 truncate text-muted" title={line.name}>
            <AmountsText text={line.name} />
          </span>
          <span className="font-medium tabular-nums">{signedPercentText((pointAt(line, day)?.growth ?? 0) * 100)}</span>
        </li>
      ))}
      <li className="text-xs text-muted tabular-nums">{dateText(new Date(day).toISOString().slice(0, 10))}</li>
    </ul>
  );
}

interface CurvesProps {
  lines: readonly GrowthLine[];
  plane: Plane;
  /** The day that is pointed at. */
  day: number | null;
}

function Curves({ lines, plane: { low, high, x, y }, day }: CurvesProps) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full overflow-visible"
    >
      {gridOf(low, high).map((value) => (
        <line
          key={value}
          x1="0"
          x2={WIDTH}
          y1={y(value)}
          y2={y(value)}
          vectorEffect="non-scaling-stroke"
          ref={styled({ stroke: "var(--line)", "stroke-width": "1" })}
        />
      ))}
      {lines.map((line, i) => (
        <polyline
          key={line.letter}
          fill="none"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
          ref={styled(strokeOf(i))}
          points={line.points.map(({ session, growth }) => `${x(dayOf(session))},${y(growth)}`).join(" ")}
        />
      ))}
      {day !== null && (
        <line
          x1={x(day)}
          x2={x(day)}
          y1="0"
          y2={HEIGHT}
          vectorEffect="non-scaling-stroke"
          ref={styled({ stroke: "var(--line-strong)", "stroke-width": "1" })}
        />
      )}
    </svg>
  );
}

const strokeOf = (place: number) => ({
  stroke: STROKES[place]?.color ?? "var(--ink)",
  "stroke-dasharray": STROKES[place]?.dash ?? "none",
});
