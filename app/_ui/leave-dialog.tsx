"use client";
import { ConfirmDialog } from "./confirm-dialog.tsx";

interface LeaveDialogProps {
  isOpen: boolean;
  title?: string;
  description?: string;
  onStay: () => void;
  onLeave: () => void;
}

/** Asked before what is not saved is dropped: by default what was changed on a tab. */
export function LeaveDialog({
  isOpen,
  title = "Leave without saving?",
  description = "What you changed on this tab is not saved yet.",
  onStay,
  onLeave,
}: LeaveDialogProps) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onStay}
      title={title}
      description={description}
      cancel="Stay"
      action={title.replace("?", "")}
      onConfirm={onLeave}
    />
  );
}
