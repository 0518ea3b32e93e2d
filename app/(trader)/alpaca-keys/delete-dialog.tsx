"use client";
import { useState } from "react";
import { accountsApi, titleOf } from "@/lib/contracts/accounts.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { SHOWS_ACCOUNTS } from "../../_hooks/shows-accounts.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Dialog } from "../../_ui/dialog.tsx";
import { SwitchField } from "../../_ui/switch-field.tsx";
import { positionsText, type Account, type Note } from "./account-text.ts";
import { PositionsChoice } from "./positions-choice.tsx";

interface DeleteDialogProps {
  account: Account;
  onClose: () => void;
  onDone: (note: Note) => void;
}

const WHAT = {
  KEYS: { stays: "Its keys stay", isErased: "Its keys are erased" },
  OAUTH: { stays: "The access to it stays", isErased: "The access to it is erased" },
} as const;

const DELETED: Note = { kind: "success", text: "Account deleted successfully!" };

export function DeleteDialog({ account, onClose, onDone }: DeleteDialogProps) {
  const [isSelling, setSelling] = useState(false);
  const [isLeavingBare, setLeavingBare] = useState(false);
  const removal = useAction(accountsApi.remove, { refreshes: SHOWS_ACCOUNTS });
  const { id, positions, otherPositions } = account;
  const isBareRefused = removal.failure?.issues.some(({ path }) => path === "leaveBare") === true;
  const what = WHAT[account.access];
  const closing: Note = {
    kind: "warning",
    text: `${titleOf(account)} is being closed: ${positionsText(account)}, sold while the market is open. Then it is deleted.`,
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Delete ${titleOf(account)}`}
      description="Are you sure you want to delete this account? This action cannot be undone."
    >
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm text-muted">
        <li>Its automation stops and its open entry orders are cancelled.</li>
        <li>
          {positions.count > 0 && !isSelling
            ? `${what.stays} here, encrypted and used for reading only, until those shares are sold, so that your records stay complete: 90 days at most. Your trade history stays.`
            : `${what.isErased} here. Your trade history stays.`}
        </li>
        {account.access === "OAUTH" && <li>You can also revoke it at Alpaca, under OAuth Apps.</li>}
        {positions.count === 0 && <li>Tradewind holds no positions in it.</li>}
        {otherPositions > 0 && (
          <li>
            {otherPositions} {otherPositions === 1 ? "position" : "positions"} that Tradewind did not buy{" "}
            {otherPositions === 1 ? "stays as it is" : "stay as they are"}.
          </li>
        )}
      </ul>
      {positions.count > 0 && <PositionsChoice account={account} isSelling={isSelling} onChange={setSelling} />}
      {removal.failure !== null && (
        <Banner kind="failure" detail={removal.failure.message}>
          Failed to delete account
        </Banner>
      )}
      {!isSelling && (isBareRefused || isLeavingBare) && (
        <SwitchField
          label="Leave these shares at the broker without a stop"
          hint="Nothing sells them when their price falls: look after them there."
          isOn={isLeavingBare}
          onChange={setLeavingBare}
        />
      )}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button tone="secondary" onClick={onClose} disabled={removal.isBusy}>
          Cancel
        </Button>
        <Button
          tone="danger"
          disabled={removal.isBusy}
          onClick={() =>
            removal.run(
              { id, ...(isSelling ? { closePositions: "true" } : isLeavingBare ? { leaveBare: "true" } : {}) },
              { onSuccess: ({ state }) => onDone(state === "deleted" ? DELETED : closing) },
            )
          }
        >
          {removal.isBusy ? "Deleting..." : isSelling ? "Sell and delete account" : "Delete account"}
        </Button>
      </div>
    </Dialog>
  );
}
