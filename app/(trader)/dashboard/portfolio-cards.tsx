"use client";
import { useId, useState, type ReactNode } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { Definition } from "../../_ui/definition.tsx";
import { Money } from "../../_ui/money.tsx";
import { Percent } from "../../_ui/percent.tsx";
import { Segmented } from "../../_ui/segmented.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { PERIODS, PERIODS_MEAN, type Period } from "./periods.ts";

type Figures = Answer<typeof portfolioApi.summary>;

interface PortfolioCardsProps {
  /** Absent while the first reading is under way. */
  figures: Figures | undefined;
  isStale: boolean;
}

const PNL = { day: "pnlDay", week: "pnlWeek", month: "pnlMonth", total: "pnlTotal" } as const satisfies Record<
  Period,
  keyof Figures
>;

/** The money as one strip; below 1024 px the three amounts in a line where they fit, the gain with its choice below. */
export function PortfolioCards({ figures, isStale }: PortfolioCardsProps) {
  const [period, setPeriod] = useState<Period>("total");
  const pnl = figures?.[PNL[period]];
  const isReady = figures !== undefined;
  return (
    <div
      className={`flex flex-wrap gap-x-3 gap-y-4 rounded-xl border border-line bg-surface p-4 *:max-w-full max-lg:*:grow max-lg:*:basis-[28%] sm:px-5 lg:grid lg:grid-cols-[1fr_1.6fr_1fr_1fr] lg:divide-x lg:divide-line ${isStale ? "text-muted grayscale" : ""}`}
    >
      <Part title="Total Portfolio">
        <Figure isReady={isReady}>
          <Money value={figures?.totalValue} />
        </Figure>
      </Part>
      <Part
        title="P&amp;L"
        definition={PERIODS_MEAN}
        aside={<Segmented label="P&L period" options={PERIODS} value={period} onChange={setPeriod} />}
        className="max-lg:order-last max-lg:basis-full! lg:pl-5"
      >
        <Figure isReady={isReady}>
          <Money value={pnl} isChange />
          {period === "total" && figures?.totalPnLPercent != null && (
            <span className="ml-2 text-sm font-medium">
              <Percent value={figures.totalPnLPercent} />
            </span>
          )}
        </Figure>
      </Part>
      <Part title="Cash" className="lg:pl-5">
        <Figure isReady={isReady}>
          <Money value={figures?.cash} />
        </Figure>
      </Part>
      <Part title="Buying Power" className="lg:pl-5">
        <Figure isReady={isReady}>
          <Money value={figures?.buyingPower} />
        </Figure>
      </Part>
    </div>
  );
}

interface PartProps {
  title: string;
  /** What its figure means, on demand. */
  definition?: string;
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** Figures stand in one line, however the headings wrap. */
function Part({ title, definition, aside, className = "", children }: PartProps) {
  const titleId = useId();
  return (
    <section
      aria-labelledby={titleId}
      className={`flex flex-wrap items-center justify-between gap-x-3 gap-y-1 lg:pr-3 ${className}`}
    >
      <div className="max-w-full">
        <div className="flex items-center gap-1.5">
          <h2 id={titleId} className="text-xs font-medium text-muted sm:text-sm">
            {title}
          </h2>
          {definition !== undefined && <Definition of={title}>{definition}</Definition>}
        </div>
        {children}
      </div>
      {aside}
    </section>
  );
}

function Figure({ isReady, children }: { isReady: boolean; children: ReactNode }) {
  if (!isReady) return <Skeleton className="h-7 w-full max-w-32 min-w-20" />;
  return <p className="min-h-7 text-sm font-semibold tracking-tight wrap-break-word sm:text-xl">{children}</p>;
}
