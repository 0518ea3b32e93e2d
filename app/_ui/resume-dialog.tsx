"use client";
import { automationApi } from "@/lib/contracts/automation.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { useAction } from "../_hooks/use-action.ts";
import { Banner } from "./banner.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
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
    <Dialog
      isOpen
      onClose={onClose}
      title="Resume automation?"
      description="From its next look at the market, Tradewind trades your active accounts within your settings. Accounts that are paused, halted or stopped stay that way."
    >
      <p className="text-sm text-muted">
        {pause.since !== null && (
          <>
            Paused since <Time at={pause.since} />.
          </>
        )}
        {pause.reason !== null && <> Reason: {pause.reason}</>}
      </p>
      {resuming.failure !== null && (
        <Banner kind="failure" detail={resuming.failure.message}>
          Automation is still paused
        </Banner>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button tone="secondary" onClick={onClose}>
          Keep paused
        </Button>
        <Button disabled={resuming.isBusy} onClick={() => resuming.run({}, { onSuccess: resumed })}>
          {resuming.isBusy ? "Resuming..." : "Resume automation"}
        </Button>
      </div>
    </Dialog>
  );
}
