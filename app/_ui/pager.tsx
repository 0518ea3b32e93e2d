"use client";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { Button } from "./button.tsx";

interface PagerProps {
  /** "51–100 of 1,204 trades" */
  text: string;
  hasPrevious: boolean;
  hasNext: boolean;
  isBusy: boolean;
  /** Whether what comes next is older; a list in another order has pages before and after alone. */
  isNewestFirst?: boolean;
  onPrevious: () => void;
  onNext: () => void;
}

/** Moves through a list page by page, so that a long one never fills the document. */
export function Pager({ text, hasPrevious, hasNext, isBusy, isNewestFirst = true, onPrevious, onNext }: PagerProps) {
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-xs text-muted tabular-nums" aria-live="polite">
        {text}
      </p>
      <div className="flex gap-2">
        <Button tone="secondary" onClick={onPrevious} disabled={!hasPrevious || isBusy}>
          <ChevronLeft aria-hidden className="size-4" />
          {isNewestFirst ? "Newer" : "Previous"}
        </Button>
        <Button tone="secondary" onClick={onNext} disabled={!hasNext || isBusy}>
          {isNewestFirst ? "Older" : "Next"}
          <ChevronRight aria-hidden className="size-4" />
        </Button>
      </div>
    </nav>
  );
}
