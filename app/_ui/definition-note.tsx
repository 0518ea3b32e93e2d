"use client";
import { Popover } from "radix-ui";
import type { ReactNode, RefObject } from "react";

interface DefinitionNoteProps {
  of: string;
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
  children: ReactNode;
}

/** The open note beside its button: Escape and a click elsewhere close it. */
export function DefinitionNote({ of, button, onClose, children }: DefinitionNoteProps) {
  const isButton = (target: EventTarget | null) => target instanceof Node && button.current?.contains(target) === true;
  return (
    <Popover.Root open onOpenChange={(next) => !next && onClose()}>
      <Popover.Anchor virtualRef={button as RefObject<HTMLButtonElement>} />
      <Popover.Portal>
        <Popover.Content
          aria-label={of}
          sideOffset={6}
          collisionPadding={12}
          // The button closes the note itself.
          onInteractOutside={(event) => isButton(event.target) && event.preventDefault()}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            button.current?.focus();
          }}
          className="z-50 max-w-80 rounded-lg border border-line bg-surface p-3 text-sm leading-relaxed text-ink shadow-lg"
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
