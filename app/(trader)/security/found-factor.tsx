"use client";
import { useEffect, useRef, type ReactNode } from "react";
import { Banner } from "../../_ui/banner.tsx";

interface FoundFactorProps {
  /** Whether recovery codes came with it. */
  isLast: boolean;
  children: ReactNode;
}

/** In place of the form of a factor that stands although its answer was lost, or that another tab set up. */
export function FoundFactor({ isLast, children }: FoundFactorProps) {
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => note.current?.focus(), []);
  return (
    <div ref={note} tabIndex={-1} className="w-full rounded-lg">
      <Banner
        kind={isLast ? "warning" : "success"}
        detail={
          isLast
            ? "Its recovery codes are shown only once. If you have not saved them, make new ones below."
            : undefined
        }
      >
        {children}
      </Banner>
    </div>
  );
}
