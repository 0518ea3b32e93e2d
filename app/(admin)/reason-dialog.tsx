"use client";
import { useState, type FormEvent, type ReactNode } from "react";
import type { CallError } from "@/lib/client/api.ts";
import { Banner } from "../_ui/banner.tsx";
import { DialogButtons } from "../_ui/dialog-buttons.tsx";
import { Dialog } from "../_ui/dialog.tsx";
import { TextField } from "../_ui/field.tsx";

interface ReasonDialogProps {
  onClose: () => void;
  title: string;
  description: string;
  /** What has to be typed, too; null where it can be taken back. */
  phrase: string | null;
  action: string;
  isBusy: boolean;
  failure: CallError | null;
  /** What is said above the reason why it failed. */
  failureText: string;
  isReady?: boolean;
  onConfirm: (reason: string) => void;
  children?: ReactNode;
}

/** An administrator's act: with its reason, and typed where it is about money or cannot be undone. */
export function ReasonDialog({
  phrase,
  action,
  isBusy,
  failure,
  failureText,
  isReady = true,
  onConfirm,
  children,
  ...dialog
}: ReasonDialogProps) {
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const mayConfirm = isReady && !isBusy && reason.trim() !== "" && (phrase === null || typed.trim() === phrase);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (mayConfirm) onConfirm(reason.trim());
  };
  return (
    <Dialog isOpen {...dialog}>
      {children}
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Reason"
          hint="It is kept in the audit trail."
          value={reason}
          maxLength={300}
          onChange={(event) => setReason(event.target.value)}
        />
        {phrase !== null && (
          <TextField
            label={`Type ${phrase} to confirm`}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        {failure !== null && (
          <Banner kind="failure" detail={failure.message}>
            {failureText}
          </Banner>
        )}
        <DialogButtons
          onCancel={dialog.onClose}
          action={isBusy ? "Working..." : action}
          tone={phrase === null ? "primary" : "danger"}
          isDisabled={!mayConfirm}
        />
      </form>
    </Dialog>
  );
}
