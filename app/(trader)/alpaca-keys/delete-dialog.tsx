"use client";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Dialog } from "../../_ui/dialog.tsx";

interface DeleteDialogProps {
  id: string;
  name: string;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteDialog({ id, name, onClose, onDeleted }: DeleteDialogProps) {
  const removal = useAction(accountsApi.remove, {
    refreshes: [accountsApi.list, portfolioApi.summary, portfolioApi.equity],
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Delete ${name}`}
      description="Are you sure you want to delete this account? This action cannot be undone."
    >
      <p className="text-sm text-muted">
        Its automation stops, open entry orders are cancelled and the keys are erased. Protective stops stay at the
        broker, and the trade history stays here.
      </p>
      {removal.failure !== null && (
        <Banner kind="failure" detail={removal.failure.message}>
          Failed to delete account
        </Banner>
      )}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button tone="secondary" onClick={onClose} disabled={removal.isBusy}>
          Cancel
        </Button>
        <Button tone="danger" disabled={removal.isBusy} onClick={() => removal.run({ id }, { onSuccess: onDeleted })}>
          {removal.isBusy ? "Deleting..." : "Delete account"}
        </Button>
      </div>
    </Dialog>
  );
}
