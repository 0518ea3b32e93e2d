"use client";
import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { useOpener } from "../_hooks/use-opener.ts";

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  description: string;
  children: ReactNode;
}

/** A dialog in the middle of the screen; a sheet at the bottom of a phone. Focus is kept inside and returns. */
export function Dialog({ isOpen, onClose, title, description, children }: DialogProps) {
  const focus = useOpener();
  return (
    <Primitive.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-slate-950/50" />
        <Primitive.Content
          {...focus}
          className="fixed inset-x-0 bottom-0 z-50 max-h-[92dvh] overflow-y-auto rounded-t-2xl border border-line bg-surface p-6 shadow-xl sm:inset-x-auto sm:bottom-auto sm:left-1/2 sm:top-1/2 sm:w-full sm:max-w-md sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-2xl"
        >
          <Primitive.Title className="text-base font-semibold wrap-anywhere">{title}</Primitive.Title>
          <Primitive.Description className="mt-2 text-sm text-muted">{description}</Primitive.Description>
          <div className="mt-5 flex flex-col gap-4">{children}</div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
