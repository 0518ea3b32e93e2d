"use client";
import { useState, type ReactNode } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { Card } from "../../_ui/card.tsx";
import { Money } from "../../_ui/money.tsx";
import { Percent } from "../../_ui/percent.tsx";
import { Segmented } from "../../_ui/segmented.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { PERIODS, type Period } from "./periods.ts";

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

/** Figures stand in one line, however the headings wrap. */
const LOOK = "flex flex-col justify-between";

export function PortfolioCards({ figures, isStale }: PortfolioCardsProps) {
  const [period, setPeriod] = useState<Period>("total");
  const pnl = figures?.[PNL[period]];
  return (
    <div
      className={`grid gap-4 *:min-w-0 sm:grid-cols-2 xl:grid-cols-[1fr_1.4fr_1fr_1fr] ${isStale ? "text-muted grayscale" : ""}`}
    >
      <Card title="Total Portfolio" className={LOOK}>
        <Figure isReady={figures !== undefined}>
          <Money value={figures?.totalValue} />
        </Figure>
      </Card>
      <Card
        title="P&amp;L"
        aside={<Segmented label="P&L period" options={PERIODS} value={period} onChange={setPeriod} />}
        className={LOOK}
      >
        <Figure isReady={figures !== undefined}>
          <Money value={pnl} isChange />
          {period === "total" && figures?.totalPnLPercent != null && (
            <span className="ml-2 text-sm font-medium">
              <Percent value={figures.totalPnLPercent} />
            </span>
          )}
        </Figure>
      </Card>
      <Card title="Cash" className={LOOK}>
        <Figure isReady={figures !== undefined}>
          <Money value={figures?.cash} />
        </Figure>
      </Card>
      <Card title="Buying Power" className={LOOK}>
        <Figure isReady={figures !== undefined}>
          <Money value={figures?.buyingPower} />
        </Figure>
      </Card>
    </div>
  );
}

function Figure({ isReady, children }: { isReady: boolean; children: ReactNode }) {
  if (!isReady) return <Skeleton className="h-8 w-36" />;
  return <p className="min-h-8 text-2xl font-semibold tracking-tight">{children}</p>;
}
