"use client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { demoApi } from "@/lib/contracts/demo.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { EnvironmentBadge } from "../../_ui/badge.tsx";
import { PlainButtonLink } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { EquityChart } from "../../_ui/equity-chart.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Money } from "../../_ui/money.tsx";
import { RiskWarning } from "../../_ui/risk-warning.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { Stat } from "../../_ui/stat.tsx";
import { Time } from "../../_ui/time.tsx";
import { SentenceParts } from "../../_ui/sentence-text.tsx";
import { DemoPositions } from "./demo-positions.tsx";
import { DemoTimeline } from "./demo-timeline.tsx";
import { NoDemo } from "./no-demo.tsx";

export type Demo = Answer<typeof demoApi.read>;

const POLL_MS = 10_000;

/** The demo trader's practice account as it is now, without a sign-in and without anything to press. */
export function DemoScreen() {
  const [client] = useState(
    () => new QueryClient({ defaultOptions: { queries: { retry: 1, networkMode: "always" } } }),
  );
  return (
    <QueryClientProvider client={client}>
      <LiveDemo />
    </QueryClientProvider>
  );
}

function LiveDemo() {
  const { data, failure, isStale, retry } = useEndpoint(demoApi.read, {}, { pollMs: POLL_MS });
  if (failure?.code === "not_found") return <NoDemo />;
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-6 px-4 pt-4 sm:px-6 sm:pt-8">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div>
          <h1 className="flex flex-wrap items-center gap-3 text-2xl font-semibold tracking-tight">
            Live demo <EnvironmentBadge environment="PRACTICE" />
          </h1>
          <p className="mt-1 max-w-[70ch] text-muted">
            The demo trader&rsquo;s account as it is now. Tradewind trades it by itself on the practice market, with
            simulated money. You can look around, but not change anything.
          </p>
        </div>
        <PlainButtonLink href="/auth?view=register">Get started</PlainButtonLink>
      </header>
      {failure !== null && <FailureNote text="Failed to load the demo" detail={failure.message} onRetry={retry} />}
      {data === undefined && failure === null && <Skeleton className="h-[48rem] w-full" />}
      {data !== undefined && (
        <div className={`flex flex-col gap-6 ${isStale ? "text-muted grayscale" : ""}`}>
          <Answered demo={data} />
        </div>
      )}
      <RiskWarning />
    </div>
  );
}

function Answered({ demo }: { demo: Demo }) {
  const { headline, sentences, asOf, points, benchmark, purchase } = demo;
  return (
    <>
      <section aria-label="Today">
        <p className="text-2xl leading-tight font-semibold tracking-tight text-balance sm:text-3xl">
          <SentenceParts parts={headline} isToned />
        </p>
        <div className="mt-3 flex max-w-3xl flex-col gap-1 leading-relaxed">
          {sentences.map(({ parts }, index) => (
            <p key={index}>
              <SentenceParts parts={parts} />
            </p>
          ))}
        </div>
        {asOf !== null && (
          <p className="mt-2 text-sm text-muted">
            As of <Time at={asOf} />
          </p>
        )}
      </section>
      <Figures demo={demo} />
      <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
        <div className="flex min-w-0 flex-col gap-6">
          <Card title="Equity">
            <EquityChart points={points} benchmark={benchmark} />
          </Card>
          <DemoPositions positions={demo.positions} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          {purchase !== null && <Purchase purchase={purchase} />}
          <DemoTimeline timeline={demo.timeline} session={demo.session} />
        </div>
      </div>
    </>
  );
}

function Figures({ demo: { totalValue, pnlDay, pnlTotal, cash } }: { demo: Demo }) {
  return (
    <dl className="grid grid-cols-2 gap-4 rounded-xl border border-line bg-surface p-5 sm:grid-cols-4">
      <Stat label="Total Portfolio">
        <Money value={totalValue} />
      </Stat>
      <Stat label="P&L today">
        <Money value={pnlDay} isChange />
      </Stat>
      <Stat label="P&L since the start">
        <Money value={pnlTotal} isChange />
      </Stat>
      <Stat label="Cash">
        <Money value={cash} />
      </Stat>
    </dl>
  );
}

/** One decision that opens into its reasons. */
function Purchase({ purchase: { symbol, at, sentences } }: { purchase: NonNullable<Demo["purchase"]> }) {
  return (
    <Card
      title={`Why it bought ${symbol}`}
      aside={
        <span className="text-xs text-muted">
          <Time at={at} />
        </span>
      }
    >
      <div className="flex flex-col gap-2 leading-relaxed">
        {sentences.map(({ parts }, index) => (
          <p key={index}>
            <SentenceParts parts={parts} />
          </p>
        ))}
      </div>
    </Card>
  );
}
