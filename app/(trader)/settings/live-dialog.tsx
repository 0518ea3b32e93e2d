"use client";
import { Button } from "../../_ui/button.tsx";
import { Dialog } from "../../_ui/dialog.tsx";

interface LiveDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onAllow: () => void;
}

/** Asks before real money is traded. */
export function LiveDialog({ isOpen, onClose, onAllow }: LiveDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Allow trading with real money?"
      description="Once saved, LIVE accounts that you confirmed are traded within the limits on this page. Paper and practice accounts are not affected."
    >
      <div className="flex flex-wrap justify-end gap-3">
        <Button tone="secondary" onClick={onClose}>
          Keep paper only
        </Button>
        <Button
          tone="danger"
          onClick={() => {
            onAllow();
            onClose();
          }}
        >
          Allow LIVE trading
        </Button>
      </div>
    </Dialog>
  );
}
