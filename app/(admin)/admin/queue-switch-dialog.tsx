"use client";
import { failureText } from "@/lib/client/failure-text.ts";
import { queueApi } from "@/lib/contracts/queue.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { ConfirmDialog } from "../../_ui/confirm-dialog.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";

/** Making the queue inactive stops trading decisions in all accounts: the dialog asks for confirmation. */
export function QueueSwitchDialog({ onClose }: { onClose: () => void }) {
  const toggle = useAction(queueApi.toggle, { refreshes: [queueApi.status] });
  const run = () => toggle.run({ active: false }, { onSuccess: onClose });
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Make the queue inactive?"
      description="No job is started until it is active again: no screening, no decisions, no emails. Fills are still followed, stops stay at the brokers and missing ones are placed."
      action={toggle.isBusy ? "Deactivating..." : "Deactivate queue"}
      isBusy={toggle.isBusy}
      onConfirm={run}
    >
      {toggle.failure !== null && (
        <FailureNote {...failureText(toggle.failure, "Failed to toggle queue")} onRetry={run} />
      )}
    </ConfirmDialog>
  );
}
