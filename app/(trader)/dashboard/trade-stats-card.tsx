"use client";
import { useState, type ReactNode } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import { countText, winRateText } from "@/lib/domain/format.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useEnvironment } from "../../_hooks/use-environment.ts";
import { useMarketReading } from "../../_hooks/use-market-clock.ts";
import { Card } from "../../_ui/card.tsx";
import { Definition } from "../../_ui/definition.tsx";
import { Money } from "../../_ui/money.tsx";
import { Segmented } from "../../_ui/segmented.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { Stat } from "../../_ui/stat.tsx";
import { PERIODS, PERIODS_MEAN, startDateOf, type Period } from "./periods.ts";

const POLL_MS = 10_000;

type Summary = Answer<typeof tradesApi.list>["summary"];

interface TradeStatsCardProps {
  endpoint: (typeof tradesApi)["list" | "listAll"];
  /** Over all trades; absent where it could not be read. */
  total: Summary | undefined;
  isReady: boolean;
  aside?: ReactNode;
}

export function TradeStatsCard({ endpoint, total, isReady, aside }: TradeStatsCardProps) {
  const [period, setPeriod] = useState<Period>("total");
  return (
    <Card title="Trade stats" aside={aside} className="max-lg:order-5">
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
            {period === "total" ? (
              <WinRate of={total ?? { winningTrades: 0, losingTrades: 0 }} />
            ) : (
              // A part of its own for each period: what another period counted never stands under this one.
              <PeriodWinRate key={period} endpoint={endpoint} period={period} />
            )}
            <Segmented label="Win rate period" options={PERIODS} value={period} onChange={setPeriod} />
          </div>
        </>
      ) : (
        <Skeleton className="h-36 w-full" />
      )}
    </Card>
  );
}

function PeriodWinRate({ endpoint, period }: { endpoint: TradeStatsCardProps["endpoint"]; period: Period }) {
  const market = useMarketReading();
  const startDate = market === undefined ? undefined : startDateOf(period, market.now);
  const { input } = useEnvironment();
  const { data, failure } = useEndpoint(
    endpoint,
    { ...input, limit: 1, startDate },
    { pollMs: POLL_MS, isEnabled: startDate !== undefined },
  );
  return <WinRate of={data?.summary} failure={failure?.message} />;
}

interface WinRateProps {
  /** Absent until read. */
  of: Pick<Summary, "winningTrades" | "losingTrades"> | undefined;
  failure?: string | undefined;
}

function WinRate({ of, failure }: WinRateProps) {
  const note =
    of === undefined ? (failure ?? "Counting...") : `${countText(of.winningTrades)}W / ${countText(of.losingTrades)}L`;
  return (
    <dl>
      <Stat
        label={
          <span className="flex items-center gap-1.5">
            Win Rate
            <Definition of="Win Rate">{`Won of the round trips closed in the period. ${PERIODS_MEAN}`}</Definition>
          </span>
        }
        note={note}
      >
        {of === undefined ? "—" : winRateText(of.winningTrades, of.losingTrades)}
      </Stat>
    </dl>
  );
}
