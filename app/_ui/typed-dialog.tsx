"use client";
import { useState, type FormEvent, type ReactNode } from "react";
import { DialogButtons } from "./dialog-buttons.tsx";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./field.tsx";

interface TypedDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  description: string;
  /** What has to be typed before the button works. */
  phrase: string;
  action: string;
  isBusy: boolean;
  onConfirm: () => void;
  /** What happens next, and what went wrong. */
  children?: ReactNode;
}

/** For money and for what cannot be undone: the act is typed, not clicked. */
export function TypedDialog({ phrase, action, isBusy, onConfirm, children, ...dialog }: TypedDialogProps) {
  const [typed, setTyped] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() === phrase) onConfirm();
  };
  return (
    <Dialog {...dialog}>
      {children}
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={`Type ${phrase} to confirm`}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
        <DialogButtons onCancel={dialog.onClose} action={action} isDisabled={isBusy || typed.trim() !== phrase} />
      </form>
    </Dialog>
  );
}
