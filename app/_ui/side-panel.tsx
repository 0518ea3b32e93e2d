"use client";
import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { Overlay } from "./overlay.tsx";

interface SidePanelProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
}

/** A detail beside the list it belongs to; the whole screen on a phone. Focus returns to the row. */
export function SidePanel({ isOpen, onClose, title, children }: SidePanelProps) {
  return (
    <Overlay
      isOpen={isOpen}
      onClose={onClose}
      className="inset-0 flex flex-col sm:left-auto sm:w-full sm:max-w-2xl sm:border-l"
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
    </Overlay>
  );
}
