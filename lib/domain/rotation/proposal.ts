import type { MarketName, SideName } from "../enums.ts";
import type { DecimalText } from "../money.ts";
import type { Instant, SessionDate } from "../time.ts";

/** Everything in a proposal is plain JSON: it is stored, approved by a person, and executed days later. */

export interface RotationConfigView {
  /** Calendar days between rotations; counted in sessions. */
  cadenceDays: number;
  /** percent of equity, one way (½·Σ|Δw|) */
  turnoverCapPctPerPeriod: number;
  costAwareThresholdBps: number;
  advisoryOnly: boolean;
}

/** forced_exit: an exit rule asks for it. swap: a holding against a better seat. enter: a seat for free cash. resize: back into the band. */
export type RotationKind = "forced_exit" | "swap" | "enter" | "resize";

export interface RotationLegPlan {
  accountId: string;
  /** 0-based within the account: forced exits, then other sells, then buys. */
  leg: number;
  kind: RotationKind;
  symbol: string;
  side: SideName;
  qty: DecimalText;
  reason: string;
  /** Last price at which the leg was planned. */
  decisionPrice: DecimalText;
  /** Outside these prices the leg is stale. */
  priceGuardLow: DecimalText;
  priceGuardHigh: DecimalText;
  /** One way, at the decision; null where it is not known. */
  costBps: number | null;
}

/** One symbol over all accounts. */
export interface RotationAction {
  type: SideName;
  symbol: string;
  /** Whole or fractional shares, negative for a sell. */
  changeShares: DecimalText;
  reason: string;
}

export interface PortfolioView {
  /** USD */
  totalValue: DecimalText;
  cashBufferPct: number;
  grossExposurePct: number;
  positionCount: number;
}

export const GUARDRAILS = ["allocation", "swaps", "turnover", "sector", "cash", "gross", "cost"] as const;
export type Guardrail = (typeof GUARDRAILS)[number];

export interface RotationViolation {
  guardrail: Guardrail;
  accountId: string;
  /** In words, with the numbers. */
  message: string;
}

export interface KpiSnapshot {
  /** Mean win over mean loss; null without either. */
  avgWinToLoss: number | null;
  /** wins/(wins + losses) */
  hitRate: number | null;
  /** Part of the closed round trips that the time stop closed. */
  timeStopRate: number | null;
  /** Mean slippage against the decision price, percent. */
  slippagePct: number | null;
}

/** What one account looks like before and after its legs, as fractions of its equity. */
export interface RotationAccount {
  accountId: string;
  equity: DecimalText;
  turnover: number;
  swaps: number;
  current: PortfolioView;
  projected: PortfolioView;
  /** Weight by symbol as it stands, of what the product holds. */
  weightsBefore: Record<string, number>;
  /** Projected weight by symbol. */
  weights: Record<string, number>;
  /** Weight by sector as it stands; "" collects what has none. */
  sectorsBefore: Record<string, number>;
  /** Projected weight by sector. */
  sectors: Record<string, number>;
  /** Names bought, with what their conviction stood on. */
  entries: { symbol: string; confidence: number; line: number; strongFamilies: number }[];
  /** What was wanted and not planned, and why. */
  skipped: { symbol: string; why: string }[];
}

export interface RotationProposal {
  market: MarketName;
  at: Instant;
  sessionDate: SessionDate;
  policyVersion: string;
  isDue: boolean;
  isAdvisoryOnly: boolean;
  /** After this the plan may no longer be executed. */
  expiresAt: Instant;
  legs: RotationLegPlan[];
  actions: RotationAction[];
  accounts: RotationAccount[];
  metrics: {
    turnover: { turnoverPct: number };
    /** Of the value whose cost is known; null where it is known of none. */
    costs: { estimatedCostsBps: number | null };
    guardrails: { allChecksPassed: boolean; violations: string[]; details: RotationViolation[] };
    currentPortfolio: PortfolioView;
    projectedPortfolio: PortfolioView;
  };
  kpiSnapshot: KpiSnapshot;
}
