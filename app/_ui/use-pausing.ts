"use client";
import { automationApi } from "@/lib/contracts/automation.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import { useAction } from "../_hooks/use-action.ts";
import { notifyFailure, notifyWithUndo } from "./notify-with-undo.ts";

/** The notice that automation is paused: withdrawn when it is resumed. */
export const PAUSE_NOTICE = "automation-paused";

/** All that says whether the automation is paused. */
export const PAUSE_REFRESHES = [automationApi.readPause, automationApi.heartbeat, insightApi.today];

/** Stopping is one click and can be undone. */
export function usePausing() {
  const pausing = useAction(automationApi.pause, { refreshes: PAUSE_REFRESHES });
  const undoing = useAction(automationApi.resume, { refreshes: PAUSE_REFRESHES });
  const pause = () =>
    pausing.run(
      {},
      {
        onSuccess: () =>
          notifyWithUndo(
            "Automation paused",
            () => undoing.run({}, { onFailure: ({ message }) => notifyFailure("Automation is still paused", message) }),
            {
              description: "Nothing is bought, and open purchase orders are cancelled. Exits and stops keep working.",
              id: PAUSE_NOTICE,
            },
          ),
        onFailure: ({ message }) => notifyFailure("Automation was not paused", message),
      },
    );
  return { pause, isBusy: pausing.isBusy };
}
