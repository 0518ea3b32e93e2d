import { useId, type ReactNode } from "react";

interface CardProps {
  title?: ReactNode;
  /** Stands at the right of the title: a toggle, a badge. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

export function Card({ title, aside, className = "", children }: CardProps) {
  const titleId = useId();
  return (
    <section
      aria-labelledby={title === undefined ? undefined : titleId}
      className={`rounded-xl border border-line bg-surface p-4 sm:p-5 ${className}`}
    >
      {title !== undefined && (
        <div className="mb-3 flex min-h-7 flex-wrap items-center justify-between gap-x-3 gap-y-2">
          <h2 id={titleId} className="text-sm font-medium text-muted">
            {title}
          </h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
