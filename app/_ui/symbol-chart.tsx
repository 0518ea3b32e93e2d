"use client";
import { useMemo } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { symbolsApi } from "@/lib/contracts/symbols.ts";
import { useEndpoint } from "../_hooks/use-endpoint.ts";
import { useEnvironment } from "../_hooks/use-environment.ts";
import { CandleChart } from "./candle-chart.tsx";
import { Card } from "./card.tsx";
import { Empty } from "./empty.tsx";
import { FailureNote } from "./failure-note.tsx";
import { Skeleton } from "./skeleton.tsx";
import type { Environment } from "@/lib/domain/enums.ts";

type SymbolAnswer = Answer<typeof symbolsApi.read>;

interface SymbolChartProps {
  of: Pick<SymbolAnswer, "symbol" | "price" | "priceAt" | "priceSession" | "trades" | "levels">;
  reports: readonly { date: string }[];
  /** Whose market; without it the one that the page is of. */
  environment?: Environment;
  onOpenTrade: (tradeId: string) => void;
}

/** Candles change once a session, and are asked for apart from what changes each minute. */
const BARS_POLL_MS = 10 * 60_000;

export function SymbolChart({ of, reports, environment, onOpenTrade }: SymbolChartProps) {
  const { input } = useEnvironment();
  const scope = environment === undefined ? input : { environment };
  const read = useEndpoint(symbolsApi.bars, { symbol: of.symbol, ...scope }, { pollMs: BARS_POLL_MS });
  const data = read.isOld ? undefined : read.data;
  const earnings = useMemo(() => reports.map(({ date }) => date), [reports]);
  const { price, priceAt, priceSession } = of;
  // A poll brings the same price again: it is drawn anew only when it changed.
  const current = useMemo(
    () =>
      price === null || priceAt === null || priceSession === null
        ? null
        : { price, at: priceAt, session: priceSession },
    [price, priceAt, priceSession],
  );
  const isNone = read.failure?.status === 404;
  return (
    <Card title="Price">
      {isNone && (
        <Empty
          title="No prices are stored"
          hint="They are loaded at the next look at the market, if the source has any."
        />
      )}
      {read.failure !== null && !isNone && (
        <FailureNote text="Failed to load the prices" detail={read.failure.message} onRetry={read.retry} />
      )}
      {read.failure === null && data === undefined && <Skeleton className="h-96 sm:h-120" />}
      {data && (
        <CandleChart
          symbol={of.symbol}
          bars={data.bars}
          splits={data.splits}
          current={current}
          trades={of.trades}
          levels={of.levels}
          earnings={earnings}
          onOpenTrade={onOpenTrade}
        />
      )}
    </Card>
  );
}
