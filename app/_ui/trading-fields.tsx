import type { Answer } from "@/lib/contracts/endpoint.ts";
import { type preferencesApi, TRADING_BOUNDS, TRADING_LABELS } from "@/lib/contracts/preferences.ts";
import { STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { moneyText } from "@/lib/domain/format.ts";
import { STRATEGIES } from "@/lib/domain/strategies/strategies.ts";
import { SelectField, TextField } from "./field.tsx";

type Preferences = Answer<typeof preferencesApi.readTrading>;
type Choices = Pick<Preferences, "strategy" | "riskTolerance" | "riskLevel">;

const STRATEGY_CHOICES = STRATEGY_NAMES.map((value) => ({ value, label: STRATEGIES[value].label }));
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

export type LimitName = keyof typeof TRADING_LABELS;

const LIMITS: Record<LimitName, { unit: string; hint: string }> = {
  maxPositions: { unit: "", hint: "Most stocks held at once" },
  maxPositionValue: { unit: " ($)", hint: "Most money in one stock" },
  defaultOrderSize: { unit: " ($)", hint: "What an order aims at before limits and risk" },
  profitTarget: { unit: " (%)", hint: "Gain at which a position is sold" },
  stopLoss: { unit: " (%)", hint: "Loss at which a position is sold" },
  checkInterval: { unit: " (minutes)", hint: "How often the automation decides" },
};

/** The limits that decide for a backtest as well, in their order. */
export const LIMIT_NAMES = [
  "maxPositions",
  "maxPositionValue",
  "defaultOrderSize",
  "profitTarget",
  "stopLoss",
] as const satisfies readonly LimitName[];

const boundsOf = (name: LimitName) => (name === "defaultOrderSize" ? null : TRADING_BOUNDS[name]);

/** "Most stocks held at once, 1 to 20." */
function hintOf(name: LimitName): string {
  const bounds = boundsOf(name);
  const range = bounds === null ? "" : `, ${bounds.min} to ${bounds.max.toLocaleString("en-US")}`;
  return `${LIMITS[name].hint}${range}.`;
}

/** Limits as their fields hold them. */
export const limitTexts = <Name extends LimitName>(names: readonly Name[], saved: Record<Name, number>) =>
  Object.fromEntries(names.map((name) => [name, String(saved[name])])) as Record<Name, string>;

/** What was typed, as numbers. */
export const limitNumbers = <Name extends LimitName>(names: readonly Name[], entered: Record<Name, string>) =>
  Object.fromEntries(names.map((name) => [name, numberOf(entered[name])])) as Record<Name, number>;

/** What was typed as a number; an empty field is none. */
export const numberOf = (text: string) => (text.trim() === "" ? Number.NaN : Number(text));

interface StrategyFieldProps {
  value: Choices["strategy"];
  onChoose: (choice: Pick<Choices, "strategy">) => void;
}

export function StrategyField({ value, onChoose }: StrategyFieldProps) {
  return (
    <SelectField
      label="Strategy"
      options={STRATEGY_CHOICES}
      value={value}
      onChange={(event) => onChoose({ strategy: event.target.value as Choices["strategy"] })}
    />
  );
}

interface RiskFieldsProps<Name extends LimitName> {
  names: readonly Name[];
  entered: Omit<Choices, "strategy"> & Record<Name, string>;
  problems: Record<string, string>;
  hasHints?: boolean;
  onEnter: (change: Partial<Omit<Choices, "strategy">> & Partial<Record<Name, string>>) => void;
}

/** An order size beyond the limit is taken, and the limit decides: that is said where it is entered. */
function cappedOrder(size: number, most: number): string {
  if (!(size > most)) return "";
  return `Larger than Max Position Value: no position goes beyond ${moneyText(most)}.`;
}

/** How much the automation dares: the labels and bounds are the contract's. */
export function RiskFields<Name extends LimitName>({
  names,
  entered,
  problems,
  hasHints = false,
  onEnter,
}: RiskFieldsProps<Name>) {
  type Change = Parameters<typeof onEnter>[0];
  const numberIn = (wanted: LimitName) => {
    const name = names.find((each) => each === wanted);
    return name === undefined ? Number.NaN : numberOf(entered[name]);
  };
  const hintUnder = (name: Name) =>
    name === "defaultOrderSize"
      ? `${hintOf(name)} ${cappedOrder(numberIn(name), numberIn("maxPositionValue"))}`.trim()
      : hintOf(name);
  return (
    <>
      <SelectField
        label="Risk Tolerance"
        options={TOLERANCES}
        value={entered.riskTolerance}
        onChange={(event) => onEnter({ riskTolerance: event.target.value } as Change)}
      />
      <SelectField
        label="Risk Level"
        options={LEVELS}
        value={entered.riskLevel}
        onChange={(event) => onEnter({ riskLevel: event.target.value } as Change)}
      />
      {names.map((name) => (
        <TextField
          key={name}
          label={`${TRADING_LABELS[name]}${LIMITS[name].unit}`}
          type="number"
          inputMode="decimal"
          {...(boundsOf(name) ?? { step: "any" })}
          hint={hasHints ? hintUnder(name) : undefined}
          error={problems[name]}
          value={entered[name]}
          onChange={(event) => onEnter({ [name]: event.target.value } as Change)}
        />
      ))}
    </>
  );
}
