"use client";
import { useState, type ReactNode } from "react";

/** The figures of a chart as tables, made when they are asked for: by keyboard, for screen readers and for those who want them. */
export function FiguresFold({ label, children }: { label: string; children: () => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="mt-2 text-xs print:hidden" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="inline-flex min-h-6 cursor-pointer items-center rounded-sm text-muted hover:text-ink">
        Show the figures
      </summary>
      {isOpen && (
        <div className="mt-2 max-h-64 overflow-auto" tabIndex={0} role="region" aria-label={label}>
          {children()}
        </div>
      )}
    </details>
  );
}
