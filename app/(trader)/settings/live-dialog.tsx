"use client";
import { ConfirmDialog } from "../../_ui/confirm-dialog.tsx";

interface LiveDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onAllow: () => void;
}

/** Asks before real money is traded. */
export function LiveDialog({ isOpen, onClose, onAllow }: LiveDialogProps) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Allow trading with real money?"
      description="Once saved, LIVE accounts that you confirmed are traded within the limits on this page. Paper and practice accounts are not affected."
      cancel="Keep paper only"
      action="Allow LIVE trading"
      onConfirm={() => {
        onAllow();
        onClose();
      }}
    />
  );
}
