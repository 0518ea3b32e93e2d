import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { PreferencesView } from "@/lib/domain/engine/plan.ts";
import { RISKS, STRATEGY_NAMES, type StrategyName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { isDecimalText, money, text } from "@/lib/domain/money.ts";
import { checkPolicy, type Policy, POLICY_2_9_0, POLICY_FIELDS } from "@/lib/domain/policy.ts";
import { isDate } from "../tape/is-date.ts";

export const HELP = `Usage: npm run backtest -- --tape DIR [options]

Folds the engine's own decisions over a tape of daily bars and writes what would have happened.

  --tape DIR                 directory with bars.csv.gz, assets.csv, splits.csv, dividends.csv, vix.csv, earnings.csv
  --from DATE  --to DATE     first and last traded session (default: from the first session with enough bars to the end)
  --strategy NAME            MOMENTUM, MEAN_REVERSION or BREAKOUT (default MOMENTUM)
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
  --repair                   goes on with a tape that has faults, without them where that is possible, and says what it changed
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

const VALUED = [
  "tape",
  "from",
  "to",
  "strategy",
  "policy",
  "cash",
  "seed",
  "risk-tolerance",
  "risk-level",
  "max-positions",
  "order-size",
  "max-position-value",
  "profit-target",
  "stop-loss",
  "sweep",
  "walk-forward",
  "threads",
  "out",
] as const;
/** Options without a value. */
const FLAGS = ["repair", "rotation", "without-earnings"] as const;
type OptionName = (typeof VALUED)[number] | (typeof FLAGS)[number];

/** More points than this are a mistake more often than a wish. */
const SWEEP_POINTS_MAX = 500;

function refuse(sentence: string): never {
  throw new Failure("invalid_input", sentence);
}

const isFlag = (name: string) => FLAGS.some((flag) => flag === name);

/** Names and values as given; every option but the flags has a value, and only --sweep may come more than once. */
function readArguments(argv: readonly string[]): Map<OptionName, string[]> {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries([
      ...VALUED.map((name) => [name, { type: "string" as const }] as const),
      ...FLAGS.map((name) => [name, { type: "boolean" as const }] as const),
    ]),
    strict: false,
    tokens: true,
  });
  const given = new Map<OptionName, string[]>();
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") refuse(`"${token.value}" is not an option. See --help.`);
    const name = token.name as OptionName;
    if (isFlag(name)) {
      if (token.value !== undefined) refuse(`--${name} takes no value. See --help.`);
      given.set(name, []);
      continue;
    }
    if (!VALUED.some((valued) => valued === name)) refuse(`There is no option ${token.rawName}. See --help.`);
    if (token.value === undefined || token.value === "") refuse(`--${name} needs a value. See --help.`);
    const before = given.get(name) ?? [];
    if (before.length > 0 && name !== "sweep") refuse(`--${name} is given twice.`);
    given.set(name, [...before, token.value]);
  }
  return given;
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value.toUpperCase());
  return found ?? refuse(`--${name} is one of ${allowed.join(", ")}, not "${value}".`);
}

function positiveMoney(name: string, value: string, unit: string): string {
  if (!isDecimalText(value) || money(value).lte(0))
    refuse(`--${name} is a positive number of ${unit}, not "${value}".`);
  return text(value);
}

function wholeNumber(name: string, value: string, min: number): number {
  const number = Number(value);
  if (!/^\d{1,9}$/.test(value) || number < min) refuse(`--${name} is a whole number from ${min} on, not "${value}".`);
  return number;
}

function percent(name: string, value: string, max: number): string {
  if (!isDecimalText(value) || money(value).lte(0) || money(value).gt(max))
    refuse(`--${name} is a percentage above 0 and at most ${max}, not "${value}".`);
  return text(value);
}

function dateText(name: string, value: string): string {
  return isDate(value) ? value : refuse(`--${name} is a date like 2020-01-31, not "${value}".`);
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
  if (argv.includes("--help") || argv.includes("-h")) return null;
  const given = readArguments(argv);
  const value = (name: OptionName) => given.get(name)?.[0];
  const read = <T>(name: OptionName, fallback: T, parse: (name: string, value: string) => T): T => {
    const found = value(name);
    return found === undefined ? fallback : parse(name, found);
  };
  const tape = value("tape") ?? refuse("Give the tape: --tape DIR. See --help.");
  if (!existsSync(`${tape}/bars.csv.gz`)) refuse(`There is no tape at ${tape}: bars.csv.gz is missing.`);
  const usd = (name: string, found: string) => positiveMoney(name, found, "USD");
  const cash = read("cash", "100000", usd);
  const sweep = (given.get("sweep") ?? []).map(sweepAxis);
  if (new Set(sweep.map(({ path }) => path)).size < sweep.length) refuse("--sweep names the same field twice.");
  const points = sweep.reduce((product, { values }) => product * values.length, 1);
  if (points > SWEEP_POINTS_MAX) refuse(`--sweep makes ${points} runs; at most ${SWEEP_POINTS_MAX} are allowed.`);
  const windows = value("walk-forward");
  if (windows !== undefined && sweep.length === 0)
    refuse("--walk-forward needs a --sweep: without it there is nothing to choose from.");
  const from = read<string | null>("from", null, dateText);
  const to = read<string | null>("to", null, dateText);
  if (from !== null && to !== null && from > to) refuse(`--from ${from} lies after --to ${to}.`);
  return {
    tape,
    from,
    to,
    policy: read("policy", POLICY_2_9_0, (_, file) => readPolicy(file)),
    cash,
    seed: read("seed", 1, (name, found) => wholeNumber(name, found, 0)),
    preferences: {
      strategy: read("strategy", "MOMENTUM" as StrategyName, (name, found) => oneOf(name, found, STRATEGY_NAMES)),
      riskTolerance: read("risk-tolerance", "MEDIUM" as const, (name, found) => oneOf(name, found, RISKS)),
      riskLevel: read("risk-level", "MEDIUM" as const, (name, found) => oneOf(name, found, RISKS)),
      paperTradingOnly: true,
      defaultOrderSize: read("order-size", text(money(cash).times("0.05")), usd),
      maxPositions: read("max-positions", 20, (name, found) => wholeNumber(name, found, 1)),
      maxPositionValue: read("max-position-value", text(money(cash).times("0.08")), usd),
      profitTarget: read("profit-target", "10", (name, found) => percent(name, found, 1000)),
      stopLoss: read("stop-loss", "5", (name, found) => percent(name, found, 99)),
      checkInterval: 5,
    },
    sweep,
    walkForward: windows === undefined ? null : walkForward(windows),
    threads: read<number | null>("threads", null, (name, found) => wholeNumber(name, found, 1)),
    out: value("out") ?? null,
    isRepaired: given.has("repair"),
    isWithoutEarnings: given.has("without-earnings"),
    hasRotation: given.has("rotation"),
  };
}
