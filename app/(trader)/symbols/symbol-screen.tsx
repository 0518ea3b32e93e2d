"use client";
import { useRouter } from "next/navigation";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { symbolsApi } from "@/lib/contracts/symbols.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useEnvironment } from "../../_hooks/use-environment.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { Banner } from "../../_ui/banner.tsx";
import { EnvironmentSwitch } from "../../_ui/environment-switch.tsx";
import { NewsCard } from "../../_ui/news-card.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { ReadFailure } from "../../_ui/read-failure.tsx";
import { ScoreCard } from "../../_ui/score-card.tsx";
import { SeatEvents } from "../../_ui/seat-events.tsx";
import { Skeleton, SkeletonCard } from "../../_ui/skeleton.tsx";
import { SymbolChart } from "../../_ui/symbol-chart.tsx";
import { SymbolPrice } from "../../_ui/symbol-price.tsx";
import { Tabs, type Tab } from "../../_ui/tabs.tsx";
import { EarningsTab } from "./earnings-tab.tsx";
import { MyTradesTab } from "./my-trades-tab.tsx";
import { ScoreNow } from "./score-now.tsx";
import { Standings } from "./standings.tsx";

const POLL_MS = 30_000;

export type SymbolAnswer = Answer<typeof symbolsApi.read>;

const TABS = ["chart", "score", "trades", "news", "earnings"] as const;
type TabName = (typeof TABS)[number];

export function SymbolScreen({ symbol }: { symbol: string }) {
  const { input } = useEnvironment();
  const read = useEndpoint(symbolsApi.read, { symbol, ...input }, { pollMs: POLL_MS });
  // The page is of the symbol in its address, whatever an answer says.
  const data = read.isOld || read.data === undefined ? undefined : { ...read.data, symbol };
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-1">
        <PageHead
          title={symbol}
          environment={<EnvironmentSwitch of={data} />}
          asOf={data?.priceAt ?? null}
          isStale={read.isStale}
        />
        {data && <p className="text-muted">{[data.name, data.sector].filter((part) => part !== null).join(", ")}</p>}
      </div>
      <ReadFailure
        noun="symbol"
        absence="There is no data about it in this market. Write symbols as the exchange does: AAPL, BRK.B."
        failure={read.failure}
        onRetry={read.retry}
      />
      {read.failure === null && data === undefined && <Loading />}
      {data && <Loaded data={data} />}
    </div>
  );
}

function Loaded({ data }: { data: SymbolAnswer }) {
  const router = useRouter();
  const { values, change } = useUrlValues({ tab: "chart" });
  const chosen = TABS.find((name) => name === values.tab) ?? "chart";
  const tabs: Tab<TabName>[] = [
    {
      value: "chart",
      label: "Chart",
      content: (
        <SymbolChart
          of={data}
          reports={data.earnings.reactions}
          onOpenTrade={(id) => router.push(`/trade-history/${id}`)}
        />
      ),
    },
    {
      value: "score",
      label: "Score",
      content: (
        <div className="flex flex-col gap-4">
          <ScoreNow data={data} />
          <ScoreCard scores={data.scores} />
          <SeatEvents events={data.events} selections={data.scores.length} />
        </div>
      ),
    },
    { value: "trades", label: "My trades", content: <MyTradesTab data={data} /> },
    { value: "news", label: "News", content: <NewsCard news={data.news} /> },
    { value: "earnings", label: "Earnings", content: <EarningsTab data={data} /> },
  ];
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-6 gap-y-2">
        <SymbolPrice of={data} />
        <Standings data={data} />
      </div>
      {data.quarantine !== null && (
        <Banner kind="warning" detail={data.quarantine}>
          Set aside: no new position until its sources agree
        </Banner>
      )}
      <Tabs label="About the symbol" tabs={tabs} value={chosen} onChange={(tab) => change({ tab })} />
    </>
  );
}

function Loading() {
  return (
    <>
      <Skeleton className="h-16 w-80 max-w-full" />
      <SkeletonCard className="h-120" />
    </>
  );
}
