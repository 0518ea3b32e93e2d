"use client";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { preferencesApi } from "@/lib/contracts/preferences.ts";
import { Badge } from "../../_ui/badge.tsx";
import { TextButton } from "../../_ui/button.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Fold } from "../../_ui/fold.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { StrategyHistory } from "./strategy-history.tsx";

export type Explanation = Answer<typeof preferencesApi.explain>;

/** The explanation as it is read. Without it the form works as it does with it. */
export interface Explained {
  data: Explanation | undefined;
  failure: { message: string } | null;
  retry: () => void;
}

export type StrategyTexts = Explanation["strategies"][number];

interface StrategyExplanationProps {
  explained: Explained;
  chosen: StrategyTexts["strategy"];
  onChoose: (strategy: StrategyTexts["strategy"]) => void;
  className: string;
}

/** The chosen strategy in words, and the others to compare it with before one chooses. */
export function StrategyExplanation({ explained, chosen, onChoose, className }: StrategyExplanationProps) {
  const { data, failure, retry } = explained;
  if (data === undefined)
    return (
      <div className={className}>
        {failure === null ? (
          <Skeleton className="h-[850px] sm:h-[660px]" />
        ) : (
          <FailureNote text="Failed to load what each choice does" detail={failure.message} onRetry={retry} />
        )}
      </div>
    );
  const own = data.strategies.find(({ strategy }) => strategy === chosen);
  const others = data.strategies.filter(({ strategy }) => strategy !== chosen);
  return (
    <div className={`flex flex-col gap-3 rounded-lg border border-line bg-sunken p-4 text-sm ${className}`}>
      {own !== undefined && <StrategyCard texts={own} mark={<Badge tone="accent">Chosen</Badge>} />}
      <Fold summary={`Compare with ${others.map(({ label }) => label).join(" and ")}`}>
        <div className="flex flex-col gap-5 pt-4">
          {others.map((texts) => (
            <StrategyCard
              key={texts.strategy}
              texts={texts}
              mark={<TextButton onClick={() => onChoose(texts.strategy)}>Choose {texts.label}</TextButton>}
            />
          ))}
        </div>
      </Fold>
    </div>
  );
}

const FACTS = [
  ["How often it buys", "trades"],
  ["How long it holds", "holds"],
  ["When it does badly", "struggles"],
] as const;

function StrategyCard({ texts, mark }: { texts: StrategyTexts; mark: React.ReactNode }) {
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">{texts.label}</h3>
        {mark}
      </div>
      <p>{texts.does.join(" ")}</p>
      <dl className="grid gap-x-4 gap-y-2 lg:grid-cols-[auto_1fr]">
        {FACTS.map(([label, name]) => (
          <div key={name} className="contents">
            <dt className="text-xs text-muted lg:pt-0.5 lg:whitespace-nowrap">{label}</dt>
            <dd>{texts[name]}</dd>
          </div>
        ))}
      </dl>
      <StrategyHistory texts={texts} />
    </div>
  );
}
