import * as z from "zod";
import { MARKETS, RUN_STATUSES } from "@/lib/domain/enums.ts";
import { idIn, instantOut, moneyOut, ratioOut } from "./codecs.ts";
import { environmentOut } from "./environment.ts";

/** Bounds of a what-if: the form shows them, the server holds them. */
export const WHAT_IF_BOUNDS = {
  /** The latest so many recorded cycles of each market. */
  cycles: { min: 1, max: 500, default: 100 },
  /** Decisions of each market compared at most; older cycles are left out beyond it. */
  decisions: 10_000,
} as const;

const sideOut = z.object({
  entries: z.number().int(),
  exits: z.number().int(),
  bought: moneyOut,
  sold: moneyOut,
  /** Half of what was bought and sold over the accounts' mean equity. */
  turnover: ratioOut,
  costs: moneyOut,
  costBps: ratioOut,
  /** Orders whose cost cannot be told. */
  withoutCost: z.number().int(),
  /** Decisions in which a QA rule did not pass, by rule. */
  qaFailures: z.record(z.string(), z.number().int()),
  /** Decisions in which at least one did not pass; absent in reports from before they were counted. */
  qaDecisions: z.number().int().optional(),
});

const kindOut = z.object({
  count: z.number().int(),
  examples: z.array(
    z.object({
      accountId: z.string(),
      session: z.iso.date(),
      symbol: z.string(),
      reason: z.string(),
      /** Null where the policy does not trade. */
      recordedQty: moneyOut.nullable(),
      draftQty: moneyOut.nullable(),
    }),
  ),
});

/** Figures of accounts of one environment: those of different environments are never added up. */
const comparedOut = z.object({
  environment: environmentOut,
  decisions: z.number().int(),
  decisionsChanged: z.number().int(),
  /** Decisions made by another engine: both policies are decided again by this one. */
  ofOtherEngines: z.number().int(),
  entriesAdded: kindOut,
  entriesRemoved: kindOut,
  sizesChanged: kindOut,
  exitsAdded: kindOut,
  exitsRemoved: kindOut,
  recorded: sideOut,
  draft: sideOut,
  /** Those with the largest effect first. */
  accounts: z.array(
    z.object({
      accountId: z.string(),
      decisions: z.number().int(),
      pnlEffect: moneyOut,
      /** Deepest fall of equity from its peak, fractions ≤ 0. */
      drawdownRecorded: z.number().finite(),
      drawdownDraft: z.number().finite(),
    }),
  ),
});

export const policyChangeOut = z.object({ path: z.string(), from: z.number(), to: z.number() });

export const whatIfReportOut = z.object({
  /** Cycles that were decided again; fewer than asked for where there are fewer or they hold too many decisions. */
  cycles: z.number().int(),
  /** Those of each market with any, and the market's time of the first and last of them; absent in reports from before they were told apart. */
  markets: z
    .array(z.object({ market: z.enum(MARKETS), cycles: z.number().int(), from: instantOut, to: instantOut }))
    .optional(),
  /** Of the first and last, of whichever market; reports from before alone. */
  from: instantOut.nullable().optional(),
  to: instantOut.nullable().optional(),
  recordedVersions: z.array(z.string()),
  /** Against the policy in force when the what-if ran. */
  changedFields: z.array(policyChangeOut),
  environments: z.array(comparedOut),
  /** What recorded data cannot tell, in words. */
  unknown: z.array(z.string()),
});

export const whatIfOut = z.object({
  id: z.string(),
  version: z.string(),
  status: z.enum(RUN_STATUSES),
  cycles: z.number().int(),
  /** Decisions compared; `total` is null until they are counted. */
  progress: z.object({ done: z.number().int(), total: z.number().int().nullable() }),
  /** True where a worker had begun and sent no heartbeat since: it starts again. */
  isStalled: z.boolean(),
  /** Whether it tried the version as it is now; false once a draft was edited. */
  isCurrent: z.boolean(),
  createdAt: instantOut,
  finishedAt: instantOut.nullable(),
  error: z.string().nullable(),
  report: whatIfReportOut.nullable(),
});

export const whatIfIn = { id: idIn };
