"use client";
import { countText } from "@/lib/domain/format.ts";
import { Time } from "../../../_ui/time.tsx";
import type { System } from "./system-screen.tsx";

const WIDTH = 240;
const HEIGHT = 48;
const DAY_MS = 86_400_000;

type Point = System["queueDepth"][number];

/** The depth of the queue over 24 hours as a line; gaps are where it did not answer. The same in words below. */
export function DepthLine({ points, newest }: { points: readonly Point[]; newest: Point | null }) {
  const last = points.at(-1);
  const known = points.flatMap(({ pending }) => (pending === null ? [] : [pending]));
  if (last === undefined || known.length === 0)
    return <p className="mt-4 text-xs text-muted">The queue depth is shown once the worker has run for a minute.</p>;
  const most = Math.max(...known);
  return (
    <figure className="mt-4">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        aria-hidden
        className="h-12 w-full text-accent"
        preserveAspectRatio="none"
      >
        <path
          d={lineOf(points, most, Date.parse(last.at))}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption className="mt-1 text-xs text-muted">
        Pending jobs over 24 hours: at most {countText(most)}
        {newest !== null && newest.pending !== null && (
          <>
            , {countText(newest.pending)} last (<Time at={newest.at} isClock />)
          </>
        )}
        .
      </figcaption>
    </figure>
  );
}

/** Every run of known points is a stroke of its own; a single one is a dot. */
function lineOf(points: readonly Point[], most: number, end: number): string {
  let isPen = false;
  return points
    .map(({ at, pending }) => {
      if (pending === null) {
        isPen = false;
        return "";
      }
      const x = (WIDTH * (1 - (end - Date.parse(at)) / DAY_MS)).toFixed(1);
      const y = (HEIGHT - 2 - (most === 0 ? 0 : (pending / most) * (HEIGHT - 4))).toFixed(1);
      const step = isPen ? `L${x} ${y}` : `M${x} ${y}h0.1`;
      isPen = true;
      return step;
    })
    .join("");
}
