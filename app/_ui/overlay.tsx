"use client";
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { useOpener } from "../_hooks/use-opener.ts";

interface OverlayProps {
  isOpen?: boolean;
  onClose: () => void;
  /** Whether a Dialog.Description is among the children. */
  isDescribed?: boolean;
  /** Where it stands and how large it is. */
  className: string;
  /** With a Dialog.Title. */
  children: ReactNode;
}

/** The frame of all that opens over the page and covers it. Focus is kept inside and returns; Escape closes. */
export function Overlay({ isOpen = true, onClose, isDescribed = false, className, children }: OverlayProps) {
  const focus = useOpener();
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-slate-950/50" />
        <Dialog.Content
          {...focus}
          {...(isDescribed ? {} : { "aria-describedby": undefined })}
          className={`fixed z-50 border-line bg-surface shadow-xl ${className}`}
        >
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
