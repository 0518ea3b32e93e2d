"use client";
import { useRouter } from "next/navigation";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { symbolsApi } from "@/lib/contracts/symbols.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { BackLink } from "../../_ui/back-link.tsx";
import { EnvironmentBadge } from "../../_ui/badge.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { ReadFailure } from "../../_ui/read-failure.tsx";
import { Skeleton, SkeletonCard } from "../../_ui/skeleton.tsx";
import { SymbolChart } from "../../_ui/symbol-chart.tsx";
import { SymbolPrice } from "../../_ui/symbol-price.tsx";
import { SymbolTrading } from "../../_ui/symbol-trading.tsx";
import { symbolAddress } from "../../_ui/symbol-link.tsx";
import { EndsCard } from "./ends-card.tsx";
import { PositionActions } from "./position-actions.tsx";
import { PositionFacts } from "./position-facts.tsx";

const POLL_MS = 15_000;

export type PositionAnswer = Answer<typeof symbolsApi.position>;

export function PositionScreen({ accountId, symbol }: { accountId: string; symbol: string }) {
  const read = useEndpoint(symbolsApi.position, { accountId, symbol }, { pollMs: POLL_MS });
  const data = read.isOld ? undefined : read.data;
  const isGone = read.failure?.status === 404;
  return (
    <div className="flex flex-col gap-4">
      <BackLink href={symbolAddress(symbol)}>All about {symbol}</BackLink>
      <div className="flex flex-col gap-1">
        <PageHead
          title={`Your ${symbol}`}
          environment={data && <EnvironmentBadge environment={data.environment} />}
          asOf={data?.priceAt ?? null}
          isStale={read.isStale}
        />
        {data && <p className="text-muted">{aboutOf(data)}</p>}
      </div>
      <ReadFailure
        noun="position"
        absence="It was sold, or it is not yours. Its trades stay on the symbol's page."
        failure={read.failure}
        onRetry={read.retry}
      />
      {read.failure === null && data === undefined && <Loading />}
      {data && <Actions data={data} isGone={isGone} />}
      {data && !isGone && <Loaded data={data} />}
    </div>
  );
}

function aboutOf({ name, sector, account, strategyLabel }: PositionAnswer): string {
  const by = strategyLabel === null ? "not bought by Tradewind" : `strategy ${strategyLabel}`;
  return [name, sector, account.name, by].filter((part) => part !== null).join(", ");
}

/** Stays when the position is gone: a sale is followed to its end in its own dialog. */
function Actions({ data, isGone }: { data: PositionAnswer; isGone: boolean }) {
  const { account, symbol, position, protectedQuantity, environment, strategyLabel } = data;
  if (strategyLabel === null)
    return isGone ? null : (
      <p className="text-sm text-muted">Tradewind did not buy these shares: sell them at your broker.</p>
    );
  return (
    <PositionActions
      accountId={account.id}
      account={account.name}
      symbol={symbol}
      qty={position.quantity}
      covered={protectedQuantity}
      price={position.currentPrice}
      stopPrice={position.stopPrice}
      environment={environment}
      isGone={isGone}
    />
  );
}

function Loaded({ data }: { data: PositionAnswer }) {
  const router = useRouter();
  return (
    <>
      <SymbolPrice of={data} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <PositionFacts data={data} />
        <EndsCard data={data} />
      </div>
      <SymbolChart
        of={data}
        reports={NO_REPORTS}
        environment={data.environment}
        onOpenTrade={(id) => router.push(`/trade-history/${id}`)}
      />
      <SymbolTrading of={data} accounts={[data.account]} />
    </>
  );
}

const NO_REPORTS: readonly { date: string }[] = [];

function Loading() {
  return (
    <>
      <Skeleton className="h-10 w-60 max-w-full" />
      <div className="grid gap-4 lg:grid-cols-2">
        <SkeletonCard className="h-64" />
        <SkeletonCard className="h-64" />
      </div>
      <SkeletonCard className="h-120" />
    </>
  );
}
