"use client";
import { ConfirmDialog } from "./confirm-dialog.tsx";

/** Asked before changes that are not saved are dropped. */
export function LeaveDialog({ isOpen, onStay, onLeave }: { isOpen: boolean; onStay: () => void; onLeave: () => void }) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onStay}
      title="Leave without saving?"
      description="What you changed on this tab is not saved yet."
      cancel="Stay"
      action="Leave without saving"
      onConfirm={onLeave}
    />
  );
}
