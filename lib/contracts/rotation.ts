import * as z from "zod";
import { MARKETS, PLAN_STATUSES, QA_STATUSES, SEVERITIES, SIDES } from "@/lib/domain/enums.ts";
import { LEG_OUTCOMES } from "../domain/rotation/leg-outcome.ts";
import { GUARDRAILS } from "../domain/rotation/proposal.ts";
import { idIn, instantOut, moneyOut, ratioOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { environmentOut } from "./environment.ts";

const configOut = z.object({
  enabled: z.boolean(),
  advisory_only: z.boolean(),
  /** The numbers in force. */
  cadence_days: z.number().int(),
  turnover_cap_pct_per_period: z.number(),
  cost_aware_threshold_bps: z.number(),
  /** The policy in force, whose section `cadence` says the numbers that were not set here. */
  policyVersion: z.string(),
  /** Numbers in force that were set here: one that the policy's stricter number overrules is not among them. */
  overrides: z.array(z.enum(["cadence_days", "turnover_cap_pct_per_period", "cost_aware_threshold_bps"])),
  /** Market and wall time are two: this is wall time. */
  updatedAt: instantOut,
});

const portfolioOut = z.object({
  totalValue: moneyOut,
  cashBufferPct: z.number(),
  grossExposurePct: z.number(),
  positionCount: z.number().int(),
});

export const planOut = z.object({
  planId: z.string(),
  market: z.enum(MARKETS),
  environment: environmentOut,
  approvalStatus: z.enum(PLAN_STATUSES),
  /** Closed without an execution: its time is over, or a newer plan took its place. */
  closedAs: z.enum(["expired", "superseded"]).nullable(),
  /** Rises with every change; an act on another version than the current one is refused. */
  version: z.number().int(),
  isAdvisoryOnly: z.boolean(),
  sessionDate: z.string(),
  policyVersion: z.string(),
  /** market time */
  plannedAt: instantOut,
  /** market time */
  expiresAt: instantOut,
  /** wall time, as the three below */
  createdAt: instantOut,
  decidedAt: instantOut.nullable(),
  rejectReason: z.string().nullable(),
  executedAt: instantOut.nullable(),
  /** Until when a first administrator's word waits for a second one; null when none does. */
  secondNeededUntil: instantOut.nullable(),
  /** The plan's value lies above the policy's line: it is executed once two administrators have said so. */
  needsSecond: z.boolean(),
  tradedUsd: moneyOut,
  actions: z.array(z.object({ type: z.enum(SIDES), symbol: z.string(), changeShares: moneyOut, reason: z.string() })),
  metrics: z.object({
    turnover: z.object({ turnoverPct: z.number() }),
    /** Of the value whose cost is known; null where it is known of none. */
    costs: z.object({ estimatedCostsBps: ratioOut }),
    guardrails: z.object({
      allChecksPassed: z.boolean(),
      violations: z.array(z.string()),
      details: z.array(z.object({ guardrail: z.enum(GUARDRAILS), accountId: z.string(), message: z.string() })),
    }),
    currentPortfolio: portfolioOut,
    projectedPortfolio: portfolioOut,
  }),
  kpiSnapshot: z.object({
    avgWinToLoss: ratioOut,
    hitRate: ratioOut,
    timeStopRate: ratioOut,
    slippagePct: ratioOut,
  }),
  /** Accounts that it covers, and those of them that it has orders for. */
  accountCount: z.number().int(),
  tradedAccountCount: z.number().int(),
  /** Legs by what became of them. */
  outcomes: z.record(z.enum(LEG_OUTCOMES), z.number().int()),
});

const legOut = z.object({
  id: z.string(),
  leg: z.number().int(),
  kind: z.enum(["forced_exit", "swap", "enter", "resize"]),
  symbol: z.string(),
  side: z.enum(SIDES),
  quantity: moneyOut,
  reason: z.string(),
  decisionPrice: moneyOut,
  priceGuardLow: moneyOut,
  priceGuardHigh: moneyOut,
  /** One way; null where it is not known. */
  costBps: ratioOut,
  outcome: z.enum(LEG_OUTCOMES),
  outcomeReason: z.string().nullable(),
  /** The trade that it led to; null before there is an order. */
  tradeId: z.string().nullable(),
});

const legsOfAccountOut = z.object({
  account: z.object({
    id: z.string(),
    name: z.string(),
    owner: z.object({ firstName: z.string(), lastName: z.string(), email: z.string() }),
  }),
  equity: moneyOut,
  /** ½·Σ|Δw|, a fraction of equity */
  turnover: z.number(),
  swaps: z.number().int(),
  current: portfolioOut,
  projected: portfolioOut,
  /** Fractions of equity by symbol, the largest of either side first. */
  weights: z.array(z.object({ symbol: z.string(), before: z.number(), after: z.number() })),
  /** What was wanted and not planned, and why. */
  skipped: z.array(z.object({ symbol: z.string(), why: z.string() })),
  legs: z.array(legOut),
});

const onPlan = { planId: idIn, version: z.number().int().min(0).optional() };

export const rotationApi = {
  readConfig: endpoint({
    method: "GET",
    path: "/admin/biweekly-rotation/config",
    access: "admin",
    limit: "admin",
    summary: "How the biweekly rotation is configured: switches and the numbers in force.",
    input: z.strictObject({}),
    output: configOut,
  }),
  changeConfig: endpoint({
    method: "PATCH",
    path: "/admin/biweekly-rotation/config",
    stepUp: "loosening",
    access: "admin",
    limit: "admin",
    summary:
      "Enables or disables rotation, or switches it between preview and live. A number set here takes the policy's place, a limit only to tighten it; null gives it back to the policy.",
    input: z
      .strictObject({
        enabled: z.boolean().optional(),
        advisory_only: z.boolean().optional(),
        cadence_days: z.number().int().min(1).max(90).nullable().optional(),
        turnover_cap_pct_per_period: z.number().min(0).max(100).nullable().optional(),
        cost_aware_threshold_bps: z.number().min(0).max(500).nullable().optional(),
      })
      .refine((input) => Object.values(input).some((value) => value !== undefined), "Say what to change."),
    output: configOut,
  }),
  listPlans: endpoint({
    method: "GET",
    path: "/admin/biweekly-rotation/plans",
    access: "admin",
    limit: "admin",
    summary: "Rotation plans, the newest first.",
    input: z.strictObject({
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(50).default(10),
    }),
    output: z.object({
      plans: z.array(planOut),
      pagination: z.object({ nextCursor: z.string().nullable(), limit: z.number().int() }),
    }),
  }),
  readPlan: endpoint({
    method: "GET",
    path: "/admin/biweekly-rotation/plans/{planId}",
    access: "admin",
    limit: "admin",
    summary: "One plan: legs per account with what became of each, weights before and after, QA results.",
    input: z.strictObject({ planId: idIn }),
    output: z.object({
      plan: planOut,
      /** At most 200 of the accounts, those with the most legs first; `accountCount` says how many there are. */
      accounts: z.array(legsOfAccountOut),
      leftOut: z.array(z.object({ accountId: z.string(), why: z.string() })),
      qaResults: z.array(
        z.object({
          ruleId: z.string(),
          status: z.enum(QA_STATUSES),
          severity: z.enum(SEVERITIES),
          message: z.string(),
          expected: z.string(),
          actual: z.string(),
          margin: z.number().nullable(),
        }),
      ),
    }),
  }),
  approvePlan: endpoint({
    method: "POST",
    path: "/admin/biweekly-rotation/plans/{planId}/approve",
    access: "admin",
    limit: "admin",
    summary: "Approves a plan that is pending.",
    input: z.strictObject(onPlan),
    output: planOut,
  }),
  rejectPlan: endpoint({
    method: "POST",
    path: "/admin/biweekly-rotation/plans/{planId}/reject",
    access: "admin",
    limit: "admin",
    summary: "Rejects a plan that is pending, with a reason.",
    input: z.strictObject({
      ...onPlan,
      reason: z.string().trim().min(1, "Give a reason.").max(300, "Enter a shorter reason."),
    }),
    output: planOut,
  }),
  executePlan: endpoint({
    method: "POST",
    path: "/admin/biweekly-rotation/plans/{planId}/execute",
    stepUp: true,
    access: "admin",
    limit: "admin",
    summary:
      "Executes an approved plan once: it is claimed here, and the worker sends its legs. Where the policy asks for it, a second administrator has to confirm.",
    input: z.strictObject(onPlan),
    output: planOut,
  }),
};
