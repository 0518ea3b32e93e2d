"use client";
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { useOpener } from "../_hooks/use-opener.ts";

interface OverlayProps {
  isOpen?: boolean;
  onClose: () => void;
  /** Whether a Dialog.Description is among the children. */
  isDescribed?: boolean;
  /** Covers what is open already, too. */
  isTopmost?: boolean;
  /** Where it stands and how large it is. */
  className: string;
  /** With a Dialog.Title. */
  children: ReactNode;
}

/** The frame of all that opens over the page and covers it. Focus is kept inside and returns; Escape closes. */
export function Overlay({
  isOpen = true,
  onClose,
  isDescribed = false,
  isTopmost = false,
  className,
  children,
}: OverlayProps) {
  const focus = useOpener();
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={`fixed inset-0 bg-slate-950/50 ${isTopmost ? "z-60" : "z-40"}`} />
        <Dialog.Content
          {...focus}
          {...(isDescribed ? {} : { "aria-describedby": undefined })}
          className={`fixed ${isTopmost ? "z-70" : "z-50"} border-line bg-surface shadow-xl ${className}`}
        >
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
