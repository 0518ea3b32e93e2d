"use client";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { selectorsApi } from "@/lib/contracts/selectors.ts";
import { dateText, shareText } from "@/lib/domain/format.ts";
import { useEndpoint } from "../../../_hooks/use-endpoint.ts";
import { Badge } from "../../../_ui/badge.tsx";
import { Banner } from "../../../_ui/banner.tsx";
import { Bar } from "../../../_ui/bar.tsx";
import { Card } from "../../../_ui/card.tsx";
import { Money } from "../../../_ui/money.tsx";
import { NewsCard } from "../../../_ui/news-card.tsx";
import { ReadFailure } from "../../../_ui/read-failure.tsx";
import { ScoreCard } from "../../../_ui/score-card.tsx";
import { SeatEvents } from "../../../_ui/seat-events.tsx";
import { SkeletonCard } from "../../../_ui/skeleton.tsx";
import { Stat } from "../../../_ui/stat.tsx";
import { ConsoleHead } from "../../console-head.tsx";
import { MarketSwitch } from "../../market-switch.tsx";
import { useMarket } from "../../use-market.ts";
import { EarningsCard } from "./earnings-card.tsx";
import { SourcesCard } from "./sources-card.tsx";

const POLL_MS = 60_000;

export type SymbolAnswer = Answer<typeof selectorsApi.symbol>;

export function SymbolScreen({ symbol }: { symbol: string }) {
  const { input, only, wanted } = useMarket();
  const read = useEndpoint(selectorsApi.symbol, { symbol, ...input }, { pollMs: POLL_MS });
  const data = only(read.data);
  const query = wanted === undefined ? "" : `?market=${wanted.toLowerCase()}`;
  return (
    <div className="flex flex-col gap-4">
      <ConsoleHead
        title={symbol}
        back={{ href: `/admin/top50-selector${query}`, label: "Top-50 Selector" }}
        environment={<MarketSwitch of={read.data} />}
        isStale={read.isStale}
      >
        {data && (data.companyName !== null || data.sector !== null) && (
          <p className="text-muted">{[data.companyName, data.sector].filter((part) => part !== null).join(", ")}</p>
        )}
      </ConsoleHead>
      <ReadFailure
        noun="symbol"
        absence="Nothing is known about it in this market: it never had a seat or came close to one, and it has no news and no reports."
        failure={read.failure}
        onRetry={read.retry}
      />
      {read.failure === null && data === undefined && (
        <>
          <SkeletonCard className="h-40" />
          <SkeletonCard className="h-72" />
        </>
      )}
      {data && <Loaded data={data} />}
    </div>
  );
}

function Loaded({ data }: { data: SymbolAnswer }) {
  return (
    <>
      {data.quarantine !== null && (
        <Banner kind="warning" detail={data.quarantine}>
          Quarantined: no seat and no new position
        </Banner>
      )}
      <Now data={data} />
      <ScoreCard scores={data.scores} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <SeatEvents events={data.events} selections={data.scores.length} />
        <EarningsCard earnings={data.earnings} />
      </div>
      <SourcesCard disagreements={data.disagreements} />
      <NewsCard news={data.news} />
    </>
  );
}

function Now({ data: { seat, sessionDate, scores } }: { data: SymbolAnswer }) {
  const session = sessionDate === null ? "" : ` of ${dateText(sessionDate)}`;
  if (seat === null) {
    const composite = scores.at(-1)?.compositeScore ?? null;
    return (
      <Card title="Now" aside={<Badge>Not seated</Badge>}>
        <p>
          {sessionDate === null
            ? "This market has not been screened yet."
            : `It has no seat in the selection${session}.`}
          {composite !== null && ` Its composite score there is ${shareText(composite / 100)}.`}
        </p>
      </Card>
    );
  }
  return (
    <Card
      title={`In the selection${session}`}
      aside={seat.freshOrSticky === "fresh" ? <Badge tone="accent">Fresh</Badge> : <Badge>Sticky</Badge>}
    >
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Stat label="Rank">{seat.rank}</Stat>
        <Stat label="Price">
          <Money value={seat.lastPrice} />
        </Stat>
        <Stat label="Sessions seated">{seat.tenureSessions}</Stat>
        <Stat label="Coverage of the score">{shareText(seat.coverage)}</Stat>
        <ScoreStat label="Composite Score" value={seat.compositeScore} />
        <ScoreStat label="Technical" value={seat.technicalScore} />
        <ScoreStat label="Liquidity" value={seat.liquidityScore} />
        <ScoreStat label="Sentiment" value={seat.sentimentScore} />
      </dl>
      <ul className="mt-4 list-disc pl-5 text-sm">
        {seat.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Card>
  );
}

function ScoreStat({ label, value }: { label: string; value: number | null }) {
  return (
    <Stat label={label}>
      {value === null ? (
        <span className="text-sm font-normal text-muted">No news source answered</span>
      ) : (
        <Bar label={label} fraction={value / 100} text={shareText(value / 100)} />
      )}
    </Stat>
  );
}
