"use client";
import { useState } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { countText, winRateText } from "@/lib/domain/format.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useMarketReading } from "../../_hooks/use-market-clock.ts";
import { Card } from "../../_ui/card.tsx";
import { Money } from "../../_ui/money.tsx";
import { Segmented } from "../../_ui/segmented.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { Stat } from "../../_ui/stat.tsx";
import { PERIODS, startDateOf, type Period } from "./periods.ts";
import { Badges } from "./portfolio-cards.tsx";

const POLL_MS = 5000;

interface TradeStatsCardProps {
  /** Over all trades; absent until read. */
  total: Answer<typeof tradesApi.list>["summary"] | undefined;
  hasFailed: boolean;
  environments: ("PRACTICE" | "PAPER" | "LIVE")[];
}

export function TradeStatsCard({ total, hasFailed, environments }: TradeStatsCardProps) {
  const [period, setPeriod] = useState<Period>("total");
  const market = useMarketReading();
  const startDate = market === undefined ? undefined : startDateOf(period, market.now);
  const inPeriod = useEndpoint(
    tradesApi.list,
    { limit: 1, startDate },
    { pollMs: POLL_MS, isEnabled: period !== "total" && startDate !== undefined },
  );
  const decided = period === "total" ? total : inPeriod.data?.summary;
  const isReady = total !== undefined || hasFailed;
  const winning = decided?.winningTrades ?? 0;
  const losing = decided?.losingTrades ?? 0;
  return (
    <Card title="Trade stats" aside={<Badges environments={environments} />}>
      {isReady ? (
        <>
          <dl className="grid grid-cols-2 gap-4">
            <Stat label="Total Trades">{countText(total?.totalTrades ?? 0)}</Stat>
            <Stat label="Avg Trade Size">
              <Money value={total?.averageTradeSize} />
            </Stat>
            <Stat label="Total Volume">
              <Money value={total?.totalVolume} />
            </Stat>
          </dl>
          <div className="mt-4 flex flex-wrap items-end justify-between gap-3 border-t border-line pt-4">
            <dl>
              <Stat label="Win Rate" note={`${countText(winning)}W / ${countText(losing)}L`}>
                {winRateText(winning, losing)}
              </Stat>
            </dl>
            <Segmented label="Win rate period" options={PERIODS} value={period} onChange={setPeriod} />
          </div>
        </>
      ) : (
        <Skeleton className="h-36 w-full" />
      )}
    </Card>
  );
}
