"use client";
import { useState, type FormEvent } from "react";
import { BACKTEST_BOUNDS, backtestsApi } from "@/lib/contracts/backtests.ts";
import type { Answer, Sent } from "@/lib/contracts/endpoint.ts";
import { addDays } from "@/lib/domain/time.ts";
import { dateText } from "@/lib/domain/format.ts";
import { BACKTEST_LIMIT_NAMES as LIMIT_NAMES } from "@/lib/domain/preferences.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { SelectField, TextField } from "../../_ui/field.tsx";
import { AmountsText, Money } from "../../_ui/money.tsx";
import { ChoiceField, limitNumbers, limitTexts, numberOf, RiskFields } from "../../_ui/trading-fields.tsx";
import { MARKET_LABELS, type Run } from "./labels.ts";

type Options = Answer<typeof backtestsApi.options>;
type Settings = Options["defaults"]["settings"];
type LimitName = (typeof LIMIT_NAMES)[number];

/** 53 weeks: 252 sessions and more, whatever holidays lie in them, so that figures of a year are known. */
const YEAR_DAYS = 371;

type Entered = Omit<Settings, LimitName> &
  Record<LimitName, string> & { name: string; market: Run["market"]; from: string; to: string; cash: string };

function entriesOf({ markets, defaults }: Options, like: Run | null): Entered {
  // The market of an earlier run may be offered no more: its days say nothing of another one.
  const same = like !== null && markets.some((one) => one.market === like.market) ? like : null;
  const market = same?.market ?? defaults.market;
  const settings = like?.settings ?? defaults.settings;
  const sessions = markets.find((one) => one.market === market)?.sessions;
  const yearAgo = sessions ? addDays(sessions.last, -YEAR_DAYS) : "";
  return {
    ...settings,
    ...limitTexts(LIMIT_NAMES, settings),
    name: "",
    market,
    from: same?.from ?? (sessions ? (yearAgo > sessions.first ? yearAgo : sessions.first) : ""),
    to: same?.to ?? sessions?.last ?? "",
    cash: String(like?.cash ?? defaults.cash),
  };
}

function inputOf({ name, market, from, to, cash, ...settings }: Entered): Sent<typeof backtestsApi.create> {
  return {
    ...(name.trim() === "" ? {} : { name }),
    market,
    from,
    to,
    cash: numberOf(cash),
    settings: { ...settings, ...limitNumbers(LIMIT_NAMES, settings) },
  };
}

/** Issues come as "settings.stopLoss"; the fields are named "stopLoss". */
const fieldOf = (path: string) => path.replace(/^settings\./, "");

interface BacktestFormProps {
  options: Options;
  like: Run | null;
  /** Runs that are over: what was said when they were queued is no longer true. */
  over: ReadonlySet<string>;
  onQueued: () => void;
}

function useEntries({ options, like, over, onQueued }: BacktestFormProps) {
  const [entered, setEntered] = useState(() => entriesOf(options, like));
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [note, setNote] = useState<{ kind: "success" | "failure"; text: string; runId?: string } | null>(null);
  const queueing = useAction(backtestsApi.create, { refreshes: [backtestsApi.list] });

  const enter = (change: Partial<Entered>) => {
    setEntered({ ...entered, ...change });
    setNote(null);
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    setNote(null);
    setProblems({});
    queueing.run(inputOf(entered), {
      onSuccess: ({ id, name }) => {
        setNote({ kind: "success", text: `Queued: ${name}.`, runId: id });
        onQueued();
      },
      onFailure: ({ message, issues }) => {
        // The server looks at the dates together once each field is right by itself: all is said at once.
        const isBackwards = entered.from !== "" && entered.to !== "" && entered.from > entered.to;
        setProblems({
          ...(isBackwards ? { to: "The last day must not lie before the first." } : {}),
          ...Object.fromEntries(issues.map((issue) => [fieldOf(issue.path), issue.message])),
        });
        setNote({ kind: "failure", text: message || "Failed to queue the backtest" });
      },
    });
  }

  const isOver = note?.runId !== undefined && over.has(note.runId);
  return { entered, enter, problems, note: isOver ? null : note, submit, isBusy: queueing.isBusy };
}

export function BacktestForm(props: BacktestFormProps) {
  const { options } = props;
  const { entered, enter, problems, note, submit, isBusy } = useEntries(props);
  const chosen = options.markets.find(({ market }) => market === entered.market);
  if (chosen === undefined || options.markets.length === 0)
    return <Banner kind="warning">No market is set up here, so there is no history to run on.</Banner>;
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4" aria-label="New backtest">
      {chosen.sessions === null && <Banner kind="warning">{chosen.reason}</Banner>}
      <div className="grid grid-cols-2 gap-x-3 gap-y-4 sm:gap-x-4 lg:grid-cols-4">
        <ChoiceField name="strategy" value={entered.strategy} onChoose={enter} />
        {options.markets.length > 1 && <MarketField options={options} market={entered.market} onEnter={enter} />}
        <SpanFields of={chosen} entered={entered} problems={problems} onEnter={enter} />
        <TextField
          label="Cash ($)"
          type="number"
          inputMode="decimal"
          {...BACKTEST_BOUNDS.cash}
          error={problems.cash}
          value={entered.cash}
          onChange={(event) => enter({ cash: event.target.value })}
        />
        <RiskFields names={LIMIT_NAMES} entered={entered} problems={problems} hasHints onEnter={enter} />
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
      {note !== null && (
        <Banner kind={note.kind}>
          <AmountsText text={note.text} />
        </Banner>
      )}
      <Button type="submit" disabled={isBusy || chosen.sessions === null} className="self-start">
        {isBusy ? "Queueing..." : "Run backtest"}
      </Button>
    </form>
  );
}

interface MarketFieldProps {
  options: Options;
  market: Run["market"];
  onEnter: (change: Pick<Entered, "market" | "from" | "to">) => void;
}

/** Each market has dates of its own. */
function MarketField({ options, market: chosen, onEnter }: MarketFieldProps) {
  return (
    <SelectField
      label="Market"
      options={options.markets.map(({ market }) => ({ value: market, label: MARKET_LABELS[market] }))}
      value={chosen}
      onChange={(event) => {
        const market = event.target.value as Run["market"];
        const { from, to } = entriesOf({ ...options, defaults: { ...options.defaults, market } }, null);
        onEnter({ market, from, to });
      }}
    />
  );
}

const LATEST: Record<Run["market"], string> = {
  PRACTICE: "the last closed session",
  US: "the last day whose bars are final",
};

interface SpanFieldsProps {
  of: Options["markets"][number];
  entered: Pick<Entered, "from" | "to">;
  problems: Record<string, string>;
  onEnter: (change: Partial<Pick<Entered, "from" | "to">>) => void;
}

function SpanFields({ of: { market, sessions }, entered, problems, onEnter }: SpanFieldsProps) {
  return (
    <>
      <TextField
        label="From"
        type="date"
        min={sessions?.first}
        max={sessions?.last}
        hint={sessions ? `Earliest ${dateText(sessions.first)}.` : undefined}
        error={problems.from}
        value={entered.from}
        onChange={(event) => onEnter({ from: event.target.value })}
      />
      <TextField
        label="To"
        type="date"
        min={sessions?.first}
        max={sessions?.last}
        hint={sessions ? `Latest ${dateText(sessions.last)}, ${LATEST[market]}.` : undefined}
        error={problems.to}
        value={entered.to}
        onChange={(event) => onEnter({ to: event.target.value })}
      />
    </>
  );
}

/** Limits that leave most of the cash idle make a flat curve: said before the run, not wondered about after it. */
function IdleCash({ entered }: { entered: Entered }) {
  const [cash, positions, value] = [entered.cash, entered.maxPositions, entered.maxPositionValue].map(numberOf);
  const invested = (positions ?? 0) * (value ?? 0);
  if (cash === undefined || !(cash > 0) || !(invested > 0) || invested >= cash * 0.8) return null;
  return (
    <p className="text-sm text-muted">
      These limits invest <Money value={invested} /> of <Money value={cash} /> at most: {entered.maxPositions}{" "}
      {positions === 1 ? "position" : "positions"} of <Money value={value} />. Returns are measured against all the
      cash.
    </p>
  );
}
