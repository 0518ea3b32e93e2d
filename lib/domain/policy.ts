import { besideLine } from "./beside-line.ts";
import { EARLIER_MAXIMA, LATER_FIELDS, POLICY_DEFINITION, RETIRED_FIELDS, WHOLE_UNITS } from "./policy-fields.ts";

type Definition = typeof POLICY_DEFINITION;
export type PolicySection = keyof Definition;

/** Every constant of the trading core, by section. Plain JSON: it is part of a decision's record. */
export type Policy = { version: string } & {
  [S in PolicySection]: { [K in keyof Definition[S]]: number };
};

export interface PolicyField {
  section: PolicySection;
  key: string;
  default: number;
  min: number;
  max: number;
  unit: string;
  isWhole: boolean;
  description: string;
}

export interface PolicyIssue {
  /** "exits.trend_closes" */
  path: string;
  message: string;
}

export const POLICY_SECTIONS = Object.keys(POLICY_DEFINITION) as PolicySection[];

export const POLICY_FIELDS: readonly PolicyField[] = POLICY_SECTIONS.flatMap((section) =>
  Object.entries(POLICY_DEFINITION[section]).map(([key, { value, min, max, unit, description }]) => ({
    section,
    key,
    default: value,
    min,
    max,
    unit,
    isWhole: WHOLE_UNITS.includes(unit),
    description,
  })),
);

function defaultsOf<S extends PolicySection>(section: S): Policy[S] {
  const entries = POLICY_FIELDS.filter((field) => field.section === section).map((field) => [field.key, field.default]);
  return Object.fromEntries(entries) as Policy[S];
}

export const POLICY_2_9_0: Policy = {
  version: "2.9.0",
  selector_top50: defaultsOf("selector_top50"),
  portfolio_limits: defaultsOf("portfolio_limits"),
  orders_execution: defaultsOf("orders_execution"),
  signals_confidence: defaultsOf("signals_confidence"),
  cadence: defaultsOf("cadence"),
  pretrade_filters: defaultsOf("pretrade_filters"),
  exits: defaultsOf("exits"),
  providers_consensus: defaultsOf("providers_consensus"),
};

export const POLICY_VERSION = /^\d{1,4}\.\d{1,4}\.\d{1,4}(-[0-9A-Za-z.-]{1,40})?$/;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Lines that must keep their order, whatever their own bounds allow. */
function orderIssues(policy: Policy): PolicyIssue[] {
  const { selector_top50: s, portfolio_limits: p, signals_confidence: c } = policy;
  const weights = s.weight_technical + s.weight_liquidity + s.weight_sentiment;
  const rules: [boolean, string, string][] = [
    [
      Math.abs(weights - 1) < 1e-9,
      "selector_top50.weight_technical",
      `the three weights must add up to 1, not ${besideLine(weights, 1, 4)[0]}`,
    ],
    [s.enter_rank <= s.keep_rank, "selector_top50.keep_rank", "must not be smaller than enter_rank"],
    [s.enter_rank <= s.seats, "selector_top50.enter_rank", "must not exceed seats"],
    [
      s.rsi_low < s.rsi_band_from && s.rsi_band_from <= s.rsi_band_to && s.rsi_band_to < s.rsi_high,
      "selector_top50.rsi_band_from",
      "the RSI band must ascend: low < from ≤ to < high",
    ],
    [
      s.watchlist_low_move <= s.watchlist_high_move,
      "selector_top50.watchlist_high_move",
      "must not be smaller than watchlist_low_move",
    ],
    [
      p.gross_risk_off <= p.gross_neutral && p.gross_neutral <= p.gross_risk_on,
      "portfolio_limits.gross_neutral",
      "gross caps must not rise as the regime worsens",
    ],
    [p.drawdown_soft <= p.drawdown_hard, "portfolio_limits.drawdown_hard", "must not be smaller than drawdown_soft"],
    [
      c.momentum_keep_percentile <= c.momentum_enter_percentile,
      "signals_confidence.momentum_keep_percentile",
      "must not exceed momentum_enter_percentile",
    ],
    [
      c.regime_vix_calm <= c.regime_vix_fear && c.regime_vix_fear <= c.regime_vix_shock,
      "signals_confidence.regime_vix_fear",
      "VIX lines must ascend: calm ≤ fear ≤ shock",
    ],
  ];
  return rules.filter(([holds]) => !holds).map(([, path, message]) => ({ path, message }));
}

export const boundsText = ({ min, max, unit }: Pick<PolicyField, "min" | "max" | "unit">): string =>
  `must lie between ${min} and ${max} ${unit}`;

/** Checks a policy from outside or from the store: every field present (or younger than what is stored), finite, whole where it must be, inside the bounds of its time; nothing unknown. */
export function checkPolicy(candidate: unknown): { ok: true; policy: Policy } | { ok: false; issues: PolicyIssue[] } {
  if (!isRecord(candidate)) return { ok: false, issues: [{ path: "", message: "must be an object" }] };
  const issues: PolicyIssue[] = [];
  const { version } = candidate;
  if (typeof version !== "string" || !POLICY_VERSION.test(version))
    issues.push({ path: "version", message: 'must look like "2.9.0"' });
  for (const key of Object.keys(candidate)) {
    if (key !== "version" && !(POLICY_SECTIONS as string[]).includes(key))
      issues.push({ path: key, message: "is not a section" });
  }
  const sections: Record<string, Record<string, number>> = {};
  for (const section of POLICY_SECTIONS) {
    const given = candidate[section];
    if (!isRecord(given)) {
      issues.push({ path: section, message: "is missing" });
      continue;
    }
    const known = POLICY_FIELDS.filter((field) => field.section === section);
    for (const key of Object.keys(given)) {
      if (!known.some((field) => field.key === key) && !RETIRED_FIELDS.includes(`${section}.${key}`))
        issues.push({ path: `${section}.${key}`, message: "is not a field" });
    }
    sections[section] = {};
    for (const field of known) {
      const path = `${section}.${field.key}`;
      const value = given[field.key] === undefined && LATER_FIELDS.includes(path) ? field.default : given[field.key];
      if (typeof value !== "number" || !Number.isFinite(value)) issues.push({ path, message: "must be a number" });
      else if (value < field.min || value > (EARLIER_MAXIMA[path] ?? field.max))
        issues.push({ path, message: boundsText(field) });
      else if (field.isWhole && !Number.isInteger(value)) issues.push({ path, message: "must be a whole number" });
      else sections[section][field.key] = value;
    }
  }
  if (issues.length > 0) return { ok: false, issues };
  const policy = { version, ...sections } as unknown as Policy;
  const wrongOrder = orderIssues(policy);
  return wrongOrder.length > 0 ? { ok: false, issues: wrongOrder } : { ok: true, policy };
}
