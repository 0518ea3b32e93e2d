"use client";
import { useState, type FormEvent } from "react";
import { BACKTEST_BOUNDS, backtestsApi } from "@/lib/contracts/backtests.ts";
import type { Answer, Sent } from "@/lib/contracts/endpoint.ts";
import { TRADING_BOUNDS, TRADING_LABELS } from "@/lib/contracts/preferences.ts";
import { moneyText } from "@/lib/domain/format.ts";
import { addDays } from "@/lib/domain/time.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { SelectField, TextField } from "../../_ui/field.tsx";
import { dateText, MARKET_WORDS, STRATEGIES, type Run } from "./words.ts";

type Options = Answer<typeof backtestsApi.options>;
type Settings = Options["defaults"]["settings"];
type NumberName = "maxPositions" | "maxPositionValue" | "defaultOrderSize" | "profitTarget" | "stopLoss";

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
const NUMBERS: { name: NumberName; unit: string }[] = [
  { name: "maxPositions", unit: "" },
  { name: "maxPositionValue", unit: " ($)" },
  { name: "defaultOrderSize", unit: " ($)" },
  { name: "profitTarget", unit: " (%)" },
  { name: "stopLoss", unit: " (%)" },
];
const YEAR_DAYS = 364;

type Entered = Omit<Settings, NumberName> &
  Record<NumberName, string> & { name: string; market: Run["market"]; from: string; to: string; cash: string };

function entriesOf({ markets, defaults }: Options, like: Run | null): Entered {
  const market = like?.market ?? defaults.market;
  const settings = like?.settings ?? defaults.settings;
  const sessions = markets.find((one) => one.market === market)?.sessions;
  const yearAgo = sessions ? addDays(sessions.last, -YEAR_DAYS) : "";
  return {
    ...settings,
    ...(Object.fromEntries(NUMBERS.map(({ name }) => [name, String(settings[name])])) as Record<NumberName, string>),
    name: "",
    market,
    from: like?.from ?? (sessions ? (yearAgo > sessions.first ? yearAgo : sessions.first) : ""),
    to: like?.to ?? sessions?.last ?? "",
    cash: String(like?.cash ?? defaults.cash),
  };
}

/** What was typed as a number; an empty field is none. */
const numberOf = (text: string) => (text.trim() === "" ? Number.NaN : Number(text));

function inputOf({ name, market, from, to, cash, ...settings }: Entered): Sent<typeof backtestsApi.create> {
  const numbers = Object.fromEntries(NUMBERS.map((one) => [one.name, numberOf(settings[one.name])]));
  return {
    ...(name.trim() === "" ? {} : { name }),
    market,
    from,
    to,
    cash: numberOf(cash),
    settings: { ...settings, ...(numbers as Record<NumberName, number>) },
  };
}

/** Issues come as "settings.stopLoss"; the fields are named "stopLoss". */
const fieldOf = (path: string) => path.replace(/^settings\./, "");

export function BacktestForm({
  options,
  like,
  onQueued,
}: {
  options: Options;
  like: Run | null;
  onQueued: () => void;
}) {
  const [entered, setEntered] = useState(() => entriesOf(options, like));
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [note, setNote] = useState<{ kind: "success" | "failure"; text: string } | null>(null);
  const queueing = useAction(backtestsApi.create, { refreshes: [backtestsApi.list] });
  const chosen = options.markets.find(({ market }) => market === entered.market);

  const enter = (change: Partial<Entered>) => {
    setEntered({ ...entered, ...change });
    setNote(null);
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    setNote(null);
    setProblems({});
    queueing.run(inputOf(entered), {
      onSuccess: ({ name }) => {
        setNote({ kind: "success", text: `Queued: ${name}.` });
        onQueued();
      },
      onFailure: ({ message, issues }) => {
        setProblems(Object.fromEntries(issues.map((issue) => [fieldOf(issue.path), issue.message])));
        setNote({ kind: "failure", text: message || "Failed to queue the backtest" });
      },
    });
  }

  if (chosen === undefined || options.markets.length === 0)
    return <Banner kind="warning">No market is set up here, so there is no history to run on.</Banner>;
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4" aria-label="New backtest">
      {chosen.sessions === null && <Banner kind="warning">{chosen.reason}</Banner>}
      <div className="grid grid-cols-2 gap-x-3 gap-y-4 sm:gap-x-4 lg:grid-cols-4">
        <SelectField
          label="Strategy"
          options={STRATEGIES}
          value={entered.strategy}
          onChange={(event) => enter({ strategy: event.target.value as Settings["strategy"] })}
        />
        {options.markets.length > 1 && (
          <SelectField
            label="Market"
            options={options.markets.map(({ market }) => ({ value: market, label: MARKET_WORDS[market] }))}
            value={entered.market}
            onChange={(event) => {
              const market = event.target.value as Run["market"];
              const { from, to } = entriesOf({ ...options, defaults: { ...options.defaults, market } }, null);
              enter({ market, from, to });
            }}
          />
        )}
        <TextField
          label="From"
          type="date"
          min={chosen.sessions?.first}
          max={chosen.sessions?.last}
          hint={chosen.sessions ? `Earliest ${dateText(chosen.sessions.first)}.` : undefined}
          error={problems.from}
          value={entered.from}
          onChange={(event) => enter({ from: event.target.value })}
        />
        <TextField
          label="To"
          type="date"
          min={chosen.sessions?.first}
          max={chosen.sessions?.last}
          hint={chosen.sessions ? `Latest ${dateText(chosen.sessions.last)}, the last closed session.` : undefined}
          error={problems.to}
          value={entered.to}
          onChange={(event) => enter({ to: event.target.value })}
        />
        <TextField
          label="Cash ($)"
          type="number"
          inputMode="decimal"
          {...BACKTEST_BOUNDS.cash}
          error={problems.cash}
          value={entered.cash}
          onChange={(event) => enter({ cash: event.target.value })}
        />
        <SelectField
          label="Risk Tolerance"
          options={TOLERANCES}
          value={entered.riskTolerance}
          onChange={(event) => enter({ riskTolerance: event.target.value as Settings["riskTolerance"] })}
        />
        <SelectField
          label="Risk Level"
          options={LEVELS}
          value={entered.riskLevel}
          onChange={(event) => enter({ riskLevel: event.target.value as Settings["riskLevel"] })}
        />
        {NUMBERS.map(({ name, unit }) => (
          <TextField
            key={name}
            label={`${TRADING_LABELS[name]}${unit}`}
            type="number"
            inputMode="decimal"
            {...(name === "defaultOrderSize" ? { step: "any" } : TRADING_BOUNDS[name])}
            error={problems[name]}
            value={entered[name]}
            onChange={(event) => enter({ [name]: event.target.value })}
          />
        ))}
        <TextField
          label="Name (optional)"
          maxLength={BACKTEST_BOUNDS.name.max}
          placeholder="Strategy and limits"
          error={problems.name}
          value={entered.name}
          onChange={(event) => enter({ name: event.target.value })}
        />
      </div>
      <IdleCash entered={entered} />
      {note !== null && <Banner kind={note.kind}>{note.text}</Banner>}
      <Button type="submit" disabled={queueing.isBusy || chosen.sessions === null} className="self-start">
        {queueing.isBusy ? "Queueing..." : "Run backtest"}
      </Button>
    </form>
  );
}

/** Limits that leave most of the cash idle make a flat curve: said before the run, not wondered about after it. */
function IdleCash({ entered }: { entered: Entered }) {
  const [cash, positions, value] = [entered.cash, entered.maxPositions, entered.maxPositionValue].map(numberOf);
  const invested = (positions ?? 0) * (value ?? 0);
  if (cash === undefined || !(invested > 0) || invested >= cash * 0.8) return null;
  return (
    <p className="text-sm text-muted">
      These limits invest {moneyText(invested)} of {moneyText(cash)} at most: {entered.maxPositions} positions of{" "}
      {moneyText(value)}. Returns count on the whole cash.
    </p>
  );
}
