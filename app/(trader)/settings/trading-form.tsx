"use client";
import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from "react";
import { failureText } from "@/lib/client/failure-text.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { preferencesApi } from "@/lib/contracts/preferences.ts";
import { orderSizeText } from "@/lib/domain/insight/order-size-text.ts";
import { LIMIT_NAMES, PREFERENCES } from "@/lib/domain/preferences.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { SwitchField } from "../../_ui/switch-field.tsx";
import { ChoiceField, limitNumbers, limitTexts, numberOf, RiskFields } from "../../_ui/trading-fields.tsx";
import { LiveDialog } from "./live-dialog.tsx";
import { failed, succeeded, type TabProps } from "./save-note.ts";
import { type Explained, type Explanation, StrategyExplanation } from "./strategy-explanation.tsx";
import { TrySettings } from "./try-settings.tsx";
import { useDraft } from "./use-draft.ts";

type Preferences = Answer<typeof preferencesApi.readTrading>;

/** The preferences are read again after a save, to see that they are there. */
const VERIFY_AFTER_MS = 500;

type Entered = Pick<Preferences, "riskTolerance" | "riskLevel"> &
  Record<"defaultOrderSize" | "maxPositionValue", string>;

/** What is said beside a field, of what is entered now. */
function textsOf(explanation: Explanation | undefined, entered: Entered) {
  if (explanation === undefined) return undefined;
  const { riskTolerance, riskLevel, account } = explanation;
  return {
    riskTolerance: riskTolerance[entered.riskTolerance],
    riskLevel: riskLevel[entered.riskLevel.toLowerCase() as Lowercase<typeof entered.riskLevel>],
    defaultOrderSize: orderSizeText(numberOf(entered.defaultOrderSize), numberOf(entered.maxPositionValue), account),
  };
}

interface TradingFormProps extends TabProps {
  saved: Preferences;
  explained: Explained;
  onReload: () => void;
  /** What was read before the last save holds no longer. */
  onForget: () => void;
  onSaved: (saved: Preferences) => void;
}

/** Reads the preferences again after a save. A form that is closed before has what was read forgotten: it was read before the save. */
function useVerification(onReload: () => void, onForget: () => void): () => void {
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const forget = useEffectEvent(onForget);
  useEffect(
    () => () => {
      if (waiting.current === undefined) return;
      clearTimeout(waiting.current);
      forget();
    },
    [],
  );
  return () => {
    clearTimeout(waiting.current);
    waiting.current = setTimeout(() => {
      waiting.current = undefined;
      onReload();
    }, VERIFY_AFTER_MS);
  };
}

export function TradingForm({ onNote, onUnsaved, saved, explained, onReload, onForget, onSaved }: TradingFormProps) {
  const { entered, kept, enter, keep } = useDraft({ ...saved, ...limitTexts(LIMIT_NAMES, saved) }, onUnsaved);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [isOutdated, setOutdated] = useState(false);
  const saving = useAction(preferencesApi.saveTrading);
  const verifySoon = useVerification(onReload, onForget);

  function submit(event: FormEvent) {
    event.preventDefault();
    onNote(null);
    setProblems({});
    setOutdated(false);
    const basedOn = { ...kept, ...limitNumbers(LIMIT_NAMES, kept) };
    saving.run(
      { ...entered, ...limitNumbers(LIMIT_NAMES, entered), basedOn },
      {
        onSuccess: (stored) => {
          onSaved(stored);
          keep(entered);
          onNote(succeeded("Trading preferences saved successfully!"));
          verifySoon();
        },
        onFailure: (failure) => {
          const { issues } = failure;
          setOutdated(issues.some(({ path }) => path === "basedOn"));
          setProblems(Object.fromEntries(issues.map((issue) => [issue.path, issue.message])));
          const said = failureText(failure, "Failed to save trading preferences");
          onNote(failed("trading", issues[0] ? { text: issues[0].message } : said));
        },
      },
    );
  }

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-6">
      <div className="grid gap-x-4 gap-y-5 sm:grid-cols-3">
        <ChoiceField name="strategy" value={entered.strategy} hint={explained.data?.common} onChoose={enter} />
        <StrategyExplanation
          explained={explained}
          chosen={entered.strategy}
          onChoose={(strategy) => enter({ strategy })}
          className="sm:col-span-2"
        />
        <RiskFields
          names={LIMIT_NAMES}
          entered={entered}
          problems={problems}
          hasHints
          texts={textsOf(explained.data, entered)}
          onEnter={enter}
        />
      </div>
      <PaperSwitch isOn={entered.paperTradingOnly} onEnter={(paperTradingOnly) => enter({ paperTradingOnly })} />
      {isOutdated && (
        <OutdatedBanner
          onLoad={() => {
            setOutdated(false);
            onNote(null);
            onReload();
          }}
        />
      )}
      <TrySettings entered={entered} saved={kept} onProblems={setProblems}>
        <Button type="submit" disabled={saving.isBusy}>
          {saving.isBusy ? "Saving..." : "Save Preferences"}
        </Button>
      </TrySettings>
    </form>
  );
}

/** Switching it off is asked about. */
function PaperSwitch({ isOn, onEnter }: { isOn: boolean; onEnter: (isOn: boolean) => void }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <SwitchField
        label={PREFERENCES.paperTradingOnly.label}
        hint="While this is on, none of your LIVE accounts is traded, regardless of other settings."
        isOn={isOn}
        onChange={(isNowOn) => (isNowOn ? onEnter(true) : setAsking(true))}
      />
      <LiveDialog isOpen={isAsking} onClose={() => setAsking(false)} onAllow={() => onEnter(false)} />
    </>
  );
}

/** What was saved elsewhere is loaded into the fields that were not changed here. */
function OutdatedBanner({ onLoad }: { onLoad: () => void }) {
  return (
    <Banner
      kind="warning"
      detail="Load them, look at them, then save. What you changed here stays."
      action={
        <Button tone="secondary" onClick={onLoad}>
          Load the newer settings
        </Button>
      }
    >
      Your settings were changed elsewhere
    </Banner>
  );
}
