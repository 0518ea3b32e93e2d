"use client";
import { useState } from "react";
import { insightApi } from "@/lib/contracts/insight.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { Environment } from "@/lib/domain/enums.ts";
import { easternDayText } from "@/lib/domain/format.ts";
import { newYork, newYorkInstant } from "@/lib/domain/time.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { ofEnvironment, useEnvironment } from "../../_hooks/use-environment.ts";
import { Badge } from "../../_ui/badge.tsx";
import { TextButton } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { WrittenBy } from "../../_ui/explanation-card.tsx";
import { ShowMore } from "../../_ui/show-more.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { Time } from "../../_ui/time.tsx";
import { SentenceParts, SentenceText } from "../../_ui/sentence-text.tsx";

const POLL_MS = 60_000;
/** A phone shows the others on demand: the day's money and positions stay within reach. */
const PHONE_SENTENCES = 4;

type Brief = NonNullable<Answer<typeof insightApi.daily>["brief"]>;

/**
 * What the records of the page's environment say about the day, sentence by sentence. The answer on top says what matters of it:
 * the rest is asked for by who opens it. Nothing is shown where the feature is off.
 */
export function InsightCard({ environment }: { environment: Environment | null | undefined }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title="Insight of the day"
      className="max-lg:order-6"
      aside={
        <TextButton aria-expanded={isOpen} className="text-sm" onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Hide" : "Show"}
        </TextButton>
      }
    >
      {isOpen ? (
        <Insight environment={environment} />
      ) : (
        <p className="text-muted">The whole day; every sentence links to its records.</p>
      )}
    </Card>
  );
}

function Insight({ environment }: { environment: Environment | null | undefined }) {
  const { input } = useEnvironment();
  const { data, failure, isLoading, isStale, retry } = useEndpoint(insightApi.daily, input, { pollMs: POLL_MS });
  const shown = ofEnvironment(data, environment);
  return (
    <div className={`flex flex-col gap-5 ${isStale ? "text-muted grayscale" : ""}`}>
      {isStale && (
        <p>
          <Badge tone="warn">stale</Badge>
        </p>
      )}
      {failure !== null && (
        <FailureNote text="Failed to load the insight of the day" detail={failure.message} onRetry={retry} />
      )}
      {(isLoading || (data !== undefined && shown === undefined)) && (
        <Skeleton className="h-80 w-full sm:h-64 lg:h-48" />
      )}
      {shown?.isOn === false && <p className="text-muted">The insight of the day is switched off.</p>}
      {shown?.isOn === true && shown.brief === null && (
        <p className="text-muted">
          {shown.environment === null
            ? "No account is connected."
            : "Nothing has been recorded yet. The first brief comes with the first look at the market."}
        </p>
      )}
      {shown?.brief != null && <BriefText key={shown.environment} brief={shown.brief} />}
      {shown?.brief != null && <WrittenBy explanation={shown.brief} />}
    </div>
  );
}

function BriefText({ brief: { session, isClosed, asOf, headline, sentences } }: { brief: Brief }) {
  const [isWhole, setIsWhole] = useState(false);
  const folded = Math.max(0, sentences.length - PHONE_SENTENCES);
  return (
    <div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="text-lg font-semibold tracking-tight">
          <SentenceParts parts={headline} isToned />
        </p>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
          <span>
            {easternDayText(newYorkInstant(session, 12, 0))}, {isClosed ? "session closed" : "session open"}, as of{" "}
            <Time at={asOf} isClock={newYork(asOf).date === session} />
          </span>
        </p>
      </div>
      <ul className="mt-2 gap-x-10 lg:columns-2">
        {sentences.map((sentence, index) => (
          <li
            key={index}
            className={`break-inside-avoid py-1 leading-relaxed ${isWhole || index < PHONE_SENTENCES ? "" : "max-sm:hidden"}`}
          >
            <SentenceText sentence={sentence} />
          </li>
        ))}
      </ul>
      {folded > 0 && (
        <ShowMore
          isWhole={isWhole}
          onToggle={() => setIsWhole(!isWhole)}
          text={`Show ${folded} more`}
          className="sm:hidden"
        />
      )}
    </div>
  );
}
