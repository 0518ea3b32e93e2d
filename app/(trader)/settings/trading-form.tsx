"use client";
import { useEffect, useRef, useState, type FormEvent } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { preferencesApi, TRADING_BOUNDS, TRADING_LABELS } from "@/lib/contracts/preferences.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Button } from "../../_ui/button.tsx";
import { Dialog } from "../../_ui/dialog.tsx";
import { SelectField, TextField } from "../../_ui/field.tsx";
import { SwitchField } from "../../_ui/switch-field.tsx";
import { failed, succeeded, type TabProps } from "./save-note.ts";

type Preferences = Answer<typeof preferencesApi.readTrading>;
type NumberName = keyof typeof TRADING_LABELS;

const STRATEGIES = [
  { value: "MOMENTUM", label: "Momentum" },
  { value: "MEAN_REVERSION", label: "Mean reversion" },
  { value: "BREAKOUT", label: "Breakout" },
] as const;
const TOLERANCES = [
  { value: "low", label: "Low" },
  { value: "medium", label: "Medium" },
  { value: "high", label: "High" },
] as const;
const LEVELS = [
  { value: "LOW", label: "Low" },
  { value: "MEDIUM", label: "Medium" },
  { value: "HIGH", label: "High" },
] as const;

const NUMBERS: { name: NumberName; unit: string; hint: string }[] = [
  { name: "maxPositions", unit: "", hint: "Most stocks held at once, 1 to 20." },
  { name: "maxPositionValue", unit: " ($)", hint: "Most money in one stock, 100 to 100,000." },
  { name: "defaultOrderSize", unit: " ($)", hint: "What an order aims at before limits and risk." },
  { name: "profitTarget", unit: " (%)", hint: "Gain at which a position is sold, 0.1 to 50." },
  { name: "stopLoss", unit: " (%)", hint: "Loss at which a position is sold, 0.1 to 50." },
  { name: "checkInterval", unit: " (minutes)", hint: "How often the automation decides, 1 to 60." },
];

/** The preferences are read once more after a save, to see that they are there. */
const VERIFY_AFTER_MS = 500;

const entriesOf = (saved: Preferences) => ({
  ...saved,
  ...(Object.fromEntries(NUMBERS.map(({ name }) => [name, String(saved[name])])) as Record<NumberName, string>),
});

export function TradingForm({
  onNote,
  onUnsaved,
  saved,
  onReload,
}: TabProps & { saved: Preferences; onReload: () => void }) {
  const [entered, setEntered] = useState(() => entriesOf(saved));
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [isAsking, setAsking] = useState(false);
  const saving = useAction(preferencesApi.saveTrading);
  const verifying = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(verifying.current), []);

  const enter = (change: Partial<typeof entered>) => {
    setEntered({ ...entered, ...change });
    onUnsaved(true);
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    onNote(null);
    const numbers = Object.fromEntries(NUMBERS.map(({ name }) => [name, numberOf(entered[name])]));
    setProblems({});
    saving.run(
      { ...entered, ...(numbers as Record<NumberName, number>) },
      {
        onSuccess: () => {
          onUnsaved(false);
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
        <SelectField
          label="Strategy"
          options={STRATEGIES}
          value={entered.strategy}
          onChange={(event) => enter({ strategy: event.target.value as Preferences["strategy"] })}
        />
        <SelectField
          label="Risk Tolerance"
          options={TOLERANCES}
          value={entered.riskTolerance}
          onChange={(event) => enter({ riskTolerance: event.target.value as Preferences["riskTolerance"] })}
        />
        <SelectField
          label="Risk Level"
          options={LEVELS}
          value={entered.riskLevel}
          onChange={(event) => enter({ riskLevel: event.target.value as Preferences["riskLevel"] })}
        />
        {NUMBERS.map(({ name, unit, hint }) => (
          <TextField
            key={name}
            label={`${TRADING_LABELS[name]}${unit}`}
            type="number"
            inputMode="decimal"
            {...(name === "defaultOrderSize" ? { step: "any" } : TRADING_BOUNDS[name])}
            hint={hint}
            error={problems[name]}
            value={entered[name]}
            onChange={(event) => enter({ [name]: event.target.value })}
          />
        ))}
      </div>
      <SwitchField
        label="Paper Trading Only"
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

/** What was typed as a number; an empty field is none. */
const numberOf = (text: string) => (text.trim() === "" ? Number.NaN : Number(text));
