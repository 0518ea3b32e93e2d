import type { ReactNode } from "react";
import { SkeletonCard, SkeletonRows } from "../_ui/skeleton.tsx";
import { Stat } from "../_ui/stat.tsx";

interface FigureCardsProps {
  label: string;
  figures: readonly { label: string; value: ReactNode; note?: ReactNode }[];
}

/** The figures at the head of a page, each in a card of its own. */
export function FigureCards({ label, figures }: FigureCardsProps) {
  return (
    <dl aria-label={label} className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      {figures.map(({ label: name, value, note }) => (
        <Stat
          key={name}
          label={name}
          {...(note === undefined ? {} : { note })}
          className="rounded-xl border border-line bg-surface p-4 sm:p-5"
        >
          {value}
        </Stat>
      ))}
    </dl>
  );
}

/** The same page while it is on its way. */
export function FiguresLoading() {
  return (
    <>
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        {Array.from({ length: 4 }, (_, i) => (
          <SkeletonCard key={i} className="h-24" />
        ))}
      </div>
      <div className="overflow-clip rounded-xl border border-line bg-surface">
        <SkeletonRows />
      </div>
    </>
  );
}
