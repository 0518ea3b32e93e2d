import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { preferencesApi } from "@/lib/contracts/preferences.ts";
import { moneyText } from "@/lib/domain/format.ts";
import {
  CHOICE_NAMES,
  type ChoiceName,
  type LimitName,
  type PreferenceField,
  type PreferenceName,
  PREFERENCES,
} from "@/lib/domain/preferences.ts";
import { STRATEGIES } from "@/lib/domain/strategies/strategies.ts";
import { SelectField, TextField } from "./field.tsx";

type Preferences = Answer<typeof preferencesApi.readTrading>;
type Choices = Pick<Preferences, ChoiceName>;

const fieldOf = (name: PreferenceName): PreferenceField => PREFERENCES[name];

/** " ($)" */
function unitOf(field: PreferenceField): string {
  if (field.kind === "amount") return " ($)";
  if (field.kind === "percent") return " (%)";
  return field.kind === "count" && field.unit !== "" ? ` (${field.unit})` : "";
}

const boundsOf = (name: LimitName) => PREFERENCES[name].bounds;

/** "Most stocks held at once, 1 to 20." */
function hintOf(name: LimitName): string {
  const bounds = boundsOf(name);
  const range = bounds === null ? "" : `, ${bounds.min} to ${bounds.max.toLocaleString("en-US")}`;
  return `${PREFERENCES[name].hint}${range}.`;
}

/** What a choice is about, whichever is made. */
function choiceHint(name: ChoiceName): string | undefined {
  const field = fieldOf(name);
  return field.kind === "choice" ? field.hint : undefined;
}

/** Limits as their fields hold them. */
export const limitTexts = <Name extends LimitName>(names: readonly Name[], saved: Record<Name, number>) =>
  Object.fromEntries(names.map((name) => [name, String(saved[name])])) as Record<Name, string>;

/** What was typed, as numbers. */
export const limitNumbers = <Name extends LimitName>(names: readonly Name[], entered: Record<Name, string>) =>
  Object.fromEntries(names.map((name) => [name, numberOf(entered[name])])) as Record<Name, number>;

/** What was typed as a number; an empty field is none. */
export const numberOf = (text: string) => (text.trim() === "" ? Number.NaN : Number(text));

/** The labels of strategies stand in their records. */
const labelsOf = (field: Extract<PreferenceField, { kind: "choice" }>): Readonly<Record<string, string>> =>
  field.labels ?? Object.fromEntries(Object.entries(STRATEGIES).map(([name, { label }]) => [name, label]));

interface ChoiceFieldProps<Name extends ChoiceName> {
  name: Name;
  value: Choices[Name];
  /** What the choice does, in a sentence. */
  hint?: string | undefined;
  onChoose: (choice: Pick<Choices, Name>) => void;
}

/** One preference of a closed set, as it travels on the wire. */
export function ChoiceField<Name extends ChoiceName>({ name, value, hint, onChoose }: ChoiceFieldProps<Name>) {
  const field = fieldOf(name);
  if (field.kind !== "choice") return null;
  const labels = labelsOf(field);
  return (
    <SelectField
      label={field.label}
      hint={hint}
      options={field.values.map((each) => ({
        value: field.isLowerOnWire ? each.toLowerCase() : each,
        label: labels[each] ?? each,
      }))}
      value={value}
      onChange={(event) => onChoose({ [name]: event.target.value } as Pick<Choices, Name>)}
    />
  );
}

interface RiskFieldsProps<Name extends LimitName> {
  names: readonly Name[];
  entered: Omit<Choices, "strategy"> & Record<Name, string>;
  problems: Record<string, string>;
  hasHints?: boolean;
  /** What is said of a field beside its hint, where it is known. */
  texts?: Partial<Record<Exclude<ChoiceName, "strategy"> | Name, string>> | undefined;
  onEnter: (change: Partial<Omit<Choices, "strategy">> & Partial<Record<Name, string>>) => void;
}

/** An order size beyond the limit is taken, and the limit decides: that is said where it is entered. */
function cappedOrder(size: number, most: number): string {
  if (!(size > most)) return "";
  return `Larger than Max Position Value: no position goes beyond ${moneyText(most)}.`;
}

const RISK_NAMES = CHOICE_NAMES.filter((name) => name !== "strategy");

/** How much the automation dares. */
export function RiskFields<Name extends LimitName>({
  names,
  entered,
  problems,
  hasHints = false,
  texts,
  onEnter,
}: RiskFieldsProps<Name>) {
  type Change = Parameters<typeof onEnter>[0];
  const numberIn = (wanted: LimitName) => {
    const name = names.find((each) => each === wanted);
    return name === undefined ? Number.NaN : numberOf(entered[name]);
  };
  const hintUnder = (name: Name) => {
    const capped = name === "defaultOrderSize" ? cappedOrder(numberIn(name), numberIn("maxPositionValue")) : "";
    const said = texts?.[name] ?? "";
    // What is said of an account's money is covered where amounts are.
    return (
      <>
        {`${hintOf(name)} ${capped}`.trim()}
        {said !== "" && <span className="amount"> {said}</span>}
      </>
    );
  };
  return (
    <>
      {RISK_NAMES.map((name) => (
        <ChoiceField
          key={name}
          name={name}
          value={entered[name]}
          hint={texts?.[name] ?? (hasHints ? choiceHint(name) : undefined)}
          onChoose={(choice) => onEnter(choice as Change)}
        />
      ))}
      {names.map((name) => (
        <TextField
          key={name}
          label={`${PREFERENCES[name].label}${unitOf(fieldOf(name))}`}
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
