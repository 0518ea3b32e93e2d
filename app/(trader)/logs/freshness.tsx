"use client";
import { Badge } from "../../_ui/badge.tsx";
import { TextButton } from "../../_ui/button.tsx";
import { Time } from "../../_ui/time.tsx";

export interface Reading {
  /** Wall time, in ms; 0 before anything came. */
  arrivedAt: number;
  isStale: boolean;
  failure: Error | null;
  retry: () => void;
}

/** How old is what is shown; where it could not be read again, that it is old, and the way to try again. */
export function Freshness({ reading: { arrivedAt, isStale, failure, retry } }: { reading: Reading }) {
  return (
    <p className="flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
      {(isStale || failure !== null) && <Badge tone="warn">{arrivedAt > 0 ? "stale" : "not loaded"}</Badge>}
      {arrivedAt > 0 && (
        <span>
          as of <Time at={new Date(arrivedAt).toISOString()} isClock />
        </span>
      )}
      {failure !== null && (
        <TextButton onClick={retry} className="text-xs">
          Retry
        </TextButton>
      )}
    </p>
  );
}
