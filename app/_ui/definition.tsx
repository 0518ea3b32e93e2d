"use client";
import { Info } from "lucide-react";
import dynamic from "next/dynamic";
import { useRef, useState, type ReactNode } from "react";

// What places a note beside its button weighs a tenth of a page's code: it comes with the first note that is opened.
const Note = dynamic(() => import("./definition-note.tsx").then((part) => part.DefinitionNote), { ssr: false });

/** What a figure means, on demand: opens by click, touch and keyboard alike. */
export function Definition({ of, children }: { of: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={`What is ${of}?`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="tap inline-flex size-4 items-center justify-center rounded-full align-text-bottom text-muted hover:text-ink"
      >
        <Info aria-hidden className="size-3.5" />
      </button>
      {isOpen && (
        <Note of={of} button={button} onClose={() => setOpen(false)}>
          {children}
        </Note>
      )}
    </>
  );
}
