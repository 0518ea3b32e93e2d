import type { ReactNode } from "react";
import { Badge } from "./badge.tsx";
import { AmountsText } from "./money.tsx";
import { Time } from "./time.tsx";

interface PageHeadProps {
  title: string;
  /** Whose money the figures of the page are: a badge, or the switch where there is a choice. */
  environment?: ReactNode;
  /** Market time of the figures; null while it is not known, which keeps its line on a phone. */
  asOf?: string | null;
  isStale?: boolean;
  /** Buttons at the right. */
  children?: ReactNode;
}

/** The first line of every signed-in page: what it is, whose money, how old. */
export function PageHead({ title, environment, asOf, isStale = false, children }: PageHeadProps) {
  const hasAge = isStale || asOf !== undefined;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <h1 className="text-2xl font-semibold tracking-tight">
        <AmountsText text={title} />
      </h1>
      {environment}
      <div
        className={`ml-auto flex min-h-6 flex-wrap items-center gap-x-3 gap-y-2 ${hasAge ? "sm:order-1 sm:ml-0" : ""}`}
      >
        {children}
      </div>
      {hasAge && (
        <p className="flex min-h-5 basis-full items-center gap-2 text-xs text-muted sm:ml-auto sm:basis-auto">
          {isStale && <Badge tone="warn">stale</Badge>}
          {asOf != null && (
            <span>
              as of <Time at={asOf} isClock />
            </span>
          )}
        </p>
      )}
    </div>
  );
}
