"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { automationApi } from "@/lib/contracts/automation.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { insightApi } from "@/lib/contracts/insight.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Button } from "../../_ui/button.tsx";
import { ButtonLink } from "../../_ui/button-link.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { CircleCheck, TriangleAlert } from "../../_ui/icons.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { SentenceParts, SentenceText } from "../../_ui/sentence-text.tsx";
import { usePausing } from "../../_ui/use-pausing.ts";

const ResumeDialog = dynamic(() => import("../../_ui/resume-dialog.tsx").then((part) => part.ResumeDialog), {
  ssr: false,
});

export type TodayAnswer = Answer<typeof insightApi.today>;

type Sentence = TodayAnswer["sentences"][number];

interface TodayProps {
  /** Absent while the first reading is under way, or where it failed. */
  today: TodayAnswer | undefined;
  failure: { message: string } | null;
  /** Whether the page says already that it could not be read: one cause has one banner. */
  isFailureShown: boolean;
  isStale: boolean;
  onRetry: () => void;
}

/** How the day goes, what was done and why, what comes next, whether anything is wrong; and the one thing to press. */
export function Today(props: TodayProps) {
  const { failure, isFailureShown, onRetry } = props;
  return (
    <>
      {failure !== null && !isFailureShown && (
        <FailureNote text="Failed to load today's answer" detail={failure.message} onRetry={onRetry} />
      )}
      <TodayContent {...props} />
    </>
  );
}

function TodayContent({ today, failure, isStale }: TodayProps) {
  // Where nothing was ever read, the banner alone says it.
  if (today === undefined && failure !== null) return null;
  return (
    <section aria-label="Today" className={`min-h-36 ${isStale ? "text-muted grayscale" : ""}`}>
      {today === undefined && <Skeleton className="h-52 w-full sm:h-36" />}
      {today !== undefined && (
        <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
          <div className="min-w-0 grow basis-96">
            <p className="text-2xl leading-tight font-semibold tracking-tight text-balance sm:text-3xl">
              <SentenceParts parts={today.headline} isToned />
            </p>
            <div className="mt-3 flex max-w-3xl flex-col gap-1 leading-relaxed">
              {today.sentences.map((sentence, index) => (
                <p key={index}>
                  <SentenceText sentence={index === 0 ? sentence : withoutCitesOf(today.sentences[0], sentence)} />
                </p>
              ))}
            </div>
            <Health health={today.health} />
          </div>
          <TodayAction action={today.action} />
        </div>
      )}
    </section>
  );
}

/** A record that was linked once is not linked again in the next sentence. */
function withoutCitesOf(first: Sentence | undefined, sentence: Sentence): Sentence {
  return {
    ...sentence,
    cites: sentence.cites.filter(({ href }) => first?.cites.every((cite) => cite.href !== href) ?? true),
  };
}

function Health({ health: { isWrong, sentence } }: Pick<TodayAnswer, "health">) {
  const Icon = isWrong ? TriangleAlert : CircleCheck;
  return (
    <p className={`mt-2 flex max-w-3xl items-start gap-2 text-sm ${isWrong ? "text-warn" : "text-muted"}`}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{isWrong ? <SentenceText sentence={sentence} /> : <SentenceParts parts={sentence.parts} />}</span>
    </p>
  );
}

/** The one action that fits the message. */
function TodayAction({ action }: Pick<TodayAnswer, "action">) {
  switch (action) {
    case "ADD_ACCOUNT":
      return <ButtonLink href="/alpaca-keys">Add account</ButtonLink>;
    case "FIX_KEYS":
      return <ButtonLink href="/alpaca-keys">Fix keys</ButtonLink>;
    case "RESUME_ACCOUNT":
      return <ButtonLink href="/alpaca-keys">Resume account</ButtonLink>;
    case "PAUSE":
      return <Pause />;
    case "RESUME":
      return <Resume />;
    case "NONE":
      return null;
  }
}

function Pause() {
  const { pause, isBusy } = usePausing();
  return (
    <Button tone="secondary" disabled={isBusy} onClick={pause}>
      Pause
    </Button>
  );
}

function Resume() {
  const [isAsking, setAsking] = useState(false);
  const pause = useEndpoint(automationApi.readPause, {});
  return (
    <>
      <Button disabled={pause.data === undefined} onClick={() => setAsking(true)}>
        Resume
      </Button>
      {isAsking && pause.data !== undefined && <ResumeDialog pause={pause.data} onClose={() => setAsking(false)} />}
    </>
  );
}
