import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";
import {
  anyText,
  date,
  flag,
  oneOf,
  percentage,
  positiveMoney,
  readArguments,
  refuse as refusal,
  wholeNumber,
} from "@/lib/command.ts";
import { DEFAULT_PREFERENCES, type PreferencesView } from "@/lib/domain/preferences.ts";
import { RISKS, STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { money, text } from "@/lib/domain/money.ts";
import { checkPolicy, type Policy, POLICY_2_9_0, POLICY_FIELDS } from "@/lib/domain/policy.ts";

export const HELP = `Usage: npm run backtest -- --tape DIR [options]

Folds the engine's own decisions over a tape of daily bars and writes what would have happened.

  --tape DIR                 directory with bars.csv.gz, assets.csv, splits.csv, dividends.csv, vix.csv, earnings.csv
  --from DATE  --to DATE     first and last traded session (default: from the first session with enough bars to the end)
  --strategy NAME            one of ${STRATEGY_NAMES.join(", ")} (default MOMENTUM)
  --policy FILE              a policy as JSON (default: policy 2.9.0)
  --cash USD                 cash at the start (default 100000)
  --seed N                   seed of the noise in fills after the open (default 1)
  --risk-tolerance LEVEL     LOW, MEDIUM or HIGH (default MEDIUM)
  --risk-level LEVEL         LOW, MEDIUM or HIGH (default MEDIUM)
  --max-positions N          most positions at a time (default 20)
  --order-size USD           size of an entry (default 5 % of the cash)
  --max-position-value USD   largest position (default 8 % of the cash)
  --profit-target PERCENT    target of a position (default 10)
  --stop-loss PERCENT        stop of a position (default 5)
  --sweep SECTION.KEY=A,B,C  runs once with each value; several --sweep make all combinations
  --walk-forward TRAIN,TEST  with --sweep: picks on TRAIN sessions, trades the pick on the next TEST sessions, and so on
  --threads N                worker threads of a sweep (default: all cores but one, at most 2)
  --rotation                 trades the biweekly rotation beside the cycles, by the policy's cadence, band and turnover cap
  --without-earnings         turns the gate off that waits for reports: for a tape without earnings dates, where no entry passes it
  --repair                   continues with a tape that has faults, without them where that is possible, and says what it changed
  --out DIR                  where the results go (default: backtests/<id> in the data directory)
  --help                     this text

Every run is entered in an append-only registry; the deflated Sharpe ratio counts all runs of the tape and strategy.
`;

export interface SweepAxis {
  path: string;
  values: number[];
}

export interface BacktestOptions {
  tape: string;
  from: string | null;
  to: string | null;
  policy: Policy;
  cash: string;
  seed: number;
  preferences: PreferencesView;
  sweep: SweepAxis[];
  walkForward: { train: number; test: number } | null;
  threads: number | null;
  out: string | null;
  isRepaired: boolean;
  isWithoutEarnings: boolean;
  hasRotation: boolean;
}

/** More points than this are a mistake more often than a wish. */
const SWEEP_POINTS_MAX = 500;

const OPTIONS = {
  tape: anyText.optional(),
  from: date.optional(),
  to: date.optional(),
  strategy: oneOf(STRATEGY_NAMES).default("MOMENTUM"),
  policy: anyText.optional(),
  cash: positiveMoney.default("100000"),
  seed: wholeNumber(0).default(1),
  "risk-tolerance": oneOf(RISKS).default("MEDIUM"),
  "risk-level": oneOf(RISKS).default("MEDIUM"),
  "max-positions": wholeNumber(1).default(20),
  "order-size": positiveMoney.optional(),
  "max-position-value": positiveMoney.optional(),
  "profit-target": percentage(1000).default("10"),
  "stop-loss": percentage(99).default("5"),
  sweep: z.array(anyText).default([]),
  "walk-forward": anyText.optional(),
  threads: wholeNumber(1).optional(),
  out: anyText.optional(),
  repair: flag,
  rotation: flag,
  "without-earnings": flag,
};

function refuse(sentence: string): never {
  throw refusal(sentence);
}

function readPolicy(file: string): Policy {
  if (!existsSync(file)) refuse(`There is no policy file ${file}.`);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    refuse(`The policy file ${file} ${error instanceof SyntaxError ? "is not valid JSON" : "cannot be read"}.`);
  }
  const checked = checkPolicy(content);
  if (checked.ok) return checked.policy;
  const [first] = checked.issues;
  const rest = checked.issues.length > 1 ? ` (and ${checked.issues.length - 1} more)` : "";
  return refuse(`The policy in ${file} is refused: ${first?.path ?? ""} ${first?.message ?? ""}${rest}.`);
}

function sweepAxis(given: string): SweepAxis {
  const [path = "", list = ""] = given.split("=");
  const field = POLICY_FIELDS.find(({ section, key }) => `${section}.${key}` === path);
  if (field === undefined) refuse(`--sweep: the policy has no field "${path}". Write section.key=a,b,c.`);
  const values = list.split(",").map((value) => (value.trim() === "" ? Number.NaN : Number(value)));
  if (list === "" || values.some((value) => !Number.isFinite(value)))
    refuse(`--sweep ${path} needs numbers with commas between them, not "${list}".`);
  const outside = values.find((value) => value < field.min || value > field.max);
  if (outside !== undefined)
    refuse(`--sweep ${path}: ${outside} lies outside ${field.min} to ${field.max} ${field.unit}.`);
  const broken = field.isWhole ? values.find((value) => !Number.isInteger(value)) : undefined;
  if (broken !== undefined) refuse(`--sweep ${path}: ${broken} must be a whole number of ${field.unit}.`);
  return { path, values: [...new Set(values)] };
}

function walkForward(given: string): { train: number; test: number } {
  const [, train, test] = /^(\d{1,5}),(\d{1,5})$/.exec(given) ?? [];
  if (train === undefined || test === undefined)
    refuse(`--walk-forward is TRAIN,TEST in sessions, like 120,40, not "${given}".`);
  if (Number(train) < 60) refuse("--walk-forward needs at least 60 training sessions: fewer have no Sharpe ratio.");
  if (Number(test) < 1) refuse("--walk-forward needs at least one test session.");
  return { train: Number(train), test: Number(test) };
}

/** The command's options, checked; a wrong one is refused with a sentence. Null asks for help. */
export function readOptions(argv: readonly string[]): BacktestOptions | null {
  const given = readArguments(argv, OPTIONS);
  if (given === null) return null;
  const { tape, from = null, to = null, cash, ...values } = given.values;
  if (tape === undefined) return refuse("Give the tape: --tape DIR. See --help.");
  if (!existsSync(`${tape}/bars.csv.gz`)) refuse(`There is no tape at ${tape}: bars.csv.gz is missing.`);
  const sweep = values.sweep.map(sweepAxis);
  if (new Set(sweep.map(({ path }) => path)).size < sweep.length) refuse("--sweep names the same field twice.");
  const points = sweep.reduce((product, axis) => product * axis.values.length, 1);
  if (points > SWEEP_POINTS_MAX) refuse(`--sweep makes ${points} runs; at most ${SWEEP_POINTS_MAX} are allowed.`);
  const windows = values["walk-forward"];
  if (windows !== undefined && sweep.length === 0)
    refuse("--walk-forward needs a --sweep: without it there is nothing to choose from.");
  if (from !== null && to !== null && from > to) refuse(`--from ${from} lies after --to ${to}.`);
  return {
    tape,
    from,
    to,
    policy: values.policy === undefined ? POLICY_2_9_0 : readPolicy(values.policy),
    cash,
    seed: values.seed,
    preferences: {
      ...DEFAULT_PREFERENCES,
      strategy: values.strategy,
      riskTolerance: values["risk-tolerance"],
      riskLevel: values["risk-level"],
      defaultOrderSize: values["order-size"] ?? text(money(cash).times("0.05")),
      maxPositions: values["max-positions"],
      maxPositionValue: values["max-position-value"] ?? text(money(cash).times("0.08")),
      profitTarget: values["profit-target"],
      stopLoss: values["stop-loss"],
    },
    sweep,
    walkForward: windows === undefined ? null : walkForward(windows),
    threads: values.threads ?? null,
    out: values.out ?? null,
    isRepaired: values.repair,
    isWithoutEarnings: values["without-earnings"],
    hasRotation: values.rotation,
  };
}
