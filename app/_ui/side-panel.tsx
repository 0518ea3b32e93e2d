"use client";
import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import { useRef, type ReactNode } from "react";

interface SidePanelProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
}

/** A detail beside the list it belongs to; the whole screen on a phone. Escape closes, focus returns to the row. */
export function SidePanel({ isOpen, onClose, title, children }: SidePanelProps) {
  const opener = useRef<Element | null>(null);
  return (
    <Primitive.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-slate-950/40" />
        <Primitive.Content
          aria-describedby={undefined}
          // The library returns the focus to a trigger of its own; rows are opened from outside.
          onOpenAutoFocus={({ currentTarget }) => {
            const focused = document.activeElement;
            if (!(currentTarget as Element).contains(focused)) opener.current = focused;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus();
          }}
          className="fixed inset-0 z-50 flex flex-col border-line bg-surface shadow-xl sm:left-auto sm:w-full sm:max-w-2xl sm:border-l"
        >
          <div className="flex items-center justify-between gap-3 border-b border-line px-5 py-3">
            <Primitive.Title className="truncate text-base font-semibold">{title}</Primitive.Title>
            <Primitive.Close
              aria-label="Close"
              className="flex size-11 items-center justify-center rounded-lg text-muted hover:bg-sunken hover:text-ink sm:size-9"
            >
              <X aria-hidden className="size-4" />
            </Primitive.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-5">{children}</div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
