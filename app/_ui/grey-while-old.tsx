import type { ReactNode, Ref } from "react";

interface GreyWhileOldProps {
  /** While the answer to the input before stands in for the one that is on its way. */
  isOld: boolean;
  className?: string;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** Content that is of another page or period for the moment says so: busy, and grey once that takes longer than an instant. */
export function GreyWhileOld({ isOld, className = "", ref, children }: GreyWhileOldProps) {
  return (
    <div
      ref={ref}
      aria-busy={isOld}
      className={`transition-[filter] delay-300 empty:hidden aria-busy:grayscale ${className}`}
    >
      {children}
    </div>
  );
}
