"use client";
import type { CallError } from "@/lib/client/api.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Dialog } from "../../_ui/dialog.tsx";

interface AskDialogProps {
  title: string;
  description: string;
  action: string;
  isBusy: boolean;
  failure: CallError | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something ends that the person may still need. */
export function AskDialog({ title, description, action, isBusy, failure, onConfirm, onClose }: AskDialogProps) {
  return (
    <Dialog isOpen onClose={onClose} title={title} description={description}>
      {failure !== null && <Banner kind="failure">{failure.message}</Banner>}
      <div className="flex flex-wrap justify-end gap-3">
        <Button tone="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button tone="danger" disabled={isBusy} onClick={onConfirm}>
          {isBusy ? "One moment..." : action}
        </Button>
      </div>
    </Dialog>
  );
}
