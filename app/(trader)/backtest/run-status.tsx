import { countText } from "@/lib/domain/format.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Bar } from "../../_ui/bar.tsx";
import type { RunRow } from "./labels.ts";

/** Where a run stands: waiting, how far, or how it ended. */
export function RunStatus({ run }: { run: Pick<RunRow, "status" | "isStalled" | "progress" | "error"> }) {
  const { status, isStalled, progress, error } = run;
  switch (status) {
    case "QUEUED":
      return <Badge>Waiting</Badge>;
    case "RUNNING":
      if (isStalled) return <Badge tone="warn">Waiting for the worker</Badge>;
      if (progress.total === null) {
        const { readPercent } = progress;
        if (readPercent === null) return <Badge tone="accent">Reading history…</Badge>;
        return <Bar label="Progress" fraction={readPercent / 100} text={`Reading history, ${readPercent} %`} />;
      }
      return (
        <Bar
          label="Progress"
          fraction={progress.done / progress.total}
          text={`${countText(progress.done)} of ${countText(progress.total)} sessions`}
        />
      );
    case "DONE":
      return <Badge tone="gain">Done</Badge>;
    case "CANCELED":
      return <Badge>Cancelled</Badge>;
    case "FAILED":
      return (
        <span className="flex flex-col items-start gap-1">
          <Badge tone="loss">Failed</Badge>
          <span className="max-w-80 text-xs whitespace-normal text-muted">{error}</span>
        </span>
      );
  }
}
