import { RunStatus as Status } from "../../_ui/run-progress.tsx";
import type { RunRow } from "./labels.ts";

/** Where a backtest stands, and why it failed. */
export function RunStatus({ run }: { run: Pick<RunRow, "status" | "isStalled" | "progress" | "error"> }) {
  const status = <Status run={run} unit="sessions" reading="Reading history..." />;
  if (run.status !== "FAILED") return status;
  return (
    <span className="flex flex-col items-start gap-1">
      {status}
      <span className="max-w-80 text-xs whitespace-normal text-muted">{run.error}</span>
    </span>
  );
}
