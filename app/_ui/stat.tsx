import type { ReactNode } from "react";

interface StatProps {
  label: ReactNode;
  note?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A named figure. */
export function Stat({ label, note, className = "", children }: StatProps) {
  return (
    <div className={`min-w-0 ${className}`}>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="mt-1 text-lg wrap-anywhere font-semibold tracking-tight tabular-nums">{children}</dd>
      {note !== undefined && <dd className="mt-0.5 text-xs text-muted">{note}</dd>}
    </div>
  );
}
