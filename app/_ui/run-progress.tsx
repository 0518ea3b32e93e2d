import type { ReactNode } from "react";
import type { RUN_STATUSES } from "@/lib/domain/enums.ts";
import { countText } from "@/lib/domain/format.ts";
import { Badge } from "./badge.tsx";
import { Banner } from "./banner.tsx";
import { Bar } from "./bar.tsx";

/** Work that the worker does in its own time: a backtest, a preview, a what-if. */
interface Run {
  status: (typeof RUN_STATUSES)[number];
  isStalled: boolean;
  progress: Progress;
}

interface Progress {
  done: number;
  /** Null while it is not known yet, because what it works on is still being read. */
  total: number | null;
  /** Of what is read; null or left out where that is not known either. */
  readPercent?: number | null;
}

/** True while it is queued or running. */
export const isUnderWay = ({ status }: Pick<Run, "status">) => status === "QUEUED" || status === "RUNNING";

interface RunBarProps {
  progress: Progress;
  /** What is counted: "sessions" */
  unit: string;
}

function RunBar({ progress: { done, total, readPercent }, unit }: RunBarProps) {
  if (total === null) {
    const percent = readPercent ?? 0;
    return <Bar label="Progress" fraction={percent / 100} text={`Reading history, ${percent} %`} />;
  }
  const fraction = total === 0 ? 1 : done / total;
  return <Bar label="Progress" fraction={fraction} text={`${countText(done)} of ${countText(total)} ${unit}`} />;
}

interface RunStatusProps {
  run: Run;
  unit: string;
  /** Said while it reads and cannot tell how far it is. */
  reading: string;
}

/** Where a run stands: waiting, how far, or how it ended. */
export function RunStatus({ run: { status, isStalled, progress }, unit, reading }: RunStatusProps) {
  switch (status) {
    case "QUEUED":
      return <Badge>Waiting</Badge>;
    case "RUNNING":
      if (isStalled) return <Badge tone="warn">Waiting for the worker</Badge>;
      if (progress.total === null && progress.readPercent == null) return <Badge tone="accent">{reading}</Badge>;
      return <RunBar progress={progress} unit={unit} />;
    case "DONE":
      return <Badge tone="gain">Done</Badge>;
    case "CANCELED":
      return <Badge>Cancelled</Badge>;
    case "FAILED":
      return <Badge tone="loss">Failed</Badge>;
  }
}

interface RunWaitingProps {
  run: Run;
  unit: string;
  /** What becomes of it while no worker answers. */
  stalledText: string;
  children?: ReactNode;
}

/** In the place of a result that is being made. */
export function RunWaiting({ run: { status, isStalled, progress }, unit, stalledText, children }: RunWaitingProps) {
  if (isStalled)
    return (
      <Banner kind="warning" detail={stalledText}>
        No worker answers right now
      </Banner>
    );
  return (
    <div role="status" {...(children !== undefined && { className: "flex flex-col gap-2" })}>
      {status === "QUEUED" ? <Badge>Waiting</Badge> : <RunBar progress={progress} unit={unit} />}
      {children}
    </div>
  );
}
