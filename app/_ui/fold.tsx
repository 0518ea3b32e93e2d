import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

interface FoldProps {
  /** What is folded, in a line. */
  summary: ReactNode;
  className?: string;
  children: ReactNode;
}

/** Details that open on request, in one line until then. */
export function Fold({ summary, className = "", children }: FoldProps) {
  return (
    <details className={`group ${className}`}>
      <summary className="tap flex w-fit cursor-pointer list-none items-start gap-1.5 rounded-sm py-0.5 hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="mt-[0.15em] size-[1.1em] shrink-0 text-muted transition-transform group-open:rotate-90 motion-reduce:transition-none"
        />
        <span>{summary}</span>
      </summary>
      {children}
    </details>
  );
}

/** Folded cards below each other, as lines of one card. */
export function FoldGroup({ children }: { children: ReactNode }) {
  return (
    <div className="divide-y divide-line overflow-clip rounded-xl border border-line bg-surface [&>section]:rounded-none [&>section]:border-x-0 [&>section]:border-b-0 [&>section]:py-1.5 [&>section:first-child]:border-t-0">
      {children}
    </div>
  );
}

interface FoldCardProps {
  title: string;
  /** What it holds, beside the title. */
  note?: ReactNode;
  children: ReactNode;
}

/** A card that is one line until it is asked for. */
export function FoldCard({ title, note, children }: FoldCardProps) {
  return (
    <section aria-label={title} className="rounded-xl border border-line bg-surface px-4 py-3 sm:px-5">
      <Fold
        className="text-sm"
        summary={
          <span className="flex flex-wrap gap-x-2">
            <span className="font-medium">{title}</span>
            {note !== undefined && <span className="text-muted">{note}</span>}
          </span>
        }
      >
        <div className="pt-3 pb-1">{children}</div>
      </Fold>
    </section>
  );
}
