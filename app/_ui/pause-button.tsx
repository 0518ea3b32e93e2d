"use client";
import { CirclePause, CirclePlay } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { automationApi } from "@/lib/contracts/automation.ts";
import { useEndpoint } from "../_hooks/use-endpoint.ts";
import { useHasAutomation } from "../_hooks/use-has-automation.ts";
import { useSession } from "../_hooks/use-session.ts";
import { usePausing } from "./use-pausing.ts";

const ResumeDialog = dynamic(() => import("./resume-dialog.tsx").then((part) => part.ResumeDialog), { ssr: false });

const POLL_MS = 30_000;

const BUTTON_CLASS =
  "flex min-h-11 items-center gap-1.5 rounded-lg px-2 text-sm whitespace-nowrap disabled:opacity-60 lg:min-h-9";

/** Stopping is one click and can be undone; going on asks. For traders: administrators have the kill switch. */
export function PauseButton() {
  const { user } = useSession();
  const isTrader = user?.role === "USER";
  const pause = useEndpoint(automationApi.readPause, {}, { pollMs: POLL_MS, isEnabled: isTrader });
  const pausing = usePausing();
  const [isAsking, setAsking] = useState(false);
  const hasAutomation = useHasAutomation(isTrader);
  if (!isTrader || pause.data === undefined) return null;
  // Where nothing runs there is nothing to pause.
  if (!hasAutomation && !pause.data.isPaused) return null;

  if (!pause.data.isPaused) {
    return (
      <button
        type="button"
        aria-label="Pause automation"
        title="Pause automation"
        disabled={pausing.isBusy}
        onClick={pausing.pause}
        className={`${BUTTON_CLASS} text-muted hover:bg-sunken hover:text-ink`}
      >
        <CirclePause aria-hidden className="size-4" />
        <span className="hidden xl:inline">Pause</span>
      </button>
    );
  }
  return (
    <>
      <button
        type="button"
        aria-label="Automation is paused. Resume automation"
        title="Automation is paused"
        onClick={() => setAsking(true)}
        className={`${BUTTON_CLASS} border border-warn/30 bg-warn-soft font-medium text-warn`}
      >
        <CirclePlay aria-hidden className="size-4" />
        Paused
      </button>
      {isAsking && <ResumeDialog pause={pause.data} onClose={() => setAsking(false)} />}
    </>
  );
}
