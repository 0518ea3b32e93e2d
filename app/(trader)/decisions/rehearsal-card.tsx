"use client";
import { useState, type FormEvent } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import { MARKET_LABEL } from "@/lib/domain/insight/market-text.ts";
import { REHEARSAL_BOUNDS } from "@/lib/domain/insight/rehearsal-bounds.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useEnvironment } from "../../_hooks/use-environment.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Banner } from "../../_ui/banner.tsx";
import { Button, TextButton } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { TextField } from "../../_ui/field.tsx";
import { Time } from "../../_ui/time.tsx";
import { SentenceText } from "../../_ui/sentence-text.tsx";
import { REGIMES } from "./labels.ts";

const PRESETS = [
  { label: "Calm", vix: "12", spy: "0.5" },
  { label: "Shock", vix: "45", spy: "-3" },
  { label: "−5 % day", vix: "32", spy: "-5" },
] as const;

interface Supposed {
  vix: string;
  spy: string;
}

const { vix: VIX, changePct: CHANGE } = REHEARSAL_BOUNDS;
/** A field that is empty supposes nothing; what is no number is sent as it is, so that the answer says so. */
const numberOf = (entered: string) => (entered.trim() === "" ? undefined : Number(entered.replace(",", ".")));

/** The latest decision made again on a market that is supposed. It sends nothing. */
export function RehearsalCard({ accountId }: { accountId: string }) {
  const { input: environment } = useEnvironment();
  const [entered, setEntered] = useState<Supposed>({ vix: "", spy: "" });
  const [answer, setAnswer] = useState<Answer<typeof insightApi.rehearsal> | null>(null);
  const asking = useAction(insightApi.rehearsal);
  const problems = Object.fromEntries((asking.failure?.issues ?? []).map(({ path, message }) => [path, message]));

  function ask(values: Supposed) {
    const [vix, spyChangePct] = [numberOf(values.vix), numberOf(values.spy)];
    asking.run(
      {
        ...environment,
        ...(accountId === "" ? {} : { accountId }),
        ...(vix === undefined ? {} : { vix }),
        ...(spyChangePct === undefined ? {} : { spyChangePct }),
      },
      { onSuccess: setAnswer, onFailure: () => setAnswer(null) },
    );
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    ask(entered);
  }

  return (
    <Card title="What would it do if …">
      <form onSubmit={submit} noValidate className="flex flex-col gap-3">
        <Fields entered={entered} problems={problems} onEnter={setEntered} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button type="submit" disabled={asking.isBusy}>
            {asking.isBusy ? "Working it out..." : "Rehearse"}
          </Button>
          {PRESETS.map(({ label, ...preset }) => (
            <TextButton
              key={label}
              disabled={asking.isBusy}
              onClick={() => {
                setEntered(preset);
                ask(preset);
              }}
            >
              {label}
            </TextButton>
          ))}
        </div>
      </form>
      <div aria-live="polite" aria-busy={asking.isBusy} className="mt-4 empty:hidden">
        {asking.failure !== null && asking.failure.issues.length === 0 && (
          <Banner kind="failure" detail={asking.failure.message}>
            The rehearsal could not be made
          </Banner>
        )}
        {answer !== null && asking.failure === null && <Outcome answer={answer} />}
      </div>
    </Card>
  );
}

interface FieldsProps {
  entered: Supposed;
  problems: Record<string, string>;
  onEnter: (entered: Supposed) => void;
}

const FIELDS = [
  { name: "vix", label: "VIX", bounds: VIX, problem: "vix" },
  { name: "spy", label: "SPY change (%)", bounds: CHANGE, problem: "spyChangePct" },
] as const;

function Fields({ entered, problems, onEnter }: FieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-3 sm:max-w-md">
      {FIELDS.map(({ name, label, bounds: { min, max }, problem }) => (
        <TextField
          key={name}
          label={label}
          type="number"
          // A phone's pad of digits has no minus.
          {...(min < 0 ? {} : { inputMode: "decimal" })}
          step="any"
          min={min}
          max={max}
          hint={`${min} to ${max}`}
          value={entered[name]}
          error={problems[problem]}
          onChange={(event) => onEnter({ ...entered, [name]: event.target.value })}
        />
      ))}
    </div>
  );
}

function Outcome({ answer: { isOn, rehearsal } }: { answer: Answer<typeof insightApi.rehearsal> }) {
  if (!isOn) return <p className="text-muted">Insight is switched off here.</p>;
  if (rehearsal === null)
    return (
      <p className="text-muted">
        Nothing has been decided yet. A rehearsal repeats the latest decision under other conditions.
      </p>
    );
  const { decision, regime, sentences, assumptions } = rehearsal;
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <Badge tone="warn">Hypothetical</Badge>
        <span className="text-muted">
          The decision of <Time at={decision.decidedAt} /> repeated under these conditions. Nothing was sent.
        </span>
      </p>
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <span className="text-muted">Market</span>
        <Badge tone={REGIMES[regime.recorded.label].tone}>{MARKET_LABEL[regime.recorded.label]}</Badge>
        {regime.supposed.label !== regime.recorded.label && (
          <>
            <span className="text-muted">would be</span>
            <Badge tone={REGIMES[regime.supposed.label].tone}>{MARKET_LABEL[regime.supposed.label]}</Badge>
          </>
        )}
      </p>
      <ul className="flex flex-col gap-1 leading-relaxed">
        {sentences.map((sentence, index) => (
          <li key={index}>
            <SentenceText sentence={index === 0 ? sentence : { ...sentence, cites: [] }} />
          </li>
        ))}
      </ul>
      {assumptions.length > 0 && (
        <details className="text-sm text-muted">
          <summary className="tap w-fit cursor-pointer rounded-sm font-medium">What is assumed</summary>
          <ul className="mt-2 flex list-disc flex-col gap-1 pl-5">
            {assumptions.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
