import { percentBeside } from "../beside-line.ts";
import type { QaStatusName, RegimeLabel, SeverityName } from "../enums.ts";
import type { Policy } from "../policy.ts";
import type { ScreenResult } from "../screening/screen-market.ts";

export const QA_RULE_IDS = [
  "allocation",
  "swap_limits",
  "promotion_quality",
  "conviction_gates",
  "fast_track_events",
  "sector_quotas",
] as const;
export type QaRuleId = (typeof QA_RULE_IDS)[number];

export interface QaVerdict {
  ruleId: QaRuleId;
  severity: SeverityName;
  status: QaStatusName;
  message: string;
  expected: string;
  actual: string;
  /**
   * Distance to the nearest line in the rule's own unit: ≥ 0 passes. Null when the evidence is missing, nothing was there to
   * judge, or what failed has no distance in that unit.
   */
  margin: number | null;
}

/** A book that is judged: an account as it stands, or what a rotation raises of it. Fractions of its equity. */
export interface QaPortfolio {
  accountId: string;
  /** True where it is what a rotation raises: the rest of the account is not in it. */
  isRaise: boolean;
  regime: RegimeLabel;
  /** Null where a rotation does not raise it. */
  gross: number | null;
  /** Names that the product holds. */
  weights: Record<string, number>;
  sectors: Record<string, number>;
}

/** A name that is about to be bought. */
export interface QaEntry {
  symbol: string;
  confidence: number | null;
  line: number;
  strongFamilies: number | null;
}

/** What the six rules read; what is not known is null and makes them answer UNKNOWN. */
export interface QaInput {
  policy: Policy;
  selection: Pick<ScreenResult, "seats" | "swaps" | "promoted" | "fastTracked" | "sectorSeats"> | null;
  portfolios: readonly QaPortfolio[] | null;
  entries: readonly QaEntry[] | null;
  /** Swaps of each account of a rotation; empty for a selection alone. */
  rotationSwaps: readonly number[];
}

export type QaRule = (input: QaInput) => QaVerdict;

type Head = Pick<QaVerdict, "ruleId" | "severity" | "expected">;

/** A verdict from the smallest distance to any line; where nothing was there to judge there is none, and the rule holds. */
export function judged(head: Head, margin: number | null, actual: string, failing: readonly string[]): QaVerdict {
  const isWithin = margin === null || margin >= -1e-9;
  const isPass = isWithin && failing.length === 0;
  return {
    ...head,
    status: isPass ? "PASS" : "FAIL",
    message: isPass ? `${head.expected}: holds` : failing.slice(0, 5).join("; "),
    actual,
    margin: isPass || !isWithin ? margin : null,
  };
}

export function unknown(head: Head, why: string): QaVerdict {
  return { ...head, status: "UNKNOWN", message: why, actual: "not known", margin: null };
}

export function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(1)} %`;
}

/** A limit in percent, in all its digits: what breaks it is told apart from it. */
export function percentLimit(fraction: number): string {
  return percentBeside(fraction, [fraction], { digits: 1 })[0];
}

/** A fraction in percent beside the limit that it breaks, as `percentLimit` prints that. */
export function percentOver(fraction: number, limit: number): string {
  return percentBeside(fraction, [limit], { digits: 1 })[0];
}
