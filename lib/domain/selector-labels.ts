/**
 * How the selector pages read: words, colours and orders of the specification, as functions of what was measured. Tones
 * name the tokens of the page: gain is green, warn is yellow, loss is red.
 */
import type { RegimeLabel, SeatKindName, SeverityName } from "./enums.ts";
import type { QaRuleId } from "./qa/rule.ts";
import { byText } from "./text-order.ts";
import { DAY_MS, type SessionDate } from "./time.ts";

export type Tone = "gain" | "warn" | "loss";

/** The market regime: its name, where it points, and its colour. What is not known is treated as neutral and says so. */
export const REGIME_LABELS = {
  risk_on: { label: "Risk on", direction: "Up", arrow: "▲", tone: "gain" },
  risk_off: { label: "Risk off", direction: "Down", arrow: "▼", tone: "loss" },
  neutral: { label: "Neutral", direction: "Flat", arrow: "■", tone: "warn" },
} as const satisfies Record<RegimeLabel, { label: string; direction: string; arrow: string; tone: Tone }>;

const VIX_HIGH = 25;
const VIX_LOW = 15;

/** What a level of the VIX means. */
export function vixLabel(vix: number | null): { label: string; tone: Tone | null } {
  if (vix === null) return { label: "Not known", tone: null };
  if (vix > VIX_HIGH) return { label: "High Volatility (Risk-Off)", tone: "loss" };
  if (vix < VIX_LOW) return { label: "Low Volatility (Risk-On)", tone: "gain" };
  return { label: "Moderate", tone: "warn" };
}

/** A close against a moving average: "1.25% above", "0.40% below", "0.00%"; null where one of them is not known. */
export function distanceLabel(
  close: number | null,
  average: number | null,
): { text: string; tone: Tone | null } | null {
  if (close === null || average === null || !(average > 0)) return null;
  const percent = (close / average - 1) * 100;
  const text = `${Math.abs(percent).toFixed(2)}%`;
  if (text === "0.00%") return { text, tone: null };
  return percent > 0 ? { text: `${text} above`, tone: "gain" } : { text: `${text} below`, tone: "loss" };
}

/** The first two reasons, then an ellipsis if there are more. */
export function reasonsText(reasons: readonly string[]): string {
  return reasons.slice(0, 2).join(", ") + (reasons.length > 2 ? "…" : "");
}

/** Calendar days from one New York date to another; negative when it has passed. */
export function daysUntil(today: SessionDate, date: SessionDate): number {
  return Math.round((Date.parse(`${date}T00:00:00.000Z`) - Date.parse(`${today}T00:00:00.000Z`)) / DAY_MS);
}

/** "Today", "Tomorrow", "5 days"; a date that lies behind says so. */
export function daysLabel(days: number): string {
  if (days < 0) return days === -1 ? "Yesterday" : `${-days} days ago`;
  if (days === 0) return "Today";
  return days === 1 ? "Tomorrow" : `${days} days`;
}

export function daysTone(days: number): Tone {
  if (days <= 1) return "loss";
  return days <= 3 ? "warn" : "gain";
}

export function volumeTone(ratio: number): Tone {
  if (ratio > 2) return "loss";
  return ratio > 1.5 ? "warn" : "gain";
}

/** Before the market opens is the morning; everything else is shown as the afternoon. */
export const earningsTimeText = (time: string): "AM" | "PM" => (time === "BMO" ? "AM" : "PM");

export const RISK_LEVELS = {
  LOW: { label: "Low", tone: "gain" },
  MEDIUM: { label: "Medium", tone: "warn" },
  HIGH: { label: "High", tone: "loss" },
} as const satisfies Record<string, { label: string; tone: Tone }>;

/** Passed rules in percent of all; null where none was run. */
export const passRate = (passed: number, total: number): number | null => (total === 0 ? null : (100 * passed) / total);

export function passRateTone(percent: number): Tone {
  if (percent >= 90) return "gain";
  return percent >= 70 ? "warn" : "loss";
}

export const SEVERITIES = {
  critical: { label: "Critical", order: 0 },
  high: { label: "High", order: 1 },
  medium: { label: "Medium", order: 2 },
  low: { label: "Low", order: 3 },
} as const satisfies Record<SeverityName, { label: string; order: number }>;

/** The distance to the nearest line in the rule's own unit; ≥ 0 passes. */
const MARGIN_UNITS: Record<QaRuleId, { scale: number; places: number; one: string; many: string }> = {
  allocation: { scale: 100, places: 1, one: "% of equity", many: "% of equity" },
  swap_limits: { scale: 1, places: 0, one: " swap", many: " swaps" },
  promotion_quality: { scale: 1, places: 1, one: " points", many: " points" },
  conviction_gates: { scale: 1, places: 3, one: " of confidence", many: " of confidence" },
  fast_track_events: { scale: 1, places: 0, one: " event", many: " events" },
  sector_quotas: { scale: 1, places: 0, one: " seat", many: " seats" },
};

/** What a difference of doubles that stand for the same decimal may come to. */
const ROUNDING = 1e-9;

/** "+2.0% of equity", "−1 seat", "0 swaps"; "—" where there is none. */
export function marginText(ruleId: string, margin: number | null): string {
  if (margin === null) return "—";
  const unit = MARGIN_UNITS[ruleId as QaRuleId] ?? { scale: 1, places: 2, one: "", many: "" };
  const distance = Math.abs(margin) <= ROUNDING ? 0 : Math.abs(margin * unit.scale);
  let { places } = unit;
  // A distance is never told as none. Without decimals, which browsers lack.
  while (distance > 0 && Number(distance.toFixed(places)) === 0) places++;
  const size = distance.toFixed(places);
  const sign = Number(size) === 0 ? "" : margin > 0 ? "+" : "−";
  return `${sign}${size}${Number(size) === 1 ? unit.one : unit.many}`;
}

type Compare<Row> = (a: Row, b: Row) => number;

interface SeatRow {
  symbol: string;
  sector: string;
  compositeScore: number;
  freshOrSticky: SeatKindName;
}

const byComposite: Compare<SeatRow> = (a, b) => b.compositeScore - a.compositeScore || byText(a.symbol, b.symbol);

export const SEAT_ORDERS: Record<"composite" | "sector" | "type", Compare<SeatRow>> = {
  composite: byComposite,
  sector: (a, b) => byText(a.sector, b.sector) || byComposite(a, b),
  type: (a, b) => byText(a.freshOrSticky, b.freshOrSticky) || byComposite(a, b),
};

interface WatchOrderRow {
  symbol: string;
  earningsDate: SessionDate;
  earningsTime: string;
  riskLevel: keyof typeof RISK_LEVELS;
  upside: number | null;
}

const RISK_ORDER = Object.keys(RISK_LEVELS);
const TIME_ORDER = ["AM", "PM"];

const byDate: Compare<WatchOrderRow> = (a, b) =>
  byText(a.earningsDate, b.earningsDate) ||
  TIME_ORDER.indexOf(earningsTimeText(a.earningsTime)) - TIME_ORDER.indexOf(earningsTimeText(b.earningsTime)) ||
  byText(a.symbol, b.symbol);

/** An upside that is not known stands at the end. */
export const WATCH_ORDERS: Record<"date" | "risk" | "upside", Compare<WatchOrderRow>> = {
  date: byDate,
  risk: (a, b) => RISK_ORDER.indexOf(a.riskLevel) - RISK_ORDER.indexOf(b.riskLevel) || byDate(a, b),
  upside: (a, b) => (b.upside ?? Number.NEGATIVE_INFINITY) - (a.upside ?? Number.NEGATIVE_INFINITY) || byDate(a, b),
};

interface QaRow {
  ruleId: string;
  passed: boolean;
  severity: SeverityName;
  timestamp: string;
}

const byRule: Compare<QaRow> = (a, b) => byText(a.ruleId, b.ruleId);

export const QA_ORDERS: Record<"severity" | "timestamp" | "rule", Compare<QaRow>> = {
  severity: (a, b) => SEVERITIES[a.severity].order - SEVERITIES[b.severity].order || byRule(a, b),
  timestamp: (a, b) => byText(b.timestamp, a.timestamp) || byRule(a, b),
  rule: byRule,
};

export const QA_FILTERS: Record<"all" | "passed" | "failed" | "critical", (row: QaRow) => boolean> = {
  all: () => true,
  passed: ({ passed }) => passed,
  failed: ({ passed }) => !passed,
  critical: ({ passed, severity }) => !passed && severity === "critical",
};
