import { sessionsBetween } from "../market-calendar.ts";
import type { SessionDate } from "../time.ts";
import { INDEX_SYMBOL } from "./history.ts";

/** What is wrong with a market's past: an error makes its numbers wrong, a warning is worth a look. */
export interface Finding {
  level: "error" | "warning";
  /** The file or the source that it was found in. */
  place: string;
  rule: string;
  /** How often, and the first few cases. */
  count: number;
  examples: string[];
  /** The whole fault in one sentence, where it is none of single rows. */
  sentence: string | null;
  /** What a repair does about it; null where a run on it would say nothing. */
  repair: string | null;
}

/** A rule, and what a repair does with what breaks it. */
export interface Rule {
  rule: string;
  repair: string | null;
  sentence?: string;
}

const EXAMPLES = 3;
const LEFT_OUT = "the rows are left out";

/** Collects cases by place and rule. */
export function createFindings() {
  const byRule = new Map<string, Finding>();
  return {
    add(level: Finding["level"], place: string, { rule, repair, sentence }: Rule, example: string): void {
      const key = `${place} ${rule}`;
      let finding = byRule.get(key);
      if (finding === undefined)
        byRule.set(key, (finding = { level, place, rule, count: 0, examples: [], sentence: sentence ?? null, repair }));
      finding.count += 1;
      if (finding.examples.length < EXAMPLES) finding.examples.push(example);
    },
    list: () => [...byRule.values()].sort((a, b) => (a.level === b.level ? 0 : a.level === "error" ? -1 : 1)),
  };
}

export type Findings = ReturnType<typeof createFindings>;

/** One finding as one sentence, with its first cases. */
export function findingText({ place, rule, count, examples, sentence }: Finding): string {
  if (sentence !== null) return sentence;
  const cases = count === 1 ? "in 1 case" : `in ${count.toLocaleString("en-US")} cases`;
  const more = count > examples.length ? "; …" : "";
  return `${place} breaks the rule "${rule}" ${cases}: ${examples.join("; ")}${more}.`;
}

/** The errors among the findings, one sentence each; none for a market that can be traded. */
export function faultsOf(findings: readonly Finding[]): string[] {
  return findings.filter(({ level }) => level === "error").map(findingText);
}

/** What a repair changed: how often, with the first few cases. */
export interface Repair {
  place: string;
  rule: string;
  count: number;
  examples: string[];
  /** What was done about it. */
  change: string;
}

/** The changes that a repair makes for these findings. */
export function repairsOf(findings: readonly Finding[]): Repair[] {
  return findings.flatMap(({ place, rule, count, examples, repair }) =>
    repair === null ? [] : [{ place, rule, count, examples, change: repair }],
  );
}

/** One change as one sentence. */
export function repairText({ place, rule, count, examples, change }: Repair): string {
  const cases = `${count.toLocaleString("en-US")}: ${examples.join("; ")}${count > examples.length ? "; …" : ""}`;
  return `${place}, "${rule}": ${change} (${cases}).`;
}

const BAR_RULES = {
  numbers: { rule: "prices and volumes are numbers", repair: LEFT_OUT },
  positive: { rule: "prices are above 0", repair: LEFT_OUT },
  range: { rule: "low ≤ open, close ≤ high", repair: "low and high are widened to hold open and close" },
  volume: { rule: "volumes are whole numbers from 0", repair: "the volumes are rounded, at least to 0" },
} as const satisfies Record<string, Rule>;

export type BarRule = keyof typeof BAR_RULES;

/** The first rule that a bar breaks; null when it is sound. Raw prices in USD; NaN is what could not be read. */
export function brokenBarRule(open: number, high: number, low: number, close: number, volume: number): BarRule | null {
  if (!Number.isFinite(open + high + low + close + volume)) return "numbers";
  if (!(open > 0 && high > 0 && low > 0 && close > 0)) return "positive";
  if (low > open || low > close || high < open || high < close) return "range";
  return volume >= 0 && Number.isInteger(volume) ? null : "volume";
}

export function addBarFault(findings: Findings, place: string, broken: BarRule, said: string): void {
  findings.add("error", place, BAR_RULES[broken], said);
}

const SESSION_RULES = {
  missing: { rule: "every session of the exchange has bars", repair: "these sessions are not traded" },
  none: { rule: "bars lie on sessions of the exchange", repair: LEFT_OUT },
} as const satisfies Record<string, Rule>;

/** The exchange's sessions from the first to the last of these dates; what is not one of them, and what lacks, is noted. */
export function checkSessions(
  dates: readonly SessionDate[],
  place: string,
  findings: Findings,
): ReadonlySet<SessionDate> {
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return new Set();
  const calendar = new Set(sessionsBetween(first, last));
  const own = new Set(dates);
  for (const date of calendar) if (!own.has(date)) findings.add("error", place, SESSION_RULES.missing, date);
  for (const date of own) if (!calendar.has(date)) findings.add("error", place, SESSION_RULES.none, date);
  return calendar;
}

export const ORDER_RULES = {
  double: { rule: "no row comes twice", repair: "the first of them is kept" },
  sorted: { rule: "rows are sorted", repair: "the rows are sorted" },
} as const satisfies Record<string, Rule>;

/** What no backtest can do without: bars, the index that makes the regime and the benchmark, and the VIX (null: told of already). */
export function checkIngredients(
  found: { bars: number; hasIndex: boolean; vixDays: number | null },
  places: { bars: string; vix: string },
  findings: Findings,
): void {
  if (found.bars === 0) {
    const rule = "there are bars";
    return findings.add(
      "error",
      places.bars,
      { rule, repair: null, sentence: `${places.bars} holds no bars.` },
      "none",
    );
  }
  if (!found.hasIndex) {
    const sentence = `${places.bars} has no bars of ${INDEX_SYMBOL}, from which the regime and the benchmark are made.`;
    const repair = `without ${INDEX_SYMBOL} the regime is risk off and there is no benchmark`;
    findings.add("error", places.bars, { rule: `there are bars of ${INDEX_SYMBOL}`, repair, sentence }, "none");
  }
  if (found.vixDays === 0) {
    const sentence = `${places.vix} has no values of the VIX, which the regime is read from.`;
    const repair = "without the VIX the regime is never risk on";
    findings.add("error", places.vix, { rule: "there are values of the VIX", repair, sentence }, "none");
  }
}
