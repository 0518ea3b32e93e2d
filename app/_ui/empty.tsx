import type { ReactNode } from "react";

/** Nothing here yet, and what to do next. */
export function Empty({ title, hint, children }: { title: string; hint?: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-2 px-4 py-10 text-center">
      <p className="font-medium">{title}</p>
      {hint !== undefined && <p className="max-w-sm text-sm text-muted">{hint}</p>}
      {children}
    </div>
  );
}
