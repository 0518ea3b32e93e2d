"use client";
import { useState, type FormEvent } from "react";
import { accountsApi, titleOf } from "@/lib/contracts/accounts.ts";
import { automationApi } from "@/lib/contracts/automation.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { moneyText } from "@/lib/domain/format.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Banner } from "../../_ui/banner.tsx";
import { DialogButtons } from "../../_ui/dialog-buttons.tsx";
import { Dialog } from "../../_ui/dialog.tsx";
import { TextField } from "../../_ui/field.tsx";
import { Time } from "../../_ui/time.tsx";
import { type Account } from "./account-text.ts";

interface ResumeAccountDialogProps {
  account: Account;
  onClose: () => void;
  onResumed: (answer: Answer<typeof accountsApi.resume>) => void;
}

/** What resuming means, by what holds the account. */
function meaningOf({ haltReason, isClosing, canKeep, stop, equity }: Account): string {
  const sentences = [];
  if (canKeep) sentences.push("It is not deleted, and no more of its positions are sold.");
  if (haltReason !== null)
    sentences.push(
      `Its records are ${canKeep ? "then" : "first"} compared with the broker's. It resumes only if no order is in doubt and nothing differs.`,
    );
  if (isClosing && !canKeep) sentences.push("Its positions are then sold, and it is deleted.");
  if (stop?.source === "DRAWDOWN")
    sentences.push(
      `Drawdown is measured from today's equity${equity === null ? "" : `, ${moneyText(equity)},`} from now on.`,
    );
  if (haltReason === null && !isClosing && stop?.source !== "DRAWDOWN")
    sentences.push("Unless something else holds it, Tradewind trades it again from its next look at the market.");
  return sentences.join(" ");
}

export function ResumeAccountDialog({ account, onClose, onResumed }: ResumeAccountDialogProps) {
  const [reason, setReason] = useState("");
  const resuming = useAction(accountsApi.resume, {
    refreshes: [accountsApi.list, portfolioApi.summary, automationApi.heartbeat],
  });
  const { id, canKeep, haltReason, openQuestions } = account;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    resuming.run({ id, ...(reason.trim() === "" ? {} : { reason }) }, { onSuccess: onResumed });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={canKeep ? `Keep ${titleOf(account)}?` : `Resume ${titleOf(account)}?`}
      description={meaningOf(account)}
    >
      {openQuestions.length > 0 && (
        <div className="text-sm">
          <p className="font-medium">
            {canKeep && haltReason !== null ? "To be settled before it trades again:" : "To be settled first:"}
          </p>
          <ul className="mt-1 flex list-disc flex-col gap-1 pl-5">
            {openQuestions.map(({ what, needsPerson, why, decidedAt }) => (
              <li key={`${what} ${decidedAt}`}>
                {what}, decided <Time at={decidedAt} />:{" "}
                {needsPerson
                  ? "an administrator has to settle it"
                  : "the broker is being asked, and this settles by itself"}
                {why === null ? "." : ` (${why}).`}
              </li>
            ))}
          </ul>
        </div>
      )}
      {resuming.failure !== null && (
        <Banner kind="failure" detail={resuming.failure.message}>
          {canKeep ? "The account is still being closed" : "The account was not resumed"}
        </Banner>
      )}
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Reason (optional)"
          hint="Saved in your activity."
          value={reason}
          maxLength={300}
          onChange={(event) => setReason(event.target.value)}
        />
        <DialogButtons
          onCancel={onClose}
          action={resuming.isBusy ? "Checking with the broker..." : canKeep ? "Keep the account" : "Resume"}
          tone="primary"
          isDisabled={resuming.isBusy}
        />
      </form>
    </Dialog>
  );
}
