"use client";
import { Info } from "lucide-react";
import { Popover } from "radix-ui";
import type { ReactNode } from "react";

/** What a figure means, on demand: opens by click, touch and keyboard alike. */
export function Definition({ of, children }: { of: string; children: ReactNode }) {
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label={`What is ${of}?`}
        className="relative inline-flex size-4 items-center justify-center rounded-full align-text-bottom text-muted after:absolute after:-inset-1 hover:text-ink"
      >
        <Info aria-hidden className="size-3.5" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          sideOffset={6}
          collisionPadding={12}
          className="z-50 max-w-80 rounded-lg border border-line bg-surface p-3 text-sm leading-relaxed text-ink shadow-lg"
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
