"use client";
import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { AmountsText } from "./money.tsx";
import { Overlay } from "./overlay.tsx";

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  description: string;
  /** Covers a dialog that is open already. */
  isTopmost?: boolean;
  children: ReactNode;
}

/** A dialog in the middle of the screen; a sheet at the bottom of a phone. */
export function Dialog({ isOpen, onClose, title, description, isTopmost = false, children }: DialogProps) {
  return (
    <Overlay
      isOpen={isOpen}
      onClose={onClose}
      isDescribed
      isTopmost={isTopmost}
      className="inset-x-0 bottom-0 max-h-[92dvh] overflow-y-auto rounded-t-2xl border p-6 sm:inset-x-auto sm:bottom-auto sm:left-1/2 sm:top-1/2 sm:w-full sm:max-w-md sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-2xl"
    >
      <Primitive.Title className="text-base font-semibold wrap-anywhere">{title}</Primitive.Title>
      <Primitive.Description className="mt-2 text-sm text-muted">
        <AmountsText text={description} />
      </Primitive.Description>
      <div className="mt-5 flex flex-col gap-4">{children}</div>
    </Overlay>
  );
}
