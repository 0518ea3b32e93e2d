"use client";
import type { ReactNode } from "react";
import type { CallError } from "@/lib/client/api.ts";
import { Banner } from "./banner.tsx";
import type { Tone } from "./button.tsx";
import { DialogButtons } from "./dialog-buttons.tsx";
import { Dialog } from "./dialog.tsx";

interface ConfirmDialogProps {
  isOpen?: boolean;
  onClose: () => void;
  title: string;
  description: string;
  /** On the button that leaves everything as it is. */
  cancel?: string;
  action: string;
  tone?: Tone;
  isBusy?: boolean;
  failure?: CallError | null;
  /** What is said above the reason why it failed; without it the reason stands alone. */
  failureText?: string;
  onConfirm: () => void;
  /** What is to be known before it is confirmed. */
  children?: ReactNode;
}

/** Asks before something that one click is enough for. What is typed first has a dialog of its own. */
export function ConfirmDialog({
  isOpen = true,
  cancel,
  action,
  tone,
  isBusy,
  failure = null,
  failureText,
  onConfirm,
  children,
  ...dialog
}: ConfirmDialogProps) {
  return (
    <Dialog isOpen={isOpen} {...dialog}>
      {children}
      {failure !== null && (
        <Banner kind="failure" detail={failureText && failure.message}>
          {failureText ?? failure.message}
        </Banner>
      )}
      <DialogButtons
        cancel={cancel}
        onCancel={dialog.onClose}
        action={action}
        tone={tone}
        isDisabled={isBusy}
        onConfirm={onConfirm}
      />
    </Dialog>
  );
}
