/** What sections and fields of the policy are called where people read them. Pure. */
import type { MarketName } from "./enums.ts";
import { countText, dateText, moneyText, shareText } from "./format.ts";
import type { PolicySection } from "./policy.ts";
import { newYork } from "./time.ts";

export const POLICY_SECTION_TEXT: Record<PolicySection, string> = {
  selector_top50: "Top-50 selector",
  portfolio_limits: "Portfolio limits",
  orders_execution: "Orders and execution",
  signals_confidence: "Signals and confidence",
  cadence: "Cadence",
  pretrade_filters: "Pre-trade filters",
  exits: "Exits",
  providers_consensus: "Providers' consensus",
};

const ACRONYMS: Record<string, string> = {
  adv: "ADV",
  atr: "ATR",
  rsi: "RSI",
  vix: "VIX",
  spy: "SPY",
  adx: "ADX",
  usd: "USD",
  bps: "bps",
  pct: "%",
  pp: "pp",
  r: "R",
};

/** "exits.momentum_stop_atr" or "momentum_stop_atr" → "Momentum stop ATR" */
export function policyFieldTitle(pathOrKey: string): string {
  const key = pathOrKey.split(".").at(-1) ?? pathOrKey;
  const title = key
    .split("_")
    .map((word) => ACRONYMS[word] ?? word)
    .join(" ");
  return title.charAt(0).toUpperCase() + title.slice(1);
}

const plain = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 });

/** Units that say nothing beside a number. */
const UNSAID = ["fraction", "count", "rank", "multiple"];

/** A value where its unit stands elsewhere: "$100.00", "On", "3". */
export function policyNumberText(value: number, unit: string): string {
  if (unit === "switch") return value === 1 ? "On" : "Off";
  return unit === "USD" ? moneyText(value) : plain.format(value);
}

/** A value with its unit: "$100.00", "On", "0.45", "3 ATR". */
export function policyValueText(value: number, unit: string): string {
  const text = policyNumberText(value, unit);
  return unit === "switch" || unit === "USD" || UNSAID.includes(unit) ? text : `${text} ${unit}`;
}

/** What values are allowed: "On or off", "1 to 20". */
export function policyBoundsText({ min, max, unit }: { min: number; max: number; unit: string }): string {
  if (unit === "switch") return "On or off";
  if (unit === "USD") return `${moneyText(min)} to ${moneyText(max)}`;
  return `${plain.format(min)} to ${plain.format(max)}`;
}

interface Side {
  entries: number;
  exits: number;
  turnover: number | null;
  costs: number;
  qaFailures: Readonly<Record<string, number>>;
  /** Absent in reports from before decisions were counted. */
  qaDecisions?: number | undefined;
}

interface Compared {
  environment: string;
  decisions: number;
  decisionsChanged: number;
  entriesAdded: { count: number };
  entriesRemoved: { count: number };
  sizesChanged: { count: number };
  exitsAdded: { count: number };
  exitsRemoved: { count: number };
  recorded: Side;
  draft: Side;
  /** Those with the largest effect. */
  accounts: readonly { drawdownRecorded: number; drawdownDraft: number }[];
}

interface Span {
  cycles: number;
  /** Market time. */
  from?: string | null | undefined;
  to?: string | null | undefined;
}

interface Report extends Span {
  /** Absent in reports from before the markets were told apart. */
  markets?: readonly (Span & { market: MarketName })[] | undefined;
  environments: readonly Compared[];
}

const counted = (count: number, one: string, many = `${one}s`) => `${countText(count)} ${count === 1 ? one : many}`;

const MARKET_OF = { PRACTICE: "of the practice market", US: "of the US market" } as const;
const marketOf = ({ environment }: Compared): MarketName => (environment === "PRACTICE" ? "PRACTICE" : "US");
const decisionsOf = (parts: readonly Compared[]) => parts.reduce((all, part) => all + part.decisions, 0);

/** What was compared, in one sentence. Markets have clocks of their own, so that no span of days is of two of them. */
export function whatIfHeadline(report: Report): string {
  const { environments, markets } = report;
  const decisions = decisionsOf(environments);
  if (decisions === 0)
    return "Nothing was compared: no decisions are recorded yet. What this policy would change is not known.";
  const isOfOne = new Set(environments.map(marketOf)).size === 1;
  const spans = (markets ?? []).map((span) => {
    const count = decisionsOf(environments.filter((part) => marketOf(part) === span.market));
    return `${counted(count, "decision")} in ${counted(span.cycles, "cycle")}${isOfOne ? "" : ` ${MARKET_OF[span.market]}`}${daysText(span)}`;
  });
  const undivided = `${counted(decisions, "decision")} in ${counted(report.cycles, "cycle")}${isOfOne ? daysText(report) : ""}`;
  const what = markets === undefined ? undivided : spans.join(" and ");
  return `${what} ${decisions === 1 ? "was" : "were"} made again.`;
}

/** " from 3 Feb 2020 to 4 Feb 2020" */
function daysText({ from, to }: Span): string {
  if (from == null || to == null) return "";
  const [first, last] = [newYork(from).date, newYork(to).date];
  return first === last ? ` of ${dateText(first)}` : ` from ${dateText(first)} to ${dateText(last)}`;
}

/** What would have been different in one environment, sentence by sentence. */
export function whatIfSentences(part: Compared): string[] {
  if (part.decisionsChanged === 0) return ["No decision would have been different."];
  const kinds: [number, string][] = [
    [part.entriesAdded.count, "added"],
    [part.entriesRemoved.count, "left out"],
    [part.sizesChanged.count, "made in another size"],
  ];
  const entries = kinds.filter(([count]) => count > 0).map(([count, word]) => `${countText(count)} ${word}`);
  const exits = [
    [part.exitsAdded.count, "added"],
    [part.exitsRemoved.count, "left out"],
  ] as const;
  const exitTexts = exits.filter(([count]) => count > 0).map(([count, word]) => `${countText(count)} ${word}`);
  const { recorded, draft } = part;
  const costs = draft.costs - recorded.costs;
  return [
    `${countText(part.decisionsChanged)} of ${counted(part.decisions, "decision")} would have been different (${shareText(part.decisionsChanged / part.decisions)}).`,
    ...(entries.length === 0 && exitTexts.length === 0
      ? ["No purchase or sale is among what differs: only reasons, margins or price levels are."]
      : []),
    entries.length === 0 ? "Purchases stay the same." : `Purchases: ${entries.join(", ")}.`,
    exitTexts.length === 0 ? "Sales stay the same." : `Sales: ${exitTexts.join(", ")}.`,
    ...(draft.turnover === null || recorded.turnover === null
      ? []
      : [`Turnover: ${shareText(draft.turnover)} instead of ${shareText(recorded.turnover)} of equity.`]),
    Math.abs(costs) < 0.005
      ? "Estimated costs stay the same."
      : `Estimated costs: ${moneyText(Math.abs(costs))} ${costs < 0 ? "less" : "more"}.`,
    ...drawdownSentence(part),
    qaSentence(recorded, draft),
  ];
}

function drawdownSentence({ accounts }: Compared): string[] {
  if (accounts.length === 0) return [];
  const was = shareText(Math.min(...accounts.map((row) => row.drawdownRecorded)));
  const would = shareText(Math.min(...accounts.map((row) => row.drawdownDraft)));
  if (was === would) return [`Deepest drawdown of the accounts with the largest effect: ${was}, as recorded.`];
  return [`Deepest drawdown of the accounts with the largest effect: ${would} instead of ${was}.`];
}

const sumOf = ({ qaFailures }: Side) => Object.values(qaFailures).reduce((all, count) => all + count, 0);

function qaSentence(recorded: Side, draft: Side): string {
  const areCounted = recorded.qaDecisions !== undefined && draft.qaDecisions !== undefined;
  const [before, after] = [recorded, draft].map((side) => side.qaDecisions ?? sumOf(side)) as [number, number];
  const what = areCounted
    ? `${counted(after, "decision")} with a rule that does not pass`
    : counted(after, "rule failure");
  return `QA: ${what}, ${before === after ? "" : `${countText(before)} `}as recorded.`;
}
