"use client";
import { accountsApi, titleOf } from "@/lib/contracts/accounts.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { SHOWS_ACCOUNTS } from "../../_hooks/shows-accounts.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Dialog } from "../../_ui/dialog.tsx";
import { AmountsText } from "../../_ui/money.tsx";
import { positionsText, type Account, type Note } from "./account-text.ts";

interface StartAgainDialogProps {
  account: Account;
  onClose: () => void;
  onDone: (note: Note) => void;
}

const doneNote = (heldBy: string | null): Note => ({
  kind: "success",
  text: `A fresh practice account was opened. ${heldBy ?? "Tradewind trades it from its next look at the market."}`,
});

/** The practice account is deleted and a fresh one opened, in one step. */
export function StartAgainDialog({ account, onClose, onDone }: StartAgainDialogProps) {
  const again = useAction(accountsApi.startAgain, { refreshes: SHOWS_ACCOUNTS });
  const { positions } = account;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Start again on the practice market"
      description={`${titleOf(account)} is deleted, and a fresh one with new practice money takes its place. This action cannot be undone.`}
    >
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm text-muted">
        {positions.count > 0 && (
          <li>
            <AmountsText
              text={`${positionsText(account)} ${positions.count === 1 ? "stays" : "stay"} behind with ${positions.count === 1 ? "its stop" : "their stops"}, and no longer ${positions.count === 1 ? "counts" : "count"} in your figures.`}
            />
          </li>
        )}
        <li>Open entry orders are cancelled.</li>
        <li>Your settings and your trade history stay. The practice market&apos;s clock is not reset.</li>
      </ul>
      {again.failure !== null && (
        <Banner kind="failure" detail={again.failure.message}>
          Failed to start again
        </Banner>
      )}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button tone="secondary" onClick={onClose} disabled={again.isBusy}>
          Cancel
        </Button>
        <Button
          tone="danger"
          disabled={again.isBusy}
          onClick={() => again.run({}, { onSuccess: ({ heldBy }) => onDone(doneNote(heldBy)) })}
        >
          {again.isBusy ? "Opening the account..." : "Start again"}
        </Button>
      </div>
    </Dialog>
  );
}
