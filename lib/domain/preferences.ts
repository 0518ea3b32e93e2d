import { RISKS, STRATEGY_NAMES } from "./enums.ts";
import type { DecimalText } from "./money.ts";

/** Inclusive; the form shows them, the server and a constraint of the table hold them. */
interface Bounds {
  min: number;
  max: number;
  step: number;
}

export type PreferenceField = {
  label: string;
  default: string | number | boolean;
  /** It is about accounts and clocks: a backtest, which looks once a session and trades no account, has no use for it. */
  isLiveOnly?: true;
} & (
  | { kind: "switch" }
  /** `labels` are absent where the records of the choices have labels of their own. */
  | {
      kind: "choice";
      values: readonly string[];
      labels?: Readonly<Record<string, string>>;
      hint?: string;
      isLowerOnWire?: true;
    }
  /** Whole. */
  | { kind: "count"; unit: string; hint: string; bounds: Bounds }
  /** USD; without bounds anything above nothing. */
  | { kind: "amount"; hint: string; bounds: Bounds | null }
  | { kind: "percent"; hint: string; bounds: Bounds }
);

const LEVELS = { LOW: "Low", MEDIUM: "Medium", HIGH: "High" } as const;

/**
 * How a person wants to be traded for: each preference once, in the order in which it is asked. The contracts, the forms, the
 * view of the engine and the readers of the table follow from it; the table has a column for each.
 */
export const PREFERENCES = {
  strategy: { label: "Strategy", kind: "choice", values: STRATEGY_NAMES, default: "MOMENTUM" },
  riskTolerance: {
    label: "Risk Tolerance",
    kind: "choice",
    values: RISKS,
    labels: LEVELS,
    hint: "How much per trade: Low aims at smaller orders than Medium, High at larger ones.",
    isLowerOnWire: true,
    default: "MEDIUM",
  },
  riskLevel: {
    label: "Risk Level",
    kind: "choice",
    values: RISKS,
    labels: LEVELS,
    hint: "How choosy: Low asks for a higher score and a calm, rising market; High accepts a lower score.",
    default: "MEDIUM",
  },
  paperTradingOnly: { label: "Paper Trading Only", kind: "switch", isLiveOnly: true, default: true },
  maxPositions: {
    label: "Max Positions",
    kind: "count",
    unit: "",
    hint: "Most stocks held at once",
    bounds: { min: 1, max: 20, step: 1 },
    default: 3,
  },
  maxPositionValue: {
    label: "Max Position Value",
    kind: "amount",
    hint: "Most money in one stock",
    bounds: { min: 100, max: 100_000, step: 1 },
    default: "1000",
  },
  defaultOrderSize: {
    label: "Default Order Size",
    kind: "amount",
    hint: "What an order aims at before limits and risk",
    bounds: null,
    default: "1000",
  },
  profitTarget: {
    label: "Profit Target",
    kind: "percent",
    hint: "Gain at which a position is sold",
    bounds: { min: 0.1, max: 50, step: 0.1 },
    default: "5",
  },
  stopLoss: {
    label: "Stop Loss",
    kind: "percent",
    hint: "Loss at which a position is sold",
    bounds: { min: 0.1, max: 50, step: 0.1 },
    default: "3",
  },
  /** Market time. */
  checkInterval: {
    label: "Check Interval",
    kind: "count",
    unit: "minutes",
    hint: "How often the automation decides",
    bounds: { min: 1, max: 60, step: 1 },
    isLiveOnly: true,
    default: 5,
  },
} as const satisfies Record<string, PreferenceField>;

type Fields = typeof PREFERENCES;
export type PreferenceName = keyof Fields;
type NamesOf<Shape> = { [K in PreferenceName]: Fields[K] extends Shape ? K : never }[PreferenceName];
export type ChoiceName = NamesOf<{ kind: "choice" }>;
export type LimitName = NamesOf<{ kind: "count" | "amount" | "percent" }>;
export type LiveOnlyName = NamesOf<{ isLiveOnly: true }>;

/** What a field holds for the engine: amounts and percents are decimals. */
type ValueOf<F> = F extends { kind: "choice"; values: readonly (infer V)[] }
  ? V
  : F extends { kind: "switch" }
    ? boolean
    : F extends { kind: "count" }
      ? number
      : DecimalText;

/** A person's preferences as the engine reads them. */
export type PreferencesView = { [K in PreferenceName]: ValueOf<Fields[K]> };

export const PREFERENCE_NAMES = Object.keys(PREFERENCES) as PreferenceName[];

const fieldOf = (name: PreferenceName): PreferenceField => PREFERENCES[name];

/** Numbers, in the order of the forms. */
export const LIMIT_NAMES = PREFERENCE_NAMES.filter((name) =>
  ["count", "amount", "percent"].includes(fieldOf(name).kind),
) as LimitName[];
export const CHOICE_NAMES = PREFERENCE_NAMES.filter((name) => fieldOf(name).kind === "choice") as ChoiceName[];

const isLiveOnly = (name: PreferenceName): name is LiveOnlyName => fieldOf(name).isLiveOnly === true;
/** The limits that decide for a backtest as well. */
export const BACKTEST_LIMIT_NAMES = LIMIT_NAMES.filter(
  (name): name is Exclude<LimitName, LiveOnlyName> => !isLiveOnly(name),
);
/** As an object of zod's `omit`. */
export const LIVE_ONLY = Object.fromEntries(PREFERENCE_NAMES.filter(isLiveOnly).map((name) => [name, true])) as Record<
  LiveOnlyName,
  true
>;

/** What a person begins with. */
export const DEFAULT_PREFERENCES = Object.fromEntries(
  PREFERENCE_NAMES.map((name) => [name, fieldOf(name).default]),
) as unknown as PreferencesView;
