"use client";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

/** Asked before changes that are not saved are dropped. */
export function LeaveDialog({ isOpen, onStay, onLeave }: { isOpen: boolean; onStay: () => void; onLeave: () => void }) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onStay}
      title="Leave without saving?"
      description="What you changed on this tab is not saved yet."
    >
      <div className="flex flex-wrap justify-end gap-3">
        <Button tone="secondary" onClick={onStay}>
          Stay
        </Button>
        <Button tone="danger" onClick={onLeave}>
          Leave without saving
        </Button>
      </div>
    </Dialog>
  );
}
