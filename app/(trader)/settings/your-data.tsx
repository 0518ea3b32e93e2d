"use client";
import { useState, type FormEvent } from "react";
import { failureText } from "@/lib/client/failure-text.ts";
import { ERASE_WORD, usersApi } from "@/lib/contracts/users.ts";
import { erasePerson } from "../../_hooks/end-sign-in.ts";
import { useAttempt } from "../../_hooks/use-attempt.ts";
import { useDownload } from "../../_hooks/use-download.ts";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { DialogButtons } from "../../_ui/dialog-buttons.tsx";
import { Dialog } from "../../_ui/dialog.tsx";
import { FailureBanner, FailureNote } from "../../_ui/failure-note.tsx";
import { PasswordField, TextField } from "../../_ui/field.tsx";

export function YourData() {
  const [isErasing, setErasing] = useState(false);
  const file = useDownload(usersApi.export);
  return (
    <Card title="Your data">
      <div className="flex flex-col gap-4">
        <div className="flex flex-col items-start gap-3">
          <p>
            Everything that Tradewind keeps about you: accounts, trades, round trips, positions, equity, decisions and
            the audit trail, as CSV files in one zip file with a list of their hashes. Keys and passwords are not
            included.
          </p>
          {file.failure !== null && (
            <FailureNote text="The file could not be made" detail={file.failure.message} onRetry={() => file.run({})} />
          )}
          <Button tone="secondary" onClick={() => file.run({})} disabled={file.isBusy}>
            {file.isBusy ? "Preparing the file..." : "Download my data"}
          </Button>
        </div>
        <div className="flex flex-col items-start gap-3 border-t border-line pt-4">
          <p>Deleting your account erases your personal data and cannot be undone. Download your data first.</p>
          <Button tone="danger" onClick={() => setErasing(true)}>
            Delete my account
          </Button>
        </div>
      </div>
      {isErasing && <EraseDialog onClose={() => setErasing(false)} />}
    </Card>
  );
}

const CONSEQUENCES = [
  "Automation stops, and open entry orders are cancelled.",
  "Positions stay at your broker, with their protective stops. Nothing is sold.",
  "Keys, sign-ins, preferences, logs and notifications are erased, and so are your name and email address.",
  "Trades are kept without your name.",
];

function EraseDialog({ onClose }: { onClose: () => void }) {
  const [confirmation, setConfirmation] = useState("");
  const [password, setPassword] = useState("");
  const erasing = useAttempt();
  const issueOf = (path: string) => erasing.failure?.issues.find((issue) => issue.path === path)?.message;
  const isTyped = confirmation.trim() === ERASE_WORD && password !== "";

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isTyped) return;
    void erasing.run(() => erasePerson({ confirmation: ERASE_WORD, password }));
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Delete your account?"
      description="This erases your personal data from Tradewind. It cannot be undone."
    >
      <ul className="list-disc pl-5 text-sm marker:text-muted">
        {CONSEQUENCES.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      {erasing.failure !== null && erasing.failure.issues.length === 0 && (
        <FailureBanner {...failureText(erasing.failure, "Failed to delete your account")} />
      )}
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <TextField
          label={`Type ${ERASE_WORD} to confirm`}
          value={confirmation}
          autoComplete="off"
          spellCheck={false}
          error={issueOf("confirmation")}
          onChange={(event) => setConfirmation(event.target.value)}
        />
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          value={password}
          error={issueOf("password")}
          onChange={(event) => setPassword(event.target.value)}
        />
        <DialogButtons
          onCancel={onClose}
          action={erasing.isBusy ? "Deleting..." : "Delete my account"}
          isDisabled={erasing.isBusy || !isTyped}
        />
      </form>
    </Dialog>
  );
}
