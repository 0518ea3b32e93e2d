"use client";
import { useEffect, useRef, useState, type FormEvent } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { preferencesApi } from "@/lib/contracts/preferences.ts";
import { LIMIT_NAMES, PREFERENCES } from "@/lib/domain/preferences.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Button } from "../../_ui/button.tsx";
import { Dialog } from "../../_ui/dialog.tsx";
import { SwitchField } from "../../_ui/switch-field.tsx";
import { ChoiceField, limitNumbers, limitTexts, RiskFields } from "../../_ui/trading-fields.tsx";
import { failed, succeeded, type TabProps } from "./save-note.ts";
import { useDraft } from "./use-draft.ts";

type Preferences = Answer<typeof preferencesApi.readTrading>;

/** The preferences are read once more after a save, to see that they are there. */
const VERIFY_AFTER_MS = 500;

export function TradingForm({
  onNote,
  onUnsaved,
  saved,
  onReload,
}: TabProps & { saved: Preferences; onReload: () => void }) {
  const { entered, enter, keep } = useDraft({ ...saved, ...limitTexts(LIMIT_NAMES, saved) }, onUnsaved);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [isAsking, setAsking] = useState(false);
  const saving = useAction(preferencesApi.saveTrading);
  const verifying = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(verifying.current), []);

  function submit(event: FormEvent) {
    event.preventDefault();
    onNote(null);
    setProblems({});
    saving.run(
      { ...entered, ...limitNumbers(LIMIT_NAMES, entered) },
      {
        onSuccess: () => {
          keep(entered);
          onNote(succeeded("Trading preferences saved successfully!"));
          verifying.current = setTimeout(onReload, VERIFY_AFTER_MS);
        },
        onFailure: ({ message, issues }) => {
          setProblems(Object.fromEntries(issues.map((issue) => [issue.path, issue.message])));
          onNote(failed("trading", issues[0]?.message || message || "Failed to save trading preferences"));
        },
      },
    );
  }

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-6">
      <div className="grid gap-4 sm:grid-cols-3">
        <ChoiceField name="strategy" value={entered.strategy} onChoose={enter} />
        <RiskFields names={LIMIT_NAMES} entered={entered} problems={problems} hasHints onEnter={enter} />
      </div>
      <SwitchField
        label={PREFERENCES.paperTradingOnly.label}
        hint="While this is on, no LIVE account of yours is traded, whatever else is set."
        isOn={entered.paperTradingOnly}
        onChange={(isOn) => (isOn ? enter({ paperTradingOnly: true }) : setAsking(true))}
      />
      <Button type="submit" disabled={saving.isBusy} className="self-start">
        {saving.isBusy ? "Saving..." : "Save Preferences"}
      </Button>
      <Dialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Allow trading with real money?"
        description="Once saved, LIVE accounts that you confirmed are traded within the limits on this page. Paper and practice accounts go on as before."
      >
        <div className="flex flex-wrap justify-end gap-3">
          <Button tone="secondary" onClick={() => setAsking(false)}>
            Keep paper only
          </Button>
          <Button
            tone="danger"
            onClick={() => {
              enter({ paperTradingOnly: false });
              setAsking(false);
            }}
          >
            Allow LIVE trading
          </Button>
        </div>
      </Dialog>
    </form>
  );
}
