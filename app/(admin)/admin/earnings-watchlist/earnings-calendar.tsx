"use client";
import { dateText, ratioText } from "@/lib/domain/format.ts";
import { Card } from "../../../_ui/card.tsx";
import { Money } from "../../../_ui/money.tsx";
import { Percent } from "../../../_ui/percent.tsx";
import { SymbolLink } from "../../symbol-link.tsx";
import { DaysUntil, ReportTime, RiskBadge } from "../../watch-parts.tsx";
import type { Watchlist } from "./watch-table.tsx";

/** The same stocks, day by day. */
export function EarningsCalendar({ list: { calendar, today } }: { list: Watchlist }) {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {calendar.map(({ date, stocks }) => (
        <Card key={date} title={dateText(date)} aside={<DaysUntil today={today} date={date} />}>
          <ul className="divide-y divide-line">
            {stocks.map((stock) => (
              <li key={stock.symbol} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
                <span className="flex items-center gap-2">
                  <SymbolLink symbol={stock.symbol} />
                  <RiskBadge level={stock.riskLevel} />
                </span>
                <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
                  <Money value={stock.lastPrice} />
                  <ReportTime time={stock.earningsTime} />
                  <Percent value={stock.upside === null ? null : 100 * stock.upside} />
                  <span className="text-muted tabular-nums">
                    {stock.volumeRatio === null ? "Volume —" : `${ratioText(stock.volumeRatio, 2)}× avg volume`}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </Card>
      ))}
    </div>
  );
}
