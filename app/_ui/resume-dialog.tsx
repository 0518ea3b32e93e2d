"use client";
import { automationApi } from "@/lib/contracts/automation.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { useAction } from "../_hooks/use-action.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { Time } from "./time.tsx";
import { withdrawNotice } from "./notify-with-undo.ts";
import { PAUSE_NOTICE, PAUSE_REFRESHES } from "./use-pausing.ts";

interface ResumeDialogProps {
  pause: Answer<typeof automationApi.readPause>;
  onClose: () => void;
}

/** Letting automation buy again is asked for. */
export function ResumeDialog({ pause, onClose }: ResumeDialogProps) {
  const resuming = useAction(automationApi.resume, { refreshes: PAUSE_REFRESHES });
  const resumed = () => {
    withdrawNotice(PAUSE_NOTICE);
    onClose();
  };
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Resume automation?"
      description="From its next look at the market, Tradewind trades your active accounts within your settings. Accounts that are paused, halted or stopped stay that way."
      cancel="Keep paused"
      action={resuming.isBusy ? "Resuming..." : "Resume automation"}
      tone="primary"
      isBusy={resuming.isBusy}
      failure={resuming.failure}
      failureText="Automation is still paused"
      onConfirm={() => resuming.run({}, { onSuccess: resumed })}
    >
      <p className="text-sm text-muted">
        {pause.since !== null && (
          <>
            Paused since <Time at={pause.since} />.
          </>
        )}
        {pause.reason !== null && <> Reason: {pause.reason}</>}
      </p>
    </ConfirmDialog>
  );
}
